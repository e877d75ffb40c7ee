export interface Batcher<Item, Result> {
  /** Adds one item; resolves with its own result, rejects with its own error. */
  add(item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** A statement under way for longer waits for a lock, or for a server that others keep busy. */
const PATIENCE_MS = 50;
/** A statement is made up in memory, here and at the server. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Collects what arrives within one turn of the event loop, and all that arrives while the statement before it is still on
 * its way, into one call of `run`. Under load the batches grow by themselves and the cost of a statement is shared; at
 * rest an item waits for no timer.
 *
 * A second statement begins beside the first only with a full batch, or when the first is slow, which means that it waits
 * for somebody's lock: two half-full statements cost more than a full one.
 *
 * `run` gets the items and returns their results in the same order. When it throws, its two halves are run again by
 * themselves, and so on, so that only the culprit fails. Items with the same key never share a batch.
 */
export function createBatcher<Item, Result>(options: {
  run: (items: Item[]) => Promise<Result[]>;
  keyOf: (item: Item) => string | number;
  /** Bytes that an item adds to its statement, about, where that can be many. */
  sizeOf?: (item: Item) => number;
  /** Rows per statement. Beyond some 256 a statement gets longer, not cheaper per row. */
  maxItems?: number;
  /** Statements under way at once. */
  maxRunning?: number;
}): Batcher<Item, Result> {
  const { run, keyOf, sizeOf = () => 0, maxItems = 256, maxRunning = 2 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let slow = 0;
  let scheduled = false;

  const mayRun = () =>
    waiting.length > 0 && running < maxRunning && (running === 0 || running === slow || waiting.length >= maxItems);

  function schedule() {
    if (scheduled || !mayRun()) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (mayRun()) void flush(take());
    });
  }

  function take(): Waiting<Item, Result>[] {
    const keys = new Set<string | number>();
    const taken: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    let bytes = 0;
    for (const each of waiting) {
      const key = keyOf(each.item);
      bytes += sizeOf(each.item);
      if (taken.length < maxItems && !keys.has(key) && (bytes <= MAX_BYTES || taken.length === 0)) {
        taken.push(each);
      } else left.push(each);
      keys.add(key);
    }
    waiting = left;
    return taken;
  }

  async function flush(batch: Waiting<Item, Result>[]) {
    running += 1;
    let isSlow = false;
    const patience = setTimeout(() => {
      isSlow = true;
      slow += 1;
      schedule();
    }, PATIENCE_MS);
    await settle(batch);
    clearTimeout(patience);
    if (isSlow) slow -= 1;
    running -= 1;
    schedule();
  }

  async function settle(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map((each) => each.item));
      batch.forEach((each, index) => {
        each.resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length === 1) return batch[0]?.reject(error);
      const middle = batch.length >> 1;
      await settle(batch.slice(0, middle));
      await settle(batch.slice(middle));
    }
  }

  return {
    add(item) {
      return new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        schedule();
      });
    },
  };
}
