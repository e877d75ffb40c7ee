import { PHASES } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import { readOutput } from "./materials.ts";
import { findRun, loadCost, loadSlotViews, type RunCost, type SlotView } from "./run-queries.ts";
import type { RunDetail, RunHead, RunProgress } from "./run-schemas.ts";
import type { ScoreTerms } from "./scoring.ts";
import { packOf } from "./slot-assignment.ts";
import { type CandidateRow, loadCandidates, type RunRow } from "./step-queries.ts";

export function toRunHead(run: RunRow): RunHead {
  return {
    id: run.id,
    status: run.status,
    reason: run.reason,
    goal: run.goal,
    launchpad: { slug: run.launchpad, title: packOf(run).title },
    scouts: run.scouts,
    builders_per_candidate: run.buildersPerCandidate,
    verifiers_per_candidate: run.verifiersPerCandidate,
    critics_per_candidate: run.criticsPerCandidate,
    winner_id: run.winnerId,
    created_at: run.createdAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
  };
}

/** Where a run stands, without what agents wrote. */
export async function loadProgress(db: Db, runId: string, now: number): Promise<RunProgress | undefined> {
  return (await load(db, runId, now, false))?.progress;
}

/** A run with everything that was made of its candidates. */
export async function loadDetail(
  db: Db,
  runId: string,
  now: number,
  accountId: number | undefined,
): Promise<RunDetail | undefined> {
  const loaded = await load(db, runId, now, true);
  if (loaded === undefined) return undefined;
  const { progress, slots, run } = loaded;
  const outputsOf = (phase: SlotView["phase"], candidateId: string) =>
    slots
      .filter((slot) => slot.phase === phase && slot.candidate_id === candidateId && slot.response !== null)
      .map((slot) => ({ slot_id: slot.id, output: readOutput(phase, slot.response as string) }));
  const scouted = new Map(slots.map((slot) => [slot.task_id, slot.response]));
  const candidates = loaded.candidates.map((candidate, index) => ({
    ...(progress.candidates[index] as RunProgress["candidates"][number]),
    found: readOutput("SCOUT", scouted.get(candidate.taskId) as string) as unknown,
    plans: outputsOf("BUILD", candidate.id),
    verifications: outputsOf("VERIFY", candidate.id),
    critiques: outputsOf("CRITIQUE", candidate.id),
  }));
  return { ...progress, candidates, yours: accountId !== undefined && run.accountId === accountId };
}

async function load(db: Db, runId: string, now: number, withOutputs: boolean) {
  const run = await findRun(db, runId);
  if (run === undefined) return undefined;
  const slots = await loadSlotViews(db, runId, withOutputs);
  const candidates = await loadCandidates(db, runId);
  const cost = await loadCost(db, runId);
  return { run, slots, candidates, progress: toProgress(run, slots, candidates, cost, now) };
}

function toProgress(
  run: RunRow,
  slots: readonly SlotView[],
  candidates: readonly CandidateRow[],
  cost: RunCost,
  now: number,
): RunProgress {
  const ranked = candidates
    .filter((each) => each.rank !== null)
    .sort((a, b) => (a.rank as number) - (b.rank as number) || a.number - b.number);
  return {
    ...toRunHead(run),
    phases: PHASES.map((phase) => ({ phase, slots: slots.filter((slot) => slot.phase === phase).map(toSlot) })).filter(
      (phase) => phase.slots.length > 0,
    ),
    candidates: candidates.map((candidate) => toCandidate(candidate, slots)),
    ranking: ranked.map((each) => ({
      rank: each.rank as number,
      candidate_id: each.id,
      title: each.title,
      score: each.score as number,
      sum: toSum(each.terms as ScoreTerms),
    })),
    cost: { ...cost, elapsed_ms: (run.finishedAt?.getTime() ?? Math.round(now)) - run.createdAt.getTime() },
  };
}

function toSlot(slot: SlotView): RunProgress["phases"][number]["slots"][number] {
  const { id, position, candidate_id, state, task_state, own_account, tries, cause, detail } = slot;
  const { latency_ms, prompt_tokens, completion_tokens, model_id, score, score_terms } = slot;
  return {
    id,
    position,
    candidate_id,
    state,
    task_state,
    deadline_at:
      state === "working" && slot.deadline_ms !== null ? new Date(Math.round(slot.deadline_ms)).toISOString() : null,
    agent: toAgent(slot),
    own_account,
    tries,
    cause,
    detail: state === "failed" && cause === "arena" ? detail : null,
    latency_ms,
    prompt_tokens,
    completion_tokens,
    model_id,
    score,
    score_terms,
  };
}

function toAgent(slot: SlotView) {
  if (slot.agent_id === null) return null;
  return { id: slot.agent_id, name: slot.agent_name ?? "", house: slot.is_house === true };
}

function toCandidate(candidate: CandidateRow, slots: readonly SlotView[]): RunProgress["candidates"][number] {
  const slotOf = (taskId: number | null) => slots.find((slot) => taskId !== null && slot.task_id === taskId);
  const scout = slotOf(candidate.taskId);
  return {
    id: candidate.id,
    number: candidate.number,
    title: candidate.title,
    state: candidate.state,
    duplicate_of: candidate.duplicateOf,
    reason: candidate.reason,
    agent: (scout && toAgent(scout)) ?? { id: candidate.agentId, name: "", house: false },
    rank: candidate.rank,
    score: candidate.score,
    terms: candidate.terms as ScoreTerms | null,
    plan_slot_id: slotOf(candidate.planTaskId)?.id ?? null,
  };
}

/** The sum as one would write it down; see docs/scoring.md. */
export function toSum({ evidence, penalty, adjustment, verdict, score }: ScoreTerms): string {
  const signed = adjustment < 0 ? `- ${-adjustment}` : `+ ${adjustment}`;
  return `${evidence} evidence - ${penalty} penalty ${signed} adjustment - ${verdict} verdict = ${score}`;
}
