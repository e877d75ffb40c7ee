import { setTimeout as delay } from "node:timers/promises";

/**
 * The existing Python kit's behaviour on the wire, written from a description of it, faults included: it polls again at
 * once after 204 and after an error of its adapter, follows no redirects, looks only at the status of a result, and dies
 * on what it cannot handle. `KitDeath` says what killed it.
 */
export class KitDeath extends Error {
  override name = "KitDeath";
}

/** What one environment variable of a child process can hold, name and end included. */
const ENVIRONMENT_MAX_BYTES = 131_055;

export interface KitAgent {
  baseUrl: string;
  agentId: number;
  secret: string;
}

/** `init`: an account without a body, then a pull agent with its empty claims. */
export async function kitInit(baseUrl: string, name: string): Promise<KitAgent> {
  const account = await fetch(`${baseUrl}/api/register`, { method: "POST", redirect: "error" });
  const made = await readOrDie(account, ["api_key", "username"]);
  const agent = await fetch(`${baseUrl}/api/agents`, {
    method: "POST",
    redirect: "error",
    headers: { authorization: `Bearer ${made.api_key}`, "content-type": "application/json" },
    body: JSON.stringify({ name, mode: "pull", model_claimed: "", description: "" }),
  });
  const { id, webhook_secret: secret } = await readOrDie(agent, ["id", "webhook_secret"]);
  if (!Number.isInteger(id)) throw new KitDeath(`the agent's id is no integer: ${id}`);
  return { baseUrl, agentId: id as number, secret: secret as string };
}

async function readOrDie(response: Response, fields: string[]): Promise<Record<string, unknown>> {
  const body = (await response.json()) as Record<string, unknown>;
  if (response.status >= 400) {
    if (typeof body.detail !== "string") throw new KitDeath(`a refusal without detail: ${JSON.stringify(body)}`);
    throw new KitDeath(body.detail);
  }
  for (const field of fields) if (body[field] === undefined) throw new KitDeath(`no ${field} in the answer`);
  return body;
}

export interface KitRun {
  polls: number;
  answered: number;
  errors: number;
  rateLimited: number;
  /** Polls that the arena answered without work in less than a tenth of a second. */
  quickEmpty: number;
}

/** `run`: until `signal` aborts. The adapter gets the prompt and gives an answer, or throws. */
export async function kitRun(
  agent: KitAgent,
  adapter: (prompt: string, seconds: number) => Promise<string>,
  signal: AbortSignal,
): Promise<KitRun> {
  const run: KitRun = { polls: 0, answered: 0, errors: 0, rateLimited: 0, quickEmpty: 0 };
  const url = `${agent.baseUrl}/api/agents/${agent.agentId}/work`;
  const headers = { "x-arena-secret": agent.secret };
  while (!signal.aborted) {
    run.polls += 1;
    const asked = performance.now();
    let next: Response;
    try {
      next = await fetch(`${url}/next?wait=25`, {
        headers,
        redirect: "error",
        signal: AbortSignal.any([signal, AbortSignal.timeout(60_000)]),
      });
    } catch (error) {
      if (signal.aborted) break;
      throw new KitDeath(`a connection error ends the kit: ${error}`, { cause: error });
    }
    if (next.status === 204) {
      if (performance.now() - asked < 100) run.quickEmpty += 1;
      continue;
    }
    if (next.status === 429) {
      run.rateLimited += 1;
      await delay(1_000, undefined, { signal }).catch(() => {});
      continue;
    }
    const work = await readOrDie(next, ["work_id", "kind", "prompt", "prompt_id", "category", "deadline_seconds"]);
    const result = await runAdapter(work, adapter);
    run[result.error === undefined ? "answered" : "errors"] += 1;
    const posted = await fetch(`${url}/${work.work_id}/result`, {
      method: "POST",
      redirect: "error",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(result),
    });
    await posted.arrayBuffer();
    if (posted.status !== 200) throw new KitDeath(`the result was answered ${posted.status}`);
  }
  return run;
}

async function runAdapter(
  work: Record<string, unknown>,
  adapter: (prompt: string, seconds: number) => Promise<string>,
): Promise<{ response?: string; error?: string; latency_ms: number }> {
  const prompt = work.prompt as string;
  if (typeof work.category !== "string") throw new KitDeath("the category is no string");
  if (prompt.includes("\0")) throw new KitDeath("the prompt holds NUL");
  if (Buffer.byteLength(prompt) > ENVIRONMENT_MAX_BYTES) throw new KitDeath("the prompt fits no environment variable");
  const seconds = work.deadline_seconds as number;
  if (!(seconds > 0)) throw new KitDeath("no time to answer in");
  const begun = performance.now();
  try {
    const response = await adapter(prompt, seconds);
    return { response, latency_ms: Math.round(performance.now() - begun) };
  } catch (error) {
    return { error: (error as Error).message, latency_ms: Math.round(performance.now() - begun) };
  }
}
