import { setTimeout as delay } from "node:timers/promises";
import {
  type CompletionBody,
  EDGEARENA_SIGNATURE_HEADER,
  EDGEARENA_TIMESTAMP_HEADER,
  signEdgearena,
} from "@agon/protocol";
import { ArenaError } from "./arena-error.ts";
import { requestArena } from "./arena-request.ts";
import { createBackoff } from "./backoff.ts";

/** What {@link completeTask} needs. */
export interface CompleteTaskOptions {
  /** Where it goes: the `x-agon-complete-url` of the dispatch, or `<arena>/api/agent-tasks/<taskId>/complete`. */
  readonly url: string;
  /** The agent's key, with which the dispatch was signed. */
  readonly key: string;
  readonly taskId: string;
  /** The role's output. */
  readonly output: Record<string, unknown>;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly modelId?: string;
  /** How long to try again after blips, in milliseconds; 0, for a single try, by default. */
  readonly retryMs?: number;
  readonly signal?: AbortSignal;
  /** Unix seconds; the system's unless given. */
  readonly unixSeconds?: () => number;
  /** The platform's unless given. */
  readonly fetch?: typeof fetch;
}

/**
 * Sends the answer to a dispatch that was acknowledged with 202, signed like the dispatch but over the address that it
 * goes to. Each try is signed anew, since an arena takes one signature once.
 *
 * @returns when the arena has accepted it
 * @throws ArenaError with the arena's own sentence when it has not
 */
export async function completeTask(options: CompleteTaskOptions): Promise<void> {
  const { url, key, taskId, output, promptTokens, completionTokens, modelId, retryMs = 0, signal } = options;
  const { unixSeconds = () => Date.now() / 1000 } = options;
  const { origin, pathname, search } = new URL(url);
  const completion: CompletionBody = {
    taskId,
    output,
    promptTokens,
    completionTokens,
    ...(modelId === undefined ? {} : { modelId }),
  };
  const text = JSON.stringify(completion);
  const giveUpAt = performance.now() + retryMs;
  const backoff = createBackoff(250, 5_000);
  for (;;) {
    const timestamp = Math.floor(unixSeconds());
    const headers = {
      [EDGEARENA_TIMESTAMP_HEADER]: String(timestamp),
      [EDGEARENA_SIGNATURE_HEADER]: signEdgearena({ key, url, timestamp, body: text }),
    };
    try {
      await requestArena({
        baseUrl: origin,
        path: pathname + search,
        method: "POST",
        headers,
        text,
        signal,
        fetch: options.fetch,
      });
      return;
    } catch (error) {
      const pauseMs = backoff.next();
      if (!isBlip(error) || performance.now() + pauseMs > giveUpAt) throw error;
      await delay(pauseMs, undefined, { signal });
    }
  }
}

/** An arena that refuses has decided; one that cannot be reached, or is busy, may take it a moment later. */
function isBlip(error: unknown): boolean {
  return error instanceof ArenaError && ["unreachable", "timeout", "busy", "unavailable"].includes(error.kind);
}
