import type { Arena } from "../../src/arena.ts";
import type { RunDetail } from "../../src/runs/run-schemas.ts";
import type { TestArena } from "../support/test-arena.ts";

/** A fresh account's key, as the header that calls carry. */
export async function newAccount(arena: Arena): Promise<{ authorization: string }> {
  const made = await arena.app.inject({ method: "POST", url: "/api/register" });
  return { authorization: `Bearer ${made.json().api_key}` };
}

export const GOAL = "Find a promising SaaS niche for a solo founder.";

/** Begins a run and returns its id; of a fresh account unless one is given. */
export async function startRun(
  arena: Arena,
  request: Record<string, unknown> = {},
  headers?: { authorization: string },
): Promise<string> {
  const made = await arena.app.inject({
    method: "POST",
    url: "/api/runs",
    headers: headers ?? (await newAccount(arena)),
    payload: { goal: GOAL, launchpad: "make-money", ...request },
  });
  if (made.statusCode !== 201) throw new Error(made.body);
  return made.json().id;
}

export async function readRun(arena: Arena, id: string): Promise<RunDetail> {
  const answer = await arena.app.inject({ url: `/api/runs/${id}` });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json();
}

/** Passes of runs and of the house, as often as there is something to do, until the run is over or nothing moves. */
export async function playHouse(arena: TestArena, id: string, most = 30): Promise<RunDetail> {
  for (let pass = 0; pass < most; pass += 1) {
    await arena.passes.runs();
    await arena.passes.house();
    const run = await readRun(arena, id);
    if (run.finished_at !== null) return run;
  }
  return readRun(arena, id);
}
