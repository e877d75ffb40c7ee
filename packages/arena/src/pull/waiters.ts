/** A poll that waits for a wake-up. */
export interface Waiter {
  /** Resolves at the next wake-up, at once if there was one since the last call, or after `ms`. */
  next(ms: number): Promise<void>;
  /** Whether there was a wake-up since the last call of this or of `next`. */
  takeWakeUp(): boolean;
  /** The caller is gone or the server stops. */
  readonly ended: boolean;
  end(): void;
  remove(): void;
}

/**
 * The parked polls of this node, by agent. A parked poll is an entry in a map and a timer: no database connection, no
 * transaction, no query until something wakes it.
 */
export class Waiters {
  #byAgent = new Map<number, Set<WaiterState>>();
  #stopped = false;

  get count(): number {
    let count = 0;
    for (const set of this.#byAgent.values()) count += set.size;
    return count;
  }

  has(agentId: number): boolean {
    return this.#byAgent.has(agentId);
  }

  /** The agents of which a poll is parked here. */
  agentIds(): number[] {
    return [...this.#byAgent.keys()];
  }

  add(agentId: number): Waiter {
    const waiter = new WaiterState(() => {
      set.delete(waiter);
      if (set.size === 0 && this.#byAgent.get(agentId) === set) this.#byAgent.delete(agentId);
    });
    const set = this.#byAgent.get(agentId) ?? new Set();
    this.#byAgent.set(agentId, set.add(waiter));
    if (this.#stopped) waiter.end();
    return waiter;
  }

  /** Wakes the polls of one agent, or of all. */
  wake(agentId: number | undefined): void {
    const sets = agentId === undefined ? this.#byAgent.values() : [this.#byAgent.get(agentId) ?? []];
    for (const set of sets) for (const waiter of set) waiter.wake();
  }

  /** Ends every poll, those to come included: the server is stopping. */
  stop(): void {
    this.#stopped = true;
    for (const set of this.#byAgent.values()) for (const waiter of set) waiter.end();
  }
}

class WaiterState implements Waiter {
  ended = false;
  #woken = false;
  #resolve: (() => void) | undefined;
  #onRemove: () => void;

  constructor(onRemove: () => void) {
    this.#onRemove = onRemove;
  }

  next(ms: number): Promise<void> {
    if (this.#woken || this.ended) {
      this.#woken = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#resolve?.(), ms);
      this.#resolve = () => {
        clearTimeout(timer);
        this.#resolve = undefined;
        this.#woken = false;
        resolve();
      };
    });
  }

  takeWakeUp(): boolean {
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }

  wake(): void {
    this.#woken = true;
    this.#resolve?.();
  }

  end(): void {
    this.ended = true;
    this.#resolve?.();
  }

  remove(): void {
    this.#onRemove();
  }
}
