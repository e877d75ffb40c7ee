import { PING_CATEGORY, PING_PROMPT_ID, ProblemError } from "@agon/protocol";
import { findAgent, notePing } from "../agents/agent-queries.ts";
import type { ProbeLimits } from "../agents/probe-limits.ts";
import { resetTurns } from "../agents/push-turns.ts";
import type { Database } from "../db/database.ts";
import type { Vault } from "../db/secrets.ts";
import type { Clock, Random } from "../ports.ts";
import type { DeliveryLog } from "./delivery-log.ts";
import type { Outbound } from "./outbound.ts";
import { buildTesseraxRequest, judgeTesseraxPing } from "./tesserax-push.ts";

export interface PingerOptions {
  db: Database;
  clock: Clock;
  random: Random;
  vault: Vault;
  outbound: Outbound;
  deliveries: DeliveryLog;
  probeLimits: ProbeLimits;
  settings: { pingSeconds: number; pushResponseMaxBytes: number };
}

export interface Pinger {
  /**
   * Pings an agent's webhook and notes the result: the agent is active when the endpoint answered.
   *
   * @returns why it did not, undefined when it did
   * @throws ProblemError `rate_limited` when the account or the host has had its share
   */
  ping(agentId: number): Promise<string | undefined>;
}

const EXCERPT_MAX_BYTES = 64 * 1024;

/** The ping of the tesserax dialect: a signed POST like any other, with a prompt that is none. */
export function createPinger(options: PingerOptions): Pinger {
  const { db, clock, random, vault, outbound, settings } = options;
  return {
    async ping(agentId) {
      const agent = await findAgent(db, agentId);
      if (agent?.url == null) throw new ProblemError("conflict", "this agent has no URL to ping");
      const { url } = agent;
      return options.probeLimits.run(agent.accountId, url, async () => {
        const request = buildTesseraxRequest({
          payload: {
            prompt_id: PING_PROMPT_ID,
            prompt: "ping",
            category: PING_CATEGORY,
            deadline_seconds: settings.pingSeconds,
          },
          secret: vault.open(agent.secretSealed),
          id: `ping-${random.uuid()}`,
          timestamp: Math.floor(clock.now() / 1000),
        });
        const result = await outbound.exchange({
          url,
          method: "POST",
          ...request,
          deadlineMs: settings.pingSeconds * 1000,
          maxResponseBytes: Math.min(settings.pushResponseMaxBytes, EXCERPT_MAX_BYTES),
        });
        const verdict = judgeTesseraxPing(result);
        const failure = verdict.outcome === "reached" ? undefined : `${verdict.detail} ${verdict.advice}`;
        await options.deliveries.add({
          agentId,
          taskId: undefined,
          purpose: "ping",
          url,
          requestHeaders: request.headers,
          requestBody: request.body,
          result,
          verdict: verdict.outcome === "reached" ? { detail: "The endpoint answered." } : verdict,
        });
        // A fault of ours says nothing about the endpoint; it keeps the state it had.
        if (verdict.outcome === "failed" && verdict.cause === "arena") return failure;
        await notePing(db, agentId, url, failure ?? null);
        if (failure === undefined) await resetTurns(db, { agentId }, clock.now());
        return failure;
      });
    },
  };
}
