import { PING_CATEGORY, PING_PROMPT_ID, ProblemError } from "@agon/protocol";
import { findAgent, updateAgent } from "../agents/agent-queries.ts";
import type { Database } from "../db/database.ts";
import type { Vault } from "../db/secrets.ts";
import { spendLimit } from "../http/limits.ts";
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
  settings: { pingSeconds: number; pushResponseMaxBytes: number; probesPerMinute: number; probesPerHostHour: number };
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
  const inFlight = new Set<number>();

  return {
    async ping(agentId) {
      const agent = await findAgent(db, agentId);
      if (agent?.url == null) throw new ProblemError("conflict", "this agent has no URL to ping");
      if (inFlight.has(agent.accountId)) {
        throw new ProblemError("rate_limited", "a ping of your account is under way; wait for its end");
      }
      inFlight.add(agent.accountId);
      try {
        await spendProbe(agent.accountId, new URL(agent.url).host);
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
          url: agent.url,
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
          url: agent.url,
          requestHeaders: request.headers,
          requestBody: request.body,
          result,
          verdict: verdict.outcome === "reached" ? { detail: "The endpoint answered." } : verdict,
        });
        // A fault of ours says nothing about the endpoint; it keeps the state it had.
        if (verdict.outcome === "failed" && verdict.cause === "arena") return failure;
        await updateAgent(db, agentId, { pingError: failure ?? null });
        return failure;
      } finally {
        inFlight.delete(agent.accountId);
      }
    },
  };

  async function spendProbe(accountId: number, host: string): Promise<void> {
    await spendLimit(db, clock, {
      key: `probe account ${accountId}`,
      most: settings.probesPerMinute,
      windowSeconds: 60,
      what: "pings of one account in a minute",
    });
    await spendLimit(db, clock, {
      key: `probe host ${host}`,
      most: settings.probesPerHostHour,
      windowSeconds: 3600,
      what: "pings to one host in an hour",
    });
  }
}
