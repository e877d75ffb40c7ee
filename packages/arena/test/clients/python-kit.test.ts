import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { kitInit, kitRun } from "../support/python-kit.ts";
import { ADMIN_KEY, addPrompts, createTestArena, type TestArena } from "../support/test-arena.ts";

/** A minute by the wall: long polls, pauses of slowed agents and deadlines all pass in it. */
const RUN_MS = 60_000;

describe("the existing Python kit", () => {
  let database: TestDatabase;
  let arena: TestArena;
  let baseUrl: string;
  beforeAll(async () => {
    database = await openTestDatabase("pglite");
    arena = await createTestArena(database, { slowdownSeconds: 2, promptDeadlineSeconds: 10 }, "database");
    await addPrompts(database, 400, 5);
    await addPrompts(database, [
      { prompt: "x".repeat(100_000), category: "as long as a prompt may be" },
      { prompt: "日本語 😀 \u0001 \u2028 \"quotes\" 'and' $(more)", category: "odd text" },
    ]);
    await arena.start();
    baseUrl = `http://127.0.0.1:${(arena.app.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await arena.stop();
    await database.close();
  });

  it("registers and runs for a minute, well or badly, without seeing anything that it cannot handle", async () => {
    const signal = AbortSignal.timeout(RUN_MS);
    const random = (tick: number, salt: number) => ((tick * 7919 + salt * 104_729) % 1000) / 1000;
    const adapters: ((prompt: string, tick: number) => Promise<string>)[] = [
      async (prompt) => `answer to ${prompt.slice(0, 20)}`,
      async () => {
        throw new Error("adapter exited with 1");
      },
      async (_prompt, tick) => {
        if (random(tick, 1) < 0.3) throw new Error("sometimes it fails");
        return "sometimes it works";
      },
      async () => " ",
    ];
    const runs = await Promise.all(
      adapters.map(async (adapter, index) => {
        const agent = await kitInit(baseUrl, `kit ${index}`);
        let tick = 0;
        return kitRun(
          agent,
          async (prompt) => {
            tick += 1;
            const answer = await adapter(prompt, tick);
            if (answer.trim() === "") throw new Error("empty output");
            return answer;
          },
          signal,
        );
      }),
    );
    expect(runs[0]?.answered).toBeGreaterThan(100);
    expect(runs[1]?.errors).toBeGreaterThan(3);
    expect(runs[2]?.answered).toBeGreaterThan(0);
    // It polls without a pause after an error; that it does not spin is the arena's doing.
    for (const run of runs) {
      expect(run.rateLimited).toBe(0);
      expect(run.quickEmpty).toBeLessThan(10);
      expect(run.polls).toBeLessThan(run.answered + run.errors + 40);
    }
  }, 90_000);

  it("is never given a prompt that would kill it: the operator cannot add one", async () => {
    const refused: [unknown, string][] = [
      [{ prompt: "a\0b", category: "x" }, "NUL"],
      [{ prompt: "x".repeat(100_001), category: "x" }, "100000 bytes"],
      [{ prompt: "é".repeat(50_001), category: "x" }, "100000 bytes"],
      [{ prompt: "fine", category: 7 }, "category"],
      [{ prompt: "fine", category: "" }, "category"],
      [{ prompt: "fine", category: "x", deadline_seconds: 0 }, "deadline_seconds"],
    ];
    for (const [prompt, says] of refused) {
      const answer = await arena.app.inject({
        method: "POST",
        url: "/api/admin/prompts",
        headers: { authorization: `Bearer ${ADMIN_KEY}` },
        payload: [{ prompt: "a good one", category: "x" }, prompt] as object[],
      });
      expect(answer.statusCode).toBe(400);
      expect(answer.json().detail).toContain("item 2");
      expect(answer.json().detail).toContain(says);
    }
  });
});
