import type { Logger } from "pino";
import { createBatcher } from "../db/batch.ts";
import { type Database, violatedConstraint } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { type NextTask, queueLadderTasks } from "../tasks/task-inserts.ts";
import { completeGym, nextGymPrompts } from "./gym.ts";
import type { PromptPool } from "./prompt-pool.ts";

interface Wanted {
  agentId: number;
  gymComplete: boolean;
}

export interface LadderNext {
  /** Chooses a prompt for each agent that there is one for. Memory only proposes: the statement that uses it decides. */
  propose(wanted: readonly Wanted[]): Promise<NextTask[]>;
  /** Is told what became of a proposal. */
  settleProposal(task: NextTask, taken: boolean): void;
  /**
   * Queues the agent's next ladder task, if there is one for it. Resolves to `"look"` when the agent may have a task
   * queued now: this call made it, or lost to another that did (or that gave the agent the same prompt, so that asking
   * again is worth while); to `"none"` when there is nothing for it.
   */
  make(agent: Wanted): Promise<"look" | "none">;
  /** Queues the next main task of an agent that has just been given one, beside whatever the caller does. */
  makeAhead(agentId: number): void;
  /** Resolves when all that was begun by `makeAhead` is done. */
  settle(): Promise<void>;
}

/** Decides which prompt an agent gets next, gym first, and queues it. */
export function createLadderNext(options: {
  db: Database;
  pool: PromptPool;
  clock: Clock;
  deadlineSeconds: number;
  /** Told at once of each agent that has a new queued task. */
  onQueued: (agentId: number) => void;
  log: Pick<Logger, "warn">;
}): LadderNext {
  const { db, pool, clock, deadlineSeconds, onQueued, log } = options;
  const ahead = new Set<Promise<void>>();

  async function chooseGym(wanted: readonly Wanted[], chosen: NextTask[]): Promise<Wanted[]> {
    const inGym = wanted.filter((each) => !each.gymComplete);
    if (inGym.length === 0) return [...wanted];
    const next = await nextGymPrompts(
      db,
      inGym.map((each) => each.agentId),
    );
    const done: number[] = [];
    for (const { agentId } of inGym) {
      const gym = next.get(agentId);
      if (gym?.promptId !== undefined) chosen.push({ agentId, kind: "gym", promptId: gym.promptId });
      else if (gym === undefined || gym.left === 0) done.push(agentId);
    }
    // An arena without gym prompts lets everybody through; one whose last answer is in has them through already.
    if (done.length > 0) await completeGym(db, done, clock.now());
    const past = new Set(done);
    return wanted.filter((each) => each.gymComplete || past.has(each.agentId));
  }

  async function propose(wanted: readonly Wanted[]): Promise<NextTask[]> {
    const chosen: NextTask[] = [];
    const ready = await chooseGym(wanted, chosen);
    await pool.prepare(ready.map((each) => each.agentId));
    for (const { agentId } of ready) {
      const promptId = pool.propose(agentId);
      if (promptId !== undefined) chosen.push({ agentId, kind: "main", promptId });
    }
    return chosen;
  }

  function settleProposal({ agentId, kind, promptId }: NextTask, taken: boolean): void {
    // Refused: another call was faster. If it was another node's, this one's memory of the agent is no longer right.
    if (!taken) pool.forget(agentId);
    else if (kind === "main") pool.markSeen(agentId, promptId);
  }

  async function queueNext(wanted: readonly Wanted[]): Promise<("look" | "none")[]> {
    const chosen = await propose(wanted);
    if (chosen.length === 0) return wanted.map(() => "none");
    const made = await queueLadderTasks(db, clock, chosen, deadlineSeconds);
    for (const task of chosen) {
      settleProposal(task, made.has(task.agentId));
      if (made.has(task.agentId)) onQueued(task.agentId);
    }
    const withChoice = new Set(chosen.map((task) => task.agentId));
    return wanted.map(({ agentId }) => (withChoice.has(agentId) ? "look" : "none"));
  }

  const batcher = createBatcher<Wanted, "look" | "none">({
    keyOf: (each) => each.agentId,
    async run(wanted) {
      try {
        return await queueNext(wanted);
      } catch (error) {
        // Two nodes gave one agent the same prompt in the same moment. In a batch the batcher tries each by itself.
        if (wanted.length > 1 || violatedConstraint(error) === undefined) throw error;
        pool.forget((wanted[0] as Wanted).agentId);
        return ["look"];
      }
    },
  });
  async function makeOneAhead(agentId: number): Promise<void> {
    try {
      await batcher.add({ agentId, gymComplete: true });
    } catch (error) {
      log.warn({ err: error, agent: agentId }, "no task was made ahead; the agent's next look makes it");
    }
  }

  return {
    propose,
    settleProposal,
    make: (agent) => batcher.add(agent),
    makeAhead(agentId) {
      const making = makeOneAhead(agentId).finally(() => ahead.delete(making));
      ahead.add(making);
    },
    settle: async () => void (await Promise.all(ahead)),
  };
}
