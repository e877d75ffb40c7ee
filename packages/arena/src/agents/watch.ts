import { type ProbeFetch, type ProbeStep, probeLiveness } from "@agon/probes";
import { cleanText } from "@agon/protocol";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import type { Clock, Random } from "../ports.ts";
import { claimProbes, type DueProbe, insertHealthCheck } from "./health-queries.ts";
import type { AgentStatus, StatusEvent } from "./status.ts";
import { type Cadence, changeStatuses } from "./status-queries.ts";

export interface WatchOptions {
  db: Database;
  clock: Clock;
  random: Random;
  log: Logger;
  fetch: ProbeFetch;
  settings: Cadence & { healthSeconds: number; verifySeconds: number };
  /** An agent may be served now that was not before, or the other way round. */
  onStatus: (agentId: number) => void;
}

export interface Watch {
  /** Begins the health pings that are due; resolves to whether there are more. */
  step(): Promise<boolean>;
  /** The owner's one-shot. A success brings a suspended agent back on probation; a failure shows and does not count. */
  verify(agent: { agentId: number; url: string }): Promise<{ check: ProbeStep; status: AgentStatus | undefined }>;
  /** Resolves when the pings that have begun have ended. */
  settle(): Promise<void>;
}

/** More at once would be no faster for an endpoint, and each holds a socket. */
const IN_FLIGHT = 256;
const PER_PASS = 64;

/** Asks each edgearena-v1 agent at its cadence whether it is there. */
export function createWatch(options: WatchOptions): Watch {
  const { db, clock, random, log, settings } = options;
  const context = { random, settings };
  const underWay = new Set<Promise<void>>();
  const ports = { fetch: options.fetch, newId: () => random.uuid(), now: () => clock.now() };

  async function check(
    probe: { agentId: number; url: string },
    kind: "health" | "verify",
    toEvent: (ok: boolean, begunAt: number) => StatusEvent | undefined,
  ) {
    const begunAt = clock.now();
    const deadlineMs = (kind === "health" ? settings.healthSeconds : settings.verifySeconds) * 1000;
    const step = await probeLiveness(ports, { url: probe.url, kind, deadlineMs });
    const { agentId } = probe;
    const detail = cleanText(step.advice === null ? step.detail : `${step.detail} ${step.advice}`);
    const status = await db.transaction(async (tx) => {
      // What kept us from asking says nothing about the agent.
      const event = step.errorCode === "arena" ? undefined : toEvent(step.ok, begunAt);
      const cause = kind === "verify" ? "verified" : step.ok ? "health_ok" : "health_failed";
      const changes = event === undefined ? [] : [{ agentId, event, cause, detail }];
      const statuses = await changeStatuses(tx, context, clock.now(), changes);
      await insertHealthCheck(tx, {
        agentId,
        kind,
        at: begunAt,
        ok: step.ok,
        httpStatus: step.received?.status,
        latencyMs: step.latencyMs ?? 0,
        detail,
      });
      return statuses.get(agentId);
    });
    options.onStatus(agentId);
    return { check: step, status };
  }

  async function ping(due: DueProbe): Promise<void> {
    try {
      await check(due, "health", (ok, begunAt) => ({ type: "outcome", ok, begunAt }));
    } catch (error) {
      log.error({ err: error, agent: due.agentId }, "a health ping failed through a fault of ours");
    }
  }

  return {
    async step() {
      const limit = Math.min(PER_PASS, IN_FLIGHT - underWay.size);
      if (limit <= 0) return false;
      const { due, taken } = await claimProbes(db, clock.now(), limit, settings);
      for (const each of due) {
        const pinging: Promise<void> = ping(each).finally(() => underWay.delete(pinging));
        underWay.add(pinging);
      }
      return taken === limit;
    },
    verify: (agent) => check(agent, "verify", (ok) => (ok ? { type: "verified" } : undefined)),
    settle: async () => void (await Promise.all(underWay)),
  };
}
