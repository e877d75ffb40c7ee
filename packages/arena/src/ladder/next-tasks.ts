import { createBatcher } from "../db/batch.ts";
import { type Database, violatedConstraint } from "../db/database.ts";
import type { Clock, Random } from "../ports.ts";
import { type NextTask, queueLadderTasks } from "../tasks/task-inserts.ts";
import { completeGym, nextGymPrompts } from "./gym.ts";
import type { PromptPool } from "./prompt-pool.ts";

export interface LadderNext {
  /** Queues the agent's next ladder task, if there is one for it. Resolves to whether the agent has a new task. */
  make(agent: { agentId: number; gymComplete: boolean }): Promise<boolean>;
}

interface Wanted {
  agentId: number;
  gymComplete: boolean;
}

/** Tries per call: each lost one means that another node gave the agent a prompt in the same moment. */
const TRIES = 3;

/** Decides which prompt an agent gets next, gym first, and queues it. */
export function createLadderNext(options: {
  db: Database;
  pool: PromptPool;
  ports: { clock: Clock; random: Random };
  deadlineSeconds: number;
}): LadderNext {
  const { db, pool, ports, deadlineSeconds } = options;

  async function chooseGym(wanted: readonly Wanted[], chosen: NextTask[]): Promise<Wanted[]> {
    const inGym = wanted.filter((each) => !each.gymComplete);
    if (inGym.length === 0) return [...wanted];
    const next = await nextGymPrompts(db, inGym.map((each) => each.agentId));
    const done: number[] = [];
    for (const { agentId } of inGym) {
      const gym = next.get(agentId);
      if (gym?.promptId !== undefined) chosen.push({ agentId, kind: "gym", promptId: gym.promptId });
      else if (gym === undefined || gym.left === 0) done.push(agentId);
    }
    // An arena without gym prompts lets everybody through; one whose last answer is in has them through already.
    if (done.length > 0) await completeGym(db, done, ports.clock.now());
    const past = new Set(done);
    return wanted.filter((each) => each.gymComplete || past.has(each.agentId));
  }

  async function queueOnce(wanted: readonly Wanted[]): Promise<Map<number, "made" | "lost" | "none">> {
    const chosen: NextTask[] = [];
    const ready = await chooseGym(wanted, chosen);
    await pool.prepare(ready.map((each) => each.agentId));
    for (const { agentId } of ready) {
      const promptId = pool.propose(agentId);
      if (promptId !== undefined) chosen.push({ agentId, kind: "main", promptId });
    }
    const outcome = new Map<number, "made" | "lost" | "none">(wanted.map((each) => [each.agentId, "none"]));
    if (chosen.length === 0) return outcome;
    const made = await queueLadderTasks(db, ports, chosen, deadlineSeconds);
    for (const task of chosen) {
      outcome.set(task.agentId, made.has(task.agentId) ? "made" : "lost");
      if (task.kind === "main" && made.has(task.agentId)) pool.markSeen(task.agentId, task.promptId);
      else if (task.kind === "main") pool.forget(task.agentId);
    }
    return outcome;
  }

  const batcher = createBatcher<Wanted, boolean>({
    keyOf: (each) => each.agentId,
    async run(wanted) {
      const made = new Set<number>();
      let open = wanted;
      for (let attempt = 0; attempt < TRIES && open.length > 0; attempt += 1) {
        try {
          const outcome = await queueOnce(open);
          for (const [agentId, how] of outcome) if (how === "made") made.add(agentId);
          open = open.filter((each) => outcome.get(each.agentId) === "lost");
        } catch (error) {
          if (violatedConstraint(error) === undefined || open.length > 1) throw error;
          for (const each of open) pool.forget(each.agentId);
        }
      }
      return wanted.map((each) => made.has(each.agentId));
    },
  });
  return { make: (agent) => batcher.add(agent) };
}
