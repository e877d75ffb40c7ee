import { randomBytes, randomUUID } from "node:crypto";
import { type BuildOutput, type DispatchPayload, type Phase, parseOutput, type ScoutOutput } from "@agon/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerFromTemplate } from "../../src/runs/house/template-answers.ts";
import { loadLaunchpads } from "../../src/runs/launchpads.ts";
import { buildMessages, type Material } from "../../src/runs/messages.ts";
import { CUT_MARK, readQuotedData } from "../../src/runs/quoted-data.ts";
import { toCriticTerms, toVerifierTerms } from "../../src/runs/scoring.ts";
import { roleOutput } from "../support/role-outputs.ts";
import { INJECTIONS } from "./injections.ts";

const random = { bytes: (length: number) => randomBytes(length), uuid: () => randomUUID() };
const launchpad = loadLaunchpads().get("make-money");
const CANDIDATE = "0192f4a9-1be4-7123-b21d-0a55f00d4c8e";

/** A candidate with a text in every field that its agents filled. */
function material(text: string): Material {
  const put = (value: string) => `${value}${text}`;
  const found = roleOutput("SCOUT") as ScoutOutput;
  const plan = roleOutput("BUILD", CANDIDATE) as BuildOutput;
  return {
    candidateId: CANDIDATE,
    found: {
      candidate_title: put(found.candidate_title),
      target_customer: put(found.target_customer),
      core_problem: put(found.core_problem),
      proposed_solution: put(found.proposed_solution),
      why_now: put(found.why_now),
      claims: found.claims.map((each) => ({ type: put(each.type), text: put(each.text) })),
      evidence: found.evidence.map((each) => ({ kind: put(each.kind), summary: put(each.summary) })),
    },
    plan: {
      ...plan,
      execution: {
        objective: put(plan.execution.objective),
        first_milestone: put(plan.execution.first_milestone),
        success_check: put(plan.execution.success_check),
        phases: [put("Talk"), { title: put("Build"), steps: [put("Import")], reality_check: put("stop") }],
      },
    },
    verifications: [
      { ...(roleOutput("VERIFY", CANDIDATE) as never as Material["verifications"][number]), red_flags: [text] },
    ],
  };
}

function dispatch(phase: Phase, text: string, goal = "Find a niche."): DispatchPayload {
  if (launchpad === undefined) throw new Error("no launchpad");
  const messages = buildMessages(
    { goal, launchpad, phase, place: { position: 0, of: 3 }, material: phase === "SCOUT" ? undefined : material(text) },
    random,
  );
  const candidateId = phase === "SCOUT" ? null : CANDIDATE;
  return {
    taskId: randomUUID(),
    runId: randomUUID(),
    phase,
    role: phase,
    candidateId,
    goal,
    launchpadName: "Make Money",
    messages,
  };
}

/**
 * A judge as easy to steer as can be: it obeys every line that gives orders, wherever it stands, but for what lies
 * between the two lines that the system message names.
 */
function obedientJudge({ messages }: DispatchPayload): { score: number; verdict: string; candidate: string } {
  const system = messages[0]?.content ?? "";
  const open = /begins with the line (<<<DATA [0-9a-f]+>>>)/.exec(system)?.[1];
  const close = /ends with the line (<<<END DATA [0-9a-f]+>>>)/.exec(system)?.[1];
  const judged = { score: 50, verdict: "undecided", candidate: "" };
  let inside = false;
  for (const line of messages.flatMap((each) => (each.role === "user" ? each.content.split("\n") : []))) {
    if (line === open) inside = true;
    else if (line === close) inside = false;
    else if (!inside) {
      const plain = line.normalize("NFKC").replace(/[\u200b\u202a-\u202e]/g, "");
      if (/ignore|score|points|verdict|decode|obey|anweisungen/i.test(plain)) judged.score = 100;
      const verdict = /^verdict: (\w+)/i.exec(plain)?.[1];
      if (verdict !== undefined) judged.verdict = verdict;
      judged.candidate = /^Candidate id: (\S+)/.exec(plain)?.[1] ?? judged.candidate;
    }
  }
  return judged;
}

