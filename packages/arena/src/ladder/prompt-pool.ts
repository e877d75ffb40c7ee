import type { Db, Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";

const POOL: Statement = {
  name: "prompt-pool",
  text: `select id, answers from prompts
where kind = 'main' and retired_at is null and closed_at is null order by id`,
};
const SEEN: Statement = {
  name: "prompts-seen",
  text: `select agent_id, prompt_id from assignments where agent_id = any($1::int[])`,
};

/** How old the counts may get before the pool is read again, for answers that other nodes took. */
const STALE_MS = 5_000;
/** Agents whose seen prompts are remembered; at 10,000 prompts one takes 1.25 KB. */
const AGENTS_REMEMBERED = 20_000;

/**
 * A node's memory of the main pool: how many valid answers each open prompt has, and which prompts an agent was given.
 * It only proposes. Whether a prompt may really be given is decided by the statement that queues it, so a memory that
 * another node made stale costs one more try, never a prompt given twice. Searching in SQL instead would walk over all
 * that an agent has seen, for each task.
 */
export class PromptPool {
  #db: Db;
  #clock: Clock;
  /** Position of each prompt in the agents' bit sets; never reused, so an old set stays right. */
  #slots = new Map<number, number>();
  /** Open prompts with their counts of valid answers. */
  #answers = new Map<number, number>();
  /** Those with exactly one, and those with none, each in the order in which they are proposed next. */
  #withOne = new Set<number>();
  #fresh = new Set<number>();
  #rest = new Set<number>();
  #seen = new Map<number, Uint8Array>();
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Makes the next `prepare` read the pool again: prompts were added, closed or retired. */
  invalidate(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  /** Open prompts that nobody has answered yet. */
  get freshCount(): number {
    return this.#fresh.size;
  }

  /** Notes answers that this node's judging pass counted, so that partners are proposed without waiting for a read. */
  countAnswers(promptId: number, more: number): void {
    const answers = this.#answers.get(promptId);
    if (answers !== undefined) this.#place(promptId, answers + more);
  }

  /** Reads what is missing: the pool if it is stale, the seen prompts of agents not remembered. */
  async prepare(agentIds: readonly number[]): Promise<void> {
    if (this.#clock.now() - this.#readAt > STALE_MS) {
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    }
    const unknown = agentIds.filter((id) => !this.#seen.has(id));
    if (unknown.length === 0) return;
    const rows = await this.#db.run<{ agent_id: number; prompt_id: number }>(SEEN, [unknown]);
    for (const id of unknown) this.#remember(id);
    for (const row of rows) this.markSeen(row.agent_id, row.prompt_id);
  }

  /** Forgets what an agent has seen, after another node has given it something. */
  forget(agentId: number): void {
    this.#seen.delete(agentId);
  }

  /** Notes a prompt that an agent was given, if the agent is remembered; one that is not is read whole when needed. */
  markSeen(agentId: number, promptId: number): void {
    const slot = this.#slotOf(promptId);
    let bits = this.#seen.get(agentId);
    if (bits === undefined) return;
    if (slot >> 3 >= bits.length) {
      const wider = new Uint8Array(Math.max(16, (slot >> 3) + 1) * 2);
      wider.set(bits);
      bits = wider;
      this.#seen.set(agentId, bits);
    }
    bits[slot >> 3] = (bits[slot >> 3] as number) | (1 << (slot & 7));
  }

  /**
   * The next prompt for an agent, not seen before: first those that exactly one other agent has answered, so that a
   * battle forms; then those that nobody has; then the rest. A proposed prompt moves to the end of its line, or agents
   * that come at the same time would all get the same one.
   */
  propose(agentId: number): number | undefined {
    const bits = this.#seen.get(agentId);
    for (const line of [this.#withOne, this.#fresh, this.#rest]) {
      for (const promptId of line) {
        const slot = this.#slotOf(promptId);
        if (bits !== undefined && ((bits[slot >> 3] ?? 0) >> (slot & 7)) & 1) continue;
        line.delete(promptId);
        line.add(promptId);
        return promptId;
      }
    }
    return undefined;
  }

  async #read(): Promise<void> {
    const startedAt = this.#clock.now();
    const rows = await this.#db.run<{ id: number; answers: number }>(POOL, []);
    const open = new Set(rows.map((row) => row.id));
    for (const id of this.#answers.keys()) if (!open.has(id)) this.#drop(id);
    for (const row of rows) if (this.#answers.get(row.id) !== row.answers) this.#place(row.id, row.answers);
    this.#readAt = startedAt;
  }

  #place(promptId: number, answers: number): void {
    const before = this.#answers.get(promptId);
    this.#answers.set(promptId, answers);
    const line = this.#lineFor(answers);
    if (before !== undefined && this.#lineFor(before) === line) return;
    if (before !== undefined) this.#lineFor(before).delete(promptId);
    line.add(promptId);
  }

  #drop(promptId: number): void {
    this.#lineFor(this.#answers.get(promptId) ?? 0).delete(promptId);
    this.#answers.delete(promptId);
  }

  #lineFor(answers: number): Set<number> {
    return answers === 1 ? this.#withOne : answers === 0 ? this.#fresh : this.#rest;
  }

  #slotOf(promptId: number): number {
    let slot = this.#slots.get(promptId);
    if (slot === undefined) {
      slot = this.#slots.size;
      this.#slots.set(promptId, slot);
    }
    return slot;
  }

  #remember(agentId: number): void {
    this.#seen.set(agentId, new Uint8Array(Math.max(16, (this.#slots.size >> 3) + 1)));
    if (this.#seen.size > AGENTS_REMEMBERED) {
      const oldest = this.#seen.keys().next().value;
      if (oldest !== undefined) this.#seen.delete(oldest);
    }
  }
}
