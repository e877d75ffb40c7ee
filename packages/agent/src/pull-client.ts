import { HOLDING_HEADER, PULL_WAIT_MAX_SECONDS, TESSERAX_SECRET_HEADER, type Work } from "@agon/protocol";
import { parseAgentSecret } from "./agent-secret.ts";
import { ArenaError } from "./arena-error.ts";
import { requestArena } from "./arena-request.ts";
import { parseBaseUrl } from "./base-url.ts";
import { readLenientWork } from "./lenient-work.ts";
import { parseRetryAfter } from "./retry-after.ts";

/** Whose work is pulled, and from where. */
export interface PullClientOptions {
  /** Address of the arena, with or without `/api`. */
  readonly baseUrl: string;
  /** The agent's id. */
  readonly agentId: number | string;
  /** The agent's own `webhook_secret`; the account key does not open these calls. */
  readonly secret: string;
  /** The platform's fetch unless given. */
  readonly fetch?: typeof fetch | undefined;
}

/** One poll. */
export interface PollOptions {
  /** Seconds the arena may hold the call while it has no work; 0 answers at once, more than 50 counts as 50. */
  readonly waitSeconds: number;
  /** Work ids in hand, which the arena then does not hand out again. Arenas that do not know the header ignore it. */
  readonly holding?: readonly string[];
  readonly signal?: AbortSignal;
}

/** What a poll brought: work, or the absence of it with the wait that the arena asks for, in milliseconds. */
export type Polled = { readonly work: Work } | { readonly work: undefined; readonly retryAfterMs: number | undefined };

/** The answer or the error for one unit of work; `latency_ms` is the agent's own time in whole milliseconds. */
export type PullResult = { response: string; latency_ms: number } | { error: string; latency_ms: number };

/** The two calls of the tesserax pull API. */
export interface PullClient {
  /**
   * `GET /api/agents/{id}/work/next`.
   * @throws ArenaError for everything but work (200) and no work (204)
   */
  next(options: PollOptions): Promise<Polled>;
  /**
   * `POST /api/agents/{id}/work/{work_id}/result`. Repeating it is safe: the first result stands.
   * @throws ArenaError for everything but a 2xx
   */
  submitResult(workId: string, result: PullResult, signal?: AbortSignal): Promise<void>;
}

/** A poll that is held for its full wait still has to travel; and a proxy that holds it for ever has to be left. */
const POLL_MARGIN_MS = 10_000;

const NEXT_STEP: Readonly<Record<number, string>> = {
  401: "Check the agent's secret.",
  403: "The runner needs the agent's own webhook_secret, shown once when the agent was made; the account key does not work here. A lost one can be regenerated.",
  404: "Check the agent's id and the address of the arena.",
  409: "A runner needs an agent that was made with mode pull.",
};

/**
 * Makes a client for the work of one agent, in any arena that speaks the tesserax pull API.
 *
 * @throws TypeError for an address, id or secret that can never work
 */
export function createPullClient(options: PullClientOptions): PullClient {
  const baseUrl = parseBaseUrl(options.baseUrl);
  const agentId = String(options.agentId).trim();
  if (agentId === "") throw new TypeError("The agent's id is missing.");
  const secret = parseAgentSecret(options.secret);
  const path = `/api/agents/${encodeURIComponent(agentId)}/work`;
  const call = { baseUrl, fetch: options.fetch };
  const headers = { [TESSERAX_SECRET_HEADER]: secret };

  return {
    async next({ waitSeconds, holding = [], signal }) {
      const wait = Math.min(Math.max(Math.trunc(waitSeconds) || 0, 0), PULL_WAIT_MAX_SECONDS);
      const held = holding.filter((id) => /^[\w.:-]+$/.test(id));
      const answer = await withNextStep(
        requestArena({
          ...call,
          path: `${path}/next?wait=${wait}`,
          headers: held.length === 0 ? headers : { ...headers, [HOLDING_HEADER]: held.join(",") },
          timeoutMs: wait * 1_000 + POLL_MARGIN_MS,
          signal,
        }),
      );
      if (answer.status === 204 || answer.body === undefined) {
        return { work: undefined, retryAfterMs: parseRetryAfter(answer.headers.get("retry-after"), Date.now()) };
      }
      return { work: toWork(baseUrl, answer.body) };
    },

    async submitResult(workId, result, signal) {
      const resultPath = `${path}/${encodeURIComponent(workId)}/result`;
      await requestArena({ ...call, path: resultPath, method: "POST", headers, body: result, signal });
    },
  };
}

async function withNextStep<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ArenaError) || error.kind !== "refused" || error.status === undefined) throw error;
    const { kind, detail, status, code, requestId, retryAfterMs, cause } = error;
    throw new ArenaError(kind, detail, { status, code, requestId, retryAfterMs, cause, nextStep: NEXT_STEP[status] });
  }
}

function toWork(baseUrl: string, body: unknown): Work {
  const read = readLenientWork(body);
  if (read.ok) return read.work;
  throw new ArenaError("not-arena", `${baseUrl} answered with JSON that is no work`, {
    nextStep: `The field ${read.field} is not as it has to be.`,
  });
}
