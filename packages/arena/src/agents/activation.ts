import { setTimeout as sleep } from "node:timers/promises";
import { type ProbeFetch, type ProbeStep, runActivation } from "@agon/probes";
import type { Logger } from "pino";
import type { Database } from "../db/database.ts";
import type { Vault } from "../db/secrets.ts";
import type { Clock, Random } from "../ports.ts";
import { type ActivationRow, beginActivation, findActivation, saveActivation } from "./activation-queries.ts";
import type { AgentRow } from "./agent-queries.ts";
import type { ProbeLimits } from "./probe-limits.ts";
import { changeStatuses, lockRevision, type StatusContext } from "./status-queries.ts";

export interface ActivationOptions {
  db: Database;
  clock: Clock;
  random: Random;
  log: Logger;
  vault: Vault;
  fetch: ProbeFetch;
  probeLimits: ProbeLimits;
  statusContext: StatusContext;
  completeUrl: (taskUuid: string) => string;
}

export interface Activations {
  /**
   * Begins an activation, or joins the one under way, on whichever node it is.
   *
   * @param waitMs how long to wait for its end
   * @throws ProblemError `rate_limited` when the account or the host has had its share
   */
  activate(agent: AgentRow, waitMs: number): Promise<ActivationRow>;
  /** Hears of each step of this node's passes; the row has it already. Returns the way to stop listening. */
  onStep(agentId: number, listener: () => void): () => void;
  /** Calls off what is under way; an activation that is asked for again goes on from there. */
  stop(): Promise<void>;
}

const ALIVE_MS = 10_000;
/** How often a caller that joined another node's pass looks at it. */
const JOINED_LOOK_MS = 500;

/** Runs the steps that show whether an edgearena-v1 agent works, and lets it in when all of them pass. */
export function createActivations(options: ActivationOptions): Activations {
  const { db, clock, random, log } = options;
  const ending = new AbortController();
  const here = new Map<number, Promise<void>>();
  const listeners = new Map<number, Set<() => void>>();
  const tell = (agentId: number) => {
    for (const listener of listeners.get(agentId) ?? []) listener();
  };

  /** One pass to its end, whatever that is; never rejects. */
  async function carryOut(agent: AgentRow, pass: Pass, earlier: readonly ProbeStep[]): Promise<void> {
    const alive = setInterval(() => void saveActivation(db, pass, clock.now()).catch(() => {}), ALIVE_MS);
    let saving = Promise.resolve();
    const onStep = (steps: readonly ProbeStep[]) => {
      const soFar = [...steps];
      saving = saving.then(() => saveActivation(db, pass, clock.now(), { steps: soFar })).then(() => tell(agent.id));
    };
    try {
      const { fetch, completeUrl } = options;
      const ports = { fetch, newId: () => random.uuid(), now: () => clock.now(), signal: ending.signal };
      const report = await runActivation(ports, {
        url: agent.url as string,
        key: options.vault.open(agent.secretSealed),
        roles: agent.roles,
        earlier,
        completeUrl,
        onStep: (_step, { steps }) => onStep(steps),
      });
      await saving;
      await conclude(pass, report.ok);
    } catch (error) {
      if (!ending.signal.aborted) log.error({ err: error, agent: agent.id }, "an activation broke off");
      await saving.catch(() => {});
      await saveActivation(db, pass, clock.now(), { state: "failed" }).catch(() => {});
    } finally {
      clearInterval(alive);
      tell(agent.id);
    }
  }

  /** A pass counts only for what it began with, so the revision is compared under the lock of the agent's row. */
  async function conclude(pass: Pass, ok: boolean): Promise<void> {
    await db.transaction(async (tx) => {
      const now = clock.now();
      const revision = await lockRevision(tx, pass.agentId);
      const saved = await saveActivation(tx, pass, now, { state: ok ? "passed" : "failed" });
      if (!saved || !ok || revision !== pass.revision) return;
      const detail = "All steps of the activation passed.";
      const event = { type: "activated" } as const;
      await changeStatuses(tx, options.statusContext, now, [
        { agentId: pass.agentId, event, cause: event.type, detail },
      ]);
    });
  }

  async function waitForEnd(agentId: number, waitMs: number): Promise<ActivationRow> {
    // Real time: it is a caller who waits.
    const until = performance.now() + waitMs;
    for (;;) {
      const row = (await findActivation(db, agentId)) as ActivationRow;
      const left = until - performance.now();
      if (row.state !== "running" || left <= 0 || ending.signal.aborted) return row;
      const pass = here.get(agentId);
      await (pass === undefined ? sleep(Math.min(left, JOINED_LOOK_MS)) : endOf(pass, left));
    }
  }

  return {
    async activate(agent, waitMs) {
      if (!here.has(agent.id)) {
        const begun = Promise.withResolvers<void>();
        const whole = options.probeLimits.run(agent.accountId, agent.url as string, async () => {
          const pass = { agentId: agent.id, id: random.uuid(), revision: agent.revision };
          const earlier = await beginActivation(db, pass, clock.now());
          begun.resolve();
          if (earlier !== undefined) await carryOut(agent, pass, earlier);
        });
        const ended = whole.then(nothing, nothing).finally(() => here.delete(agent.id));
        here.set(agent.id, ended);
        // A refusal comes before it has begun, and is this caller's.
        await Promise.race([begun.promise, whole]);
      }
      return waitForEnd(agent.id, waitMs);
    },
    onStep(agentId, listener) {
      const all = listeners.get(agentId) ?? new Set();
      listeners.set(agentId, all.add(listener));
      return () => {
        all.delete(listener);
        if (all.size === 0 && listeners.get(agentId) === all) listeners.delete(agentId);
      };
    },
    async stop() {
      ending.abort(new Error("the node is stopping"));
      await Promise.allSettled(here.values());
    },
  };
}

interface Pass {
  agentId: number;
  id: string;
  revision: number;
}

const nothing = () => {};

/** Resolves when the pass ends or the time is up. */
async function endOf(pass: Promise<void>, ms: number): Promise<void> {
  const timer = new AbortController();
  await Promise.race([pass, sleep(ms, undefined, { signal: timer.signal }).catch(nothing)]);
  timer.abort();
}
