import { requestArena } from "@agon/agent";
import { registerResponseSchema } from "@agon/protocol";
import { z } from "zod";
import { followRun } from "../commands/run-goal-events.ts";
import type { DemoView } from "./demo-view.ts";

/** How the demo's run ended: the winner with the sum that made it one. */
export interface DemoGoal {
  readonly goal: string;
  readonly winner: string;
  readonly sum: string;
}

const GOAL = "Find a small business that one person can start.";
const SUBJECT = "a run";

/** Has a goal worked on beside the competition, by the arena's own agents, and tells how it goes. Undefined when it was given up. */
export async function playDemoGoal(
  baseUrl: string,
  view: DemoView,
  signal: AbortSignal,
): Promise<DemoGoal | undefined> {
  const account = await requestArena({ baseUrl, path: "/api/register", method: "POST" });
  const { body } = await requestArena({
    baseUrl,
    path: "/api/runs",
    method: "POST",
    headers: { authorization: `Bearer ${registerResponseSchema.parse(account.body).api_key}` },
    body: { goal: GOAL, launchpad: "make-money" },
  });
  view.tell(SUBJECT, `begins: ${GOAL} The house scouts, builds, verifies and criticises`, "accent");
  const told = new Set<string>();
  const last = await followRun(
    baseUrl,
    z.looseObject({ id: z.string() }).parse(body).id,
    ({ candidates }) => {
      for (const { id, title } of candidates) {
        if (!told.has(id)) view.tell(SUBJECT, `found: ${title}`);
        told.add(id);
      }
    },
    signal,
  );
  const winner = last?.ranking[0];
  if (winner === undefined) return undefined;
  view.tell(SUBJECT, `won by: ${winner.title}`, "good");
  return { goal: GOAL, winner: winner.title, sum: winner.sum };
}
