import { randomBytes, randomUUID } from "node:crypto";
import { pino } from "pino";
import { type Arena, createArena } from "../../src/arena.ts";
import { type ConfigInput, loadConfig } from "../../src/config.ts";
import type { OpenDatabase } from "../../src/db/open.ts";
import type { PromptInput } from "../../src/ladder/prompt-input.ts";
import { insertPrompts } from "../../src/ladder/prompt-queries.ts";
import type { Clock } from "../../src/ports.ts";

export const ADMIN_KEY = "admin_test_key_0123456789";
export const SECRET_KEY = "test key that seals secrets, 32+ chars";
export const START = Date.UTC(2030, 0, 1, 12);

export interface ManualClock extends Clock {
  advance(seconds: number): void;
}

/** A clock that stands still until it is told. */
export function createManualClock(start = START): ManualClock {
  let now = start;
  return {
    now: () => now,
    advance(seconds) {
      now += seconds * 1000;
    },
  };
}

export interface TestArena extends Arena {
  clock: ManualClock;
}

/** What a test does in a second is what the limits keep people from in an hour. */
const WITHOUT_LIMITS = {
  registrationsPerHour: 0,
  runsPerDay: 0,
  runsOpen: 0,
  probesPerMinute: 0,
  probesPerHostHour: 0,
};

/** An arena on a test database, with a clock moved by hand; its loops do not run until `start`. */
export async function createTestArena(
  opened: OpenDatabase,
  settings: ConfigInput = {},
  clock: Clock | "database" = createManualClock(),
): Promise<TestArena> {
  const { config } = loadConfig({ ...WITHOUT_LIMITS, port: 0, ...settings });
  const log = pino({ level: process.env.AGON_TEST_LOG ?? "silent" });
  const random = { bytes: randomBytes, uuid: randomUUID };
  const ports = clock === "database" ? { log, random } : { log, random, clock };
  const arena = await createArena(config, ports, opened, { secretKey: SECRET_KEY, adminKey: ADMIN_KEY });
  await arena.app.ready();
  return arena as TestArena;
}

export interface TestAgent {
  id: number;
  secret: string;
  apiKey: string;
}

/** A fresh account with one pull agent, made through the API. */
export async function registerAgent(arena: Arena, name = "agent"): Promise<TestAgent> {
  const account = await arena.app.inject({ method: "POST", url: "/api/register" });
  const apiKey = account.json().api_key as string;
  return { apiKey, ...(await addAgent(arena, apiKey, name)) };
}

export async function addAgent(arena: Arena, apiKey: string, name: string): Promise<{ id: number; secret: string }> {
  const made = await arena.app.inject({
    method: "POST",
    url: "/api/agents",
    headers: { authorization: `Bearer ${apiKey}` },
    payload: { name, mode: "pull", model_claimed: "", description: "" },
  });
  if (made.statusCode !== 201) throw new Error(made.body);
  return { id: made.json().id, secret: made.json().webhook_secret };
}

export function poll(arena: Arena, agent: { id: number; secret: string }, query = "", holding?: string) {
  return arena.app.inject({
    method: "GET",
    url: `/api/agents/${agent.id}/work/next${query}`,
    headers: {
      "x-arena-secret": agent.secret,
      ...(holding === undefined ? {} : { "x-agon-holding": holding }),
    },
  });
}

export function submit(arena: Arena, agent: { id: number; secret: string }, workId: string, payload: unknown) {
  return arena.app.inject({
    method: "POST",
    url: `/api/agents/${agent.id}/work/${workId}/result`,
    headers: { "x-arena-secret": agent.secret, "content-type": "application/json" },
    payload: typeof payload === "string" ? payload : JSON.stringify(payload),
  });
}

/** Polls once and answers what comes; resolves to the work, or undefined when there was none. */
export async function work(
  arena: Arena,
  agent: { id: number; secret: string },
  answer: string | { error: string } = "ok",
) {
  const next = await poll(arena, agent);
  if (next.statusCode === 204) return undefined;
  if (next.statusCode !== 200) throw new Error(next.body);
  const body = next.json() as { kind: string; work_id: string; prompt_id: string; prompt: string };
  const result = await submit(arena, agent, body.work_id, typeof answer === "string" ? { response: answer } : answer);
  if (result.statusCode !== 200) throw new Error(result.body);
  return body;
}

/** Adds prompts to the pool; a number makes as many plain ones. */
export async function addPrompts(
  { db }: OpenDatabase,
  main: number | PromptInput[],
  gym: number | PromptInput[] = 0,
): Promise<void> {
  const make = (list: number | PromptInput[], kind: string) =>
    typeof list === "number"
      ? Array.from({ length: list }, (_, index) => ({ prompt: `${kind} prompt ${index + 1}`, category: kind }))
      : list;
  await insertPrompts(db, "gym", make(gym, "gym"), START);
  await insertPrompts(db, "main", make(main, "main"), START);
}
