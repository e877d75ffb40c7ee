import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBatcher } from "../../src/db/batch.ts";

/** A `run` that waits until the test lets it go, and keeps what it was called with. */
function controlledRun<Item>(answer: (item: Item) => unknown = (item) => item) {
  const calls: Item[][] = [];
  const waiting: (() => void)[] = [];
  let running = 0;
  let most = 0;
  return {
    calls,
    get most() {
      return most;
    },
    run: async (items: Item[]) => {
      calls.push(items);
      running += 1;
      most = Math.max(most, running);
      await new Promise<void>((resolve) => waiting.push(resolve));
      running -= 1;
      return items.map(answer);
    },
    /** Lets the oldest call that waits end, and gives what follows from it the time to begin. */
    async next() {
      waiting.shift()?.();
      await turn();
    },
  };
}
const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe("a batcher", () => {
  it("runs what arrives within one turn of the event loop as one call, in the order of arrival", async () => {
    const calls: number[][] = [];
    const batcher = createBatcher<number, string>({
      keyOf: (item) => item,
      run: async (items) => {
        calls.push(items);
        return items.map((item) => `result ${item}`);
      },
    });
    const first = [3, 1, 2].map((item) => batcher.add(item));
    await Promise.resolve();
    const second = batcher.add(4);
    expect(await Promise.all([...first, second])).toEqual(["result 3", "result 1", "result 2", "result 4"]);
    expect(await batcher.add(5)).toBe("result 5");
    expect(calls).toEqual([[3, 1, 2, 4], [5]]);
  });

  it("gathers what arrives while a call is under way, and begins a second one with a full batch only", async () => {
    const control = controlledRun<number>();
    const batcher = createBatcher<number, unknown>({ keyOf: (item) => item, run: control.run, maxItems: 3 });
    const results: Promise<unknown>[] = [];
    for (const item of [1, 2, 3, 4, 5, 6, 7, 8]) {
      results.push(batcher.add(item));
      await turn();
      if (item === 3) expect(control.calls).toEqual([[1]]);
    }
    expect(control.calls).toEqual([[1], [2, 3, 4]]);
    await control.next();
    expect(control.calls).toEqual([[1], [2, 3, 4], [5, 6, 7]]);
    for (let call = 0; call < 3; call += 1) await control.next();
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(control.most).toBe(2);
  });

  it("does not keep what arrives waiting behind a call that is stuck", async () => {
    const stuck = Promise.withResolvers<void>();
    const batcher = createBatcher<string, string>({
      keyOf: (item) => item,
      run: async (items) => {
        if (items.includes("stuck")) await stuck.promise;
        return items;
      },
    });
    const first = batcher.add("stuck");
    await turn();
    expect(await Promise.all(["other", "another"].map((item) => batcher.add(item)))).toEqual(["other", "another"]);
    stuck.resolve();
    expect(await first).toBe("stuck");
  });

  it("puts no more bytes into one call than a statement should have, and keeps the order of a key", async () => {
    const control = controlledRun<{ key: string; megabytes: number }>();
    const batcher = createBatcher<{ key: string; megabytes: number }, unknown>({
      keyOf: ({ key }) => key,
      sizeOf: ({ megabytes }) => megabytes * 1024 * 1024,
      run: control.run,
      maxRunning: 1,
    });
    const items = [9, 2, 3, 0, 1].map((megabytes, place) => ({ key: "abccd"[place] as string, megabytes }));
    const results = items.map((item) => batcher.add(item));
    await turn();
    for (let call = 0; call < 4; call += 1) await control.next();
    expect(control.calls.map((call) => call.map(({ megabytes }) => megabytes))).toEqual([[9], [2], [3, 1], [0]]);
    expect(await Promise.all(results)).toEqual(items);
  });

  it("puts no more items into one call than it is told", async () => {
    const control = controlledRun<number>();
    const batcher = createBatcher<number, unknown>({
      keyOf: (item) => item,
      run: control.run,
      maxItems: 3,
      maxRunning: 1,
    });
    const results = [1, 2, 3, 4, 5, 6, 7].map((item) => batcher.add(item));
    await turn();
    for (let call = 0; call < 3; call += 1) await control.next();
    expect(control.calls).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it("never puts two items of one key into one call, and keeps their order", async () => {
    const control = controlledRun<{ key: string; number: number }>(({ number }) => number);
    const batcher = createBatcher<{ key: string; number: number }, unknown>({
      keyOf: ({ key }) => key,
      run: control.run,
      maxRunning: 1,
    });
    const results = ["a", "a", "b", "a", "b", "c"].map((key, number) => batcher.add({ key, number }));
    await turn();
    for (let call = 0; call < 3; call += 1) await control.next();
    expect(control.calls.map((items) => items.map(({ key, number }) => `${key}${number}`))).toEqual([
      ["a0", "b2", "c5"],
      ["a1", "b4"],
      ["a3"],
    ]);
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it("fails only the item that is at fault, and runs the others without it", async () => {
    const calls: number[][] = [];
    const fault = new Error("four is not welcome");
    const batcher = createBatcher<number, number>({
      keyOf: (item) => item,
      run: async (items) => {
        calls.push(items);
        if (items.includes(4)) throw fault;
        return items.map((item) => item * 10);
      },
    });
    const results = await Promise.allSettled([1, 4, 2].map((item) => batcher.add(item)));
    expect(results).toEqual([
      { status: "fulfilled", value: 10 },
      { status: "rejected", reason: fault },
      { status: "fulfilled", value: 20 },
    ]);
    expect(calls).toEqual([[1, 4, 2], [1], [4, 2], [4], [2]]);
    expect(await batcher.add(3)).toBe(30);
  });

  it("runs an item that fails alone only once", async () => {
    let calls = 0;
    const batcher = createBatcher<number, number>({
      keyOf: (item) => item,
      run: () => {
        calls += 1;
        throw new Error("thrown before any promise");
      },
    });
    await expect(batcher.add(1)).rejects.toThrow("thrown before any promise");
    expect(calls).toBe(1);
  });

  it("answers every item with its own result or its own error, whatever arrives when", async () => {
    const items = fc.record({
      key: fc.constantFrom("a", "b", "c", "d"),
      isBad: fc.boolean(),
      turnsBefore: fc.integer({ min: 0, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(items, { maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        async (plan, maxItems, maxRunning) => {
          const done: number[] = [];
          let running = 0;
          const batcher = createBatcher<(typeof plan)[number] & { number: number }, string>({
            keyOf: ({ key }) => key,
            maxItems,
            maxRunning,
            async run(batch) {
              running += 1;
              expect(running).toBeLessThanOrEqual(maxRunning);
              expect(batch.length).toBeLessThanOrEqual(maxItems);
              expect(new Set(batch.map(({ key }) => key)).size).toBe(batch.length);
              await Promise.resolve();
              running -= 1;
              if (batch.some(({ isBad }) => isBad)) throw new Error(batch.map(({ number }) => number).join());
              done.push(...batch.map(({ number }) => number));
              return batch.map(({ number }) => `result ${number}`);
            },
          });
          const results: Promise<PromiseSettledResult<string>[]>[] = [];
          for (const [number, item] of plan.entries()) {
            for (let wait = 0; wait < item.turnsBefore; wait += 1) await turn();
            results.push(Promise.allSettled([batcher.add({ ...item, number })]));
          }
          const settled = (await Promise.all(results)).flat();
          for (const [number, { isBad }] of plan.entries()) {
            expect(settled[number]).toEqual(
              isBad
                ? { status: "rejected", reason: new Error(String(number)) }
                : { status: "fulfilled", value: `result ${number}` },
            );
          }
          expect(done.toSorted((a, b) => a - b)).toEqual([...plan.keys()].filter((number) => !plan[number]?.isBad));
        },
      ),
      { numRuns: 60 },
    );
  });
});
