import type { BuildOutput, ScoutOutput, VerifyOutput } from "@agon/protocol";
import type { RunDetail } from "./run-schemas.ts";

/**
 * The report of a run as Markdown. What agents and people wrote is escaped: it must not become a heading, a link or an
 * image of the report, which people pass on as the arena's word.
 */
export function writeReport(run: RunDetail): string {
  const winner = run.candidates.find((each) => each.id === run.winner_id);
  return [
    `# ${plain(run.goal)}`,
    `${plain(run.launchpad.title)} · ${run.status}${run.reason === null ? "" : `: ${run.reason}`} · run ${run.id}`,
    ...outcome(run, winner),
    ...ranking(run),
    ...(winner === undefined ? [] : [...plan(winner), ...evidence(winner), ...critique(winner)]),
    ...others(run),
    ...work(run),
    ...cost(run),
  ]
    .join("\n\n")
    .concat("\n");
}

type Candidate = RunDetail["candidates"][number];

function outcome(run: RunDetail, winner: Candidate | undefined): string[] {
  if (winner === undefined) {
    const found = run.candidates.length;
    return [
      run.finished_at === null
        ? "This run goes on."
        : `No winner; ${found} ${found === 1 ? "candidate" : "candidates"}.`,
    ];
  }
  const found = winner.found as ScoutOutput;
  return [
    `## Winner: ${plain(winner.title)}`,
    plain(found.proposed_solution),
    [
      `- for: ${plain(found.target_customer)}`,
      `- problem: ${plain(found.core_problem)}`,
      `- why now: ${plain(found.why_now)}`,
      `- score: ${winner.score}`,
    ].join("\n"),
  ];
}

function ranking(run: RunDetail): string[] {
  if (run.ranking.length === 0) return [];
  const rows = run.ranking.map((each) => `| ${each.rank} | ${plain(each.title)} | ${each.score} | ${each.sum} |`);
  return ["## Ranking", ["| rank | candidate | score | the sum |", "|---|---|---|---|", ...rows].join("\n")];
}

function plan(winner: Candidate): string[] {
  const chosen = winner.plans.find((each) => each.slot_id === winner.plan_slot_id)?.output as BuildOutput | undefined;
  if (chosen === undefined) return [];
  const { objective, first_milestone, success_check, phases } = chosen.execution;
  const steps = phases.map((phase, index) => {
    if (typeof phase === "string") return `${index + 1}. ${plain(phase)}`;
    const lines = [
      `${index + 1}. ${plain(phase.title ?? phase.objective ?? "")}`,
      ...(phase.steps ?? []).map((step) => `   - ${plain(step)}`),
      ...(phase.outcome ? [`   - outcome: ${plain(phase.outcome)}`] : []),
      ...(phase.reality_check ? [`   - reality check: ${plain(phase.reality_check)}`] : []),
    ];
    return lines.join("\n");
  });
  const head = [
    `- objective: ${plain(objective)}`,
    `- first milestone: ${plain(first_milestone)}`,
    `- success check: ${plain(success_check)}`,
  ];
  return ["## Plan", head.join("\n"), steps.join("\n")];
}

function evidence(winner: Candidate): string[] {
  const found = winner.found as ScoutOutput;
  const verifications = winner.verifications.map((each) => each.output as VerifyOutput);
  const flags = [...new Set(verifications.flatMap((each) => each.red_flags))];
  return [
    "## Evidence",
    found.evidence.map((each) => `- ${plain(each.kind)}: ${plain(each.summary)}`).join("\n") || "None was given.",
    "## Claims",
    found.claims
      .map((claim) => {
        const words = verifications.flatMap((each) => each.claim_assessments.filter((one) => one.text === claim.text));
        const held = words.filter((each) => each.supported).length;
        return `- ${plain(claim.text)}${words.length === 0 ? "" : ` (supported by ${held} of ${words.length} verifiers)`}`;
      })
      .join("\n") || "None was made.",
    "## Red flags",
    flags.map((flag) => `- ${plain(flag)}`).join("\n") || "None was raised.",
  ];
}

function critique(winner: Candidate): string[] {
  const all = winner.critiques.map((each) => each.output as { strengths: string[]; weaknesses: string[] });
  if (all.length === 0) return [];
  const list = (texts: string[]) => texts.map((text) => `- ${plain(text)}`).join("\n") || "None was named.";
  return [
    "## Strengths",
    list(all.flatMap((each) => each.strengths)),
    "## Weaknesses",
    list(all.flatMap((each) => each.weaknesses)),
  ];
}

function others(run: RunDetail): string[] {
  const out = run.candidates.filter((each) => each.state !== "in");
  if (out.length === 0) return [];
  return ["## Out", out.map((each) => `- ${plain(each.title)}: ${each.reason ?? each.state}`).join("\n")];
}

function work(run: RunDetail): string[] {
  const titles = new Map(run.candidates.map((each) => [each.id, `candidate ${each.number}`]));
  const rows = run.phases.flatMap(({ phase, slots }) =>
    slots.map((slot) => {
      const agent =
        slot.agent === null ? "nobody" : `${plain(slot.agent.name)} (${slot.agent.house ? "house" : slot.agent.id})`;
      const about = slot.candidate_id === null ? `search ${slot.position + 1}` : titles.get(slot.candidate_id);
      const state = slot.state === "failed" ? `failed: ${slot.cause}` : slot.state;
      const own = slot.own_account ? ", judging work of its own account" : "";
      const time = slot.latency_ms === null ? "" : `${(slot.latency_ms / 1000).toFixed(1)} s`;
      return `| ${phase} | ${about} | ${agent}${own} | ${state} | ${slot.score ?? ""} | ${time} |`;
    }),
  );
  return [
    "## Who did what",
    ["| phase | on | agent | state | worth | time |", "|---|---|---|---|---|---|", ...rows].join("\n"),
  ];
}

function cost({ cost: spent }: RunDetail): string[] {
  const unknown = spent.unknown === 0 ? "" : `, not counting ${spent.unknown} answers whose tokens nobody reported`;
  return [
    "## Cost",
    `${spent.tasks} tasks; ${spent.prompt_tokens} tokens read and ${spent.completion_tokens} written${unknown}; ${(spent.agent_ms / 1000).toFixed(1)} s of agents' time in ${(spent.elapsed_ms / 1000).toFixed(1)} s.`,
  ];
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Text on one line in which nothing is Markdown or HTML. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, "")
    .trim()
    .replace(/[\\`*_{}[\]()#+!|~^$]/g, "\\$&")
    .replace(/[&<>]/g, (letter) => ENTITIES[letter] as string)
    .replace(/^([-=])/, "\\$1")
    .replace(/^(\d+)\./, "$1\\.")
    .replace(/(https?|www)([:.])/gi, "$1\u200b$2");
}
