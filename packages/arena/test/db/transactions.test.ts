import { eq } from "drizzle-orm";
import { Client } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Db } from "../../src/db/database.ts";
import { facts } from "../../src/db/schema.ts";
import { describeOnBoth, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { hasPostgres } from "../support/test-databases.ts";

const REFUSAL = "asked directly inside a transaction";
const ONE = { name: "one", text: "select 1 as one" };

describeOnBoth("a transaction", (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(() => database.db.orm.delete(facts));

  const put = (db: Db, name: string) => db.orm.insert(facts).values({ name, value: "x" });
  const names = async () => (await database.db.orm.select().from(facts).orderBy(facts.name)).map(({ name }) => name);

  it("keeps what was done in it when its work ends well, by both ways of asking", async () => {
    const result = await database.db.transaction(async (tx) => {
      await put(tx, "a");
      const statement = { name: "put-fact", text: "insert into facts (name, value) values ($1, 'x') returning name" };
      return tx.run<{ name: string }>(statement, ["b"]);
    });
    expect(result).toEqual([{ name: "b" }]);
    expect(await names()).toEqual(["a", "b"]);
  });

  it("undoes everything and rejects with the very error when its work fails", async () => {
    const fault = new Error("halfway");
    const attempt = database.db.transaction(async (tx) => {
      await put(tx, "a");
      throw fault;
    });
    await expect(attempt).rejects.toBe(fault);
    const broken = database.db.transaction(async (tx) => {
      await put(tx, "b");
      await tx.run({ name: "broken", text: "select 1/0" }, []).catch(() => {});
      await put(tx, "c");
    });
    await expect(broken).rejects.toThrow();
    expect(await names()).toEqual([]);
    await put(database.db, "after");
    expect(await names()).toEqual(["after"]);
  });

  it("refuses every question to the database itself instead of waiting for ever, and undoes its work", async () => {
    const { db } = database;
    const questions: Record<string, () => Promise<unknown>> = {
      statement: () => db.run(ONE, []),
      select: () => db.orm.select().from(facts).execute(),
      insert: () => put(db, "outside").execute(),
      update: () => db.orm.update(facts).set({ value: "y" }).where(eq(facts.name, "a")).execute(),
      delete: () => db.orm.delete(facts).execute(),
      "raw statement": () => db.orm.execute("select 1"),
      "transaction inside": () => db.transaction(async () => {}),
    };
    for (const [what, ask] of Object.entries(questions)) {
      const attempt = db.transaction(async (tx) => {
        await put(tx, what);
        await ask();
      });
      const said = await attempt.then(
        () => "nothing",
        (error: Error) => [error.message, (error.cause as Error | undefined)?.message].join(" "),
      );
      expect([what, said]).toEqual([what, expect.stringContaining(REFUSAL)]);
    }
    expect(await names()).toEqual([]);
  });

  it("refuses them also below further calls and timers, and lets them pass beside and after it", async () => {
    const { db } = database;
    const helper = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return db.run(ONE, []);
    };
    await expect(db.transaction(() => helper())).rejects.toThrow(REFUSAL);
    const beside = helper();
    await db.transaction(async (tx) => put(tx, "a"));
    expect(await beside).toEqual([{ one: 1 }]);
    expect(await helper()).toEqual([{ one: 1 }]);
  });

  it("runs beside others without mixing their work", async () => {
    const { db } = database;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        db.transaction(async (tx) => {
          await put(tx, `fact ${String(index).padStart(2, "0")}`);
          if (index % 3 === 0) throw new Error("every third");
        }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(4);
    expect(await names()).toEqual([1, 2, 4, 5, 7, 8, 10, 11].map((index) => `fact ${String(index).padStart(2, "0")}`));
  });
});

describe.skipIf(!hasPostgres())("a connection to PostgreSQL that the server ends", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase("postgres");
  });
  afterAll(() => database.close());

  const PID = { name: "own-pid", text: "select pg_backend_pid() as pid" };
  const pidOf = async (db: Db) => (await db.run<{ pid: number }>(PID, []))[0]?.pid as number;

  /** By a client of its own: inside a transaction every other handle is refused. */
  async function endBackend(pid: number) {
    const client = new Client({ connectionString: database.url as string });
    await client.connect();
    const { rows } = await client.query("select pg_terminate_backend($1) as ended", [pid]);
    expect(rows).toEqual([{ ended: true }]);
    await client.end();
  }

  it("fails the transaction on it, between two of its questions, and nothing else", async () => {
    const attempt = database.db.transaction(async (tx) => {
      await tx.orm.insert(facts).values({ name: "lost", value: "x" });
      await endBackend(await pidOf(tx));
      // As long as it takes the server's word to arrive: unheard, it would end this process.
      await expect.poll(() => tx.run(ONE, []).catch(() => "lost")).toBe("lost");
      return "went through";
    });
    await expect(attempt).rejects.toThrow();
    expect(await database.db.orm.select().from(facts).where(eq(facts.name, "lost"))).toEqual([]);
  });

  it("fails the transaction that waits for an answer on it", async () => {
    const attempt = database.db.transaction(async (tx) => {
      const pid = await pidOf(tx);
      const waiting = tx.run({ name: "wait", text: "select pg_sleep(60)" }, []);
      await Promise.all([endBackend(pid), waiting]);
    });
    await expect(attempt).rejects.toThrow(/terminat/);
    expect(await database.db.run(ONE, [])).toEqual([{ one: 1 }]);
  });

  it("is replaced when it was idle", async () => {
    await endBackend(await pidOf(database.db));
    await expect.poll(() => database.db.run(ONE, []).catch(() => "not yet")).toEqual([{ one: 1 }]);
  });
});
