export interface Batcher<Item, Result> {
  /** Adds one item; resolves with its own result, rejects with its own error. */
  add(item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects what arrives within one turn of the event loop, and all that arrives while the statements before it are still
 * on their way, into one call of `run`. Under load the batches grow by themselves and the cost of a statement is shared;
 * at rest an item waits for no timer.
 *
 * `run` gets the items and returns their results in the same order. When it throws, each item is run again by itself, so
 * that only the culprit fails. Items with the same key never share a batch.
 */
export function createBatcher<Item, Result>(options: {
  run: (items: Item[]) => Promise<Result[]>;
  keyOf: (item: Item) => string | number;
  /** Rows per statement. Beyond some 64 a statement gets longer, not cheaper per row. */
  maxItems?: number;
  /** Statements under way at once. */
  maxRunning?: number;
}): Batcher<Item, Result> {
  const { run, keyOf, maxItems = 64, maxRunning = 2 } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let scheduled = false;

  function schedule() {
    if (scheduled || running >= maxRunning || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (running < maxRunning && waiting.length > 0) void flush(take());
    });
  }

  function take(): Waiting<Item, Result>[] {
    const keys = new Set<string | number>();
    const taken: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    for (const each of waiting) {
      const key = keyOf(each.item);
      if (taken.length < maxItems && !keys.has(key)) {
        keys.add(key);
        taken.push(each);
      } else left.push(each);
    }
    waiting = left;
    return taken;
  }

  async function flush(batch: Waiting<Item, Result>[]) {
    running += 1;
    try {
      const results = await run(batch.map((each) => each.item));
      batch.forEach((each, index) => {
        each.resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error);
      else await runOneByOne(batch);
    } finally {
      running -= 1;
      schedule();
    }
  }

  async function runOneByOne(batch: Waiting<Item, Result>[]) {
    for (const each of batch) {
      try {
        each.resolve((await run([each.item]))[0] as Result);
      } catch (error) {
        each.reject(error);
      }
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