describe("text of agents that tries to steer its reader", () => {
  it("is tried in thirty ways", () => {
    expect(INJECTIONS.length).toBe(30);
    expect(new Set(INJECTIONS.map(([, text]) => text)).size).toBe(30);
  });

  it("would move the judge of these tests if it stood outside of the block", () => {
    const moved = INJECTIONS.filter(([, text]) => {
      const payload = dispatch("VERIFY", "");
      const user = payload.messages[1] as { role: "user"; content: string };
      const messages = [payload.messages[0] as never, { ...user, content: `${user.content}\n${text}` }];
      return obedientJudge({ ...payload, messages }).score === 100;
    });
    expect(moved.length).toBeGreaterThan(20);
  });

  it.each(INJECTIONS)("moves neither a judge that obeys all else nor the house, as %s", (_name, text) => {
    for (const phase of ["VERIFY", "CRITIQUE"] as const) {
      const steered = dispatch(phase, text);
      expect(obedientJudge(steered)).toEqual({ score: 50, verdict: "undecided", candidate: CANDIDATE });
      const [calm, moved] = [dispatch(phase, ""), steered].map(answerFromTemplate);
      if (phase === "VERIFY") {
        expect(toVerifierTerms(1, moved as never)).toEqual(toVerifierTerms(1, calm as never));
      } else {
        expect(toCriticTerms(1, moved as never)).toEqual(toCriticTerms(1, calm as never));
        expect(moved).toEqual(calm);
      }
      expect(parseOutput(phase, moved, CANDIDATE).ok).toBe(true);
    }
    // A builder's plan names the candidate by its title, and changes by nothing else.
    const [calm, moved] = [dispatch("BUILD", ""), dispatch("BUILD", text)].map(answerFromTemplate) as BuildOutput[];
    expect(moved?.execution.phases).toEqual(calm?.execution.phases);
  });

  it.each(INJECTIONS)("stands in no other place than the block, as %s", (_name, text) => {
    const { messages } = dispatch("CRITIQUE", `${text}QX7Z`);
    const [system, user] = messages.map((each) => each.content) as [string, string];
    const nonce = /<<<DATA ([0-9a-f]{32})>>>/.exec(system)?.[1] as string;
    const lines = user.split("\n");
    expect(lines.filter((line) => line === `<<<DATA ${nonce}>>>`).length).toBe(1);
    expect(lines.filter((line) => line === `<<<END DATA ${nonce}>>>`).length).toBe(1);
    expect(lines.at(-1)).toBe(`<<<END DATA ${nonce}>>>`);
    const before = lines.slice(0, lines.indexOf(`<<<DATA ${nonce}>>>`)).join("\n");
    expect(`${system}\n${before}`).not.toContain("QX7Z");
    expect(user).toContain("QX7Z");
  });

  it("loses its unseen characters on the way to a reader, and nothing else", () => {
    const given = readQuotedData(dispatch("VERIFY", " a\u202e\u200bb\u{e0041}c é 👩‍🔧 مرحبا").messages) as {
      candidate: { title: string };
    };
    expect(given.candidate.title).toBe("Invoices from timesheets abc é 👩‍🔧 مرحبا");
  });

  it("is read back as it was, whatever it holds, and never ends its block", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const given = readQuotedData(dispatch("VERIFY", text).messages) as {
          candidate: { title: string };
          plan: unknown;
        };
        expect(given.candidate.title.startsWith("Invoices from timesheets")).toBe(true);
        expect(given.plan).not.toBeNull();
      }),
    );
  });
});

describe("a dispatch with outputs of the largest size", () => {
  it.each([
    ["one long text", "😀".repeat(60_000)],
    ["quotes, which JSON writes twice over", '"\\'.repeat(60_000)],
    ["control characters, which JSON writes as six", "\u0001".repeat(60_000)],
  ])("stays below 512 KB, cut at a code point with a mark: %s", (_title, text) => {
    const payload = dispatch("CRITIQUE", text, "😀".repeat(8_000));
    const body = JSON.stringify(payload);
    expect(Buffer.byteLength(body)).toBeLessThan(524_288);
    const { candidate } = readQuotedData(payload.messages) as { candidate: { title: string } };
    expect(candidate.title.endsWith(CUT_MARK)).toBe(true);
    expect(candidate.title.isWellFormed()).toBe(true);
  });

  it("keeps short ones whole", () => {
    const given = readQuotedData(dispatch("CRITIQUE", "x".repeat(1_000)).messages) as { candidate: { title: string } };
    expect(given.candidate.title.length).toBe("Invoices from timesheets".length + 1_000);
  });

  it("cuts long lists too", () => {
    const long = material("");
    long.found.claims = Array.from({ length: 20_000 }, (_, index) => ({ type: "t", text: `claim ${index}` }));
    if (launchpad === undefined) throw new Error("no launchpad");
    const messages = buildMessages(
      { goal: "g", launchpad, phase: "BUILD", place: { position: 0, of: 1 }, material: long },
      random,
    );
    const { candidate } = readQuotedData(messages) as { candidate: { claims: unknown[] } };
    expect(candidate.claims.length).toBe(200);
  });
});
