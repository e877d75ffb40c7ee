import { requestArena } from "@agon/agent";
import { z } from "zod";
import { followRun, type RunProgress } from "../commands/run-goal-events.ts";
import { createDemoAccount } from "./demo-account.ts";
import type { DemoView } from "./demo-view.ts";

/** How the demo's run ended: the winner with the sum that made it one. */
export interface DemoGoal {
  readonly goal: string;
  readonly winner: string;
  readonly sum: string;
  /** Who worked on it, and at what. */
  readonly workers: readonly { readonly name: string; readonly phases: readonly string[] }[];
}

const GOAL = "Find a small business that one person can start.";
const SUBJECT = "a run";

/**
 * Has a goal worked on beside the competition, by the signed samples and, where they may not or do not, by the arena's
 * own agents, and tells how it goes. Undefined when it was given up.
 */
export async function playDemoGoal(
  baseUrl: string,
  view: DemoView,
  signal: AbortSignal,
  onBegin: (runId: string) => void,
): Promise<DemoGoal | undefined> {
  const apiKey = await createDemoAccount(baseUrl);
  const { body } = await requestArena({
    baseUrl,
    path: "/api/runs",
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: { goal: GOAL, launchpad: "make-money" },
  });
  const { id: runId } = z.looseObject({ id: z.string() }).parse(body);
  onBegin(runId);
  view.tell(SUBJECT, `begins: ${GOAL}`, "accent");
  const told = new Set<string>();
  const last = await followRun(
    baseUrl,
    runId,
    ({ candidates }) => {
      for (const { id, title } of candidates) {
        if (!told.has(id)) view.tell(SUBJECT, `found: ${title}`);
        told.add(id);
      }
    },
    signal,
  );
  const winner = last?.ranking[0];
  if (last === undefined || winner === undefined) return undefined;
  view.tell(SUBJECT, `won by: ${winner.title}`, "good");
  return { goal: GOAL, winner: winner.title, sum: winner.sum, workers: listWorkers(last) };
}

/** Those whose work counted, in the order of their first phase. */
function listWorkers({ phases }: RunProgress): DemoGoal["workers"] {
  const workers = new Map<string, Set<string>>();
  for (const { phase, slots } of phases) {
    for (const { agent, state } of slots) {
      if (agent === null || state !== "done") continue;
      const name = agent.house ? "the house" : agent.name;
      workers.set(name, (workers.get(name) ?? new Set()).add(phase.toLowerCase()));
    }
  }
  return [...workers].map(([name, done]) => ({ name, phases: [...done] }));
}
