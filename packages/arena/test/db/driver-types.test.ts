import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sqlState, violatedConstraint } from "../../src/db/database.ts";
import { accounts, agents, counters, prompts } from "../../src/db/schema.ts";
import { describeOnBoth, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { START } from "../support/test-arena.ts";

describeOnBoth("what comes out of the database", (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());

  const ask = async <Row>(text: string, params: unknown[] = []) =>
    (await database.db.run<Row>({ name: text.slice(0, 40), text }, params))[0] as Row;
  const failure = (attempt: Promise<unknown>) =>
    attempt.then(
      () => undefined,
      (error: unknown) => error,
    );

  it("is a number for every count, sum and integer", async () => {
    const row = await ask(`select count(*) as counted, sum(n) as summed, max(n) as most, 9::int2 as small,
      9007199254740991::int8 as large, (-5)::int8 as below, null::int8 as missing
      from unnest(array[9, 10]) as n`);
    expect(row).toEqual({
      counted: 2,
      summed: 19,
      most: 10,
      small: 9,
      large: 9007199254740991,
      below: -5,
      missing: null,
    });
  });

  it("is a list of numbers for arrays of integers, with null for null", async () => {
    const row = await ask(
      "select array[1, null, 9007199254740991]::int8[] as large, array[3, 4]::int[] as small, '{}'::int8[] as none",
    );
    expect(row).toEqual({ large: [1, null, 9007199254740991], small: [3, 4], none: [] });
  });

  it("is what went in, for every kind of list that is a parameter", async () => {
    const lists = {
      int: [0, -1, 2_147_483_647, null, -2_147_483_648],
      bigint: [0, -1, -5_000_000_000, 9_007_199_254_740_991, -9_007_199_254_740_991, null],
      float8: [0.1, -1e300, null, 0],
      boolean: [true, false, null],
      text: ["", "a", null, "é😀", '{"a": ["\\\\", null]}', "NULL", "null", " x ", "\u{10ffff}", "a,b\nc"],
    };
    for (const [type, list] of Object.entries(lists)) {
      const { got, length } = await ask<{ got: unknown[]; length: number }>(
        `select /* ${type} */ array_agg(x order by place) as got, count(*) as length from unnest($1::${type}[]) with ordinality as i(x, place)`,
        [list],
      );
      expect([type, got, length]).toEqual([type, list, list.length]);
    }
    const times = [
      "1999-12-31T23:59:59.999Z",
      "2030-01-02T03:04:05.678Z",
      null,
      "1600-02-03T04:05:06.007Z",
      "2400-01-01T00:00Z",
    ];
    const { ms } = await ask<{ ms: unknown[] }>(
      "select /* times */ array_agg((extract(epoch from x) * 1000)::float8 order by place) as ms from unnest($1::timestamptz[]) with ordinality as i(x, place)",
      [times],
    );
    expect(ms).toEqual(times.map((time) => (time === null ? null : Date.parse(time))));
    const said = await ask("select x->>'a' as said, null::int as x from unnest($1::json[]) as i(x)", [['{"a": "é"}']]);
    expect(said).toEqual({ said: "é", x: null });
    expect(await ask("select cardinality($1::text[]) as n, $2::int[] is null as none", [[], null])).toEqual({
      n: 0,
      none: true,
    });
  });

  it("refuses numbers that their type cannot hold, in lists too", async () => {
    for (const [type, value] of [
      ["int", 2_147_483_648],
      ["int", 1.5],
      ["bigint", 1.5],
      ["timestamptz", "tomorrow, about"],
    ]) {
      const attempt = ask(`select /* ${type} ${value} */ x as got from unnest($1::${type}[]) as i(x)`, [[value]]);
      expect([type, value, await failure(attempt)]).toEqual([type, value, expect.any(Error)]);
    }
  });

  it("sorts as numbers, ten after nine", async () => {
    const rows = await database.db.run<{ votes: number }>(
      {
        name: "sorted",
        text: "select count(*) as votes from generate_series(1, 10) g join generate_series(1, 10) h on h <= g group by g",
      },
      [],
    );
    expect(rows.map(({ votes }) => votes).sort((a, b) => b - a)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it("is a number for a double, true and false for a boolean, and text for text", async () => {
    const row = await ask(
      "select 1.5::float8 as half, 'NaN'::float8 as none, true as yes, 'é😀'::text as said, ''::text as empty",
    );
    expect(row).toEqual({ half: 1.5, none: Number.NaN, yes: true, said: "é😀", empty: "" });
  });

  it("is parsed for jsonb of every shape, given as JSON text", async () => {
    for (const value of [["a", "b"], [], {}, { a: [1, { b: null }] }, "text", 7, true, null, "é😀\u2028"]) {
      const row = await ask("select $1::jsonb as stored, jsonb_typeof($1::jsonb) as type", [JSON.stringify(value)]);
      const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
      expect(row).toEqual({ stored: value, type });
    }
  });

  it("is text for a time with its zone, that names the same moment", async () => {
    const moment = new Date(START).toISOString();
    const row = await ask<{ at: string }>("select $1::timestamptz as at", [moment]);
    expect(typeof row.at).toBe("string");
    expect(new Date(row.at).toISOString()).toBe(moment);
  });

  it("passes through columns of the schema unchanged: lists, objects, large numbers, times", async () => {
    const { orm } = database.db;
    const createdAt = new Date(START + 123);
    const tools = ["search", 'quo"ted', "{brace}", "é😀", ""];
    const check = { kind: "contains", all: ["a", "b"], nested: { list: [1, [2]] } };
    const [account] = await orm.insert(accounts).values({ username: "types", createdAt }).returning();
    const [agent] = await orm
      .insert(agents)
      .values({
        accountId: account?.id as number,
        name: "types",
        transport: "pull",
        dialect: "tesserax",
        ownerHandle: "o",
        toolsClaimed: tools,
        secretSealed: "s",
        secretHash: "h",
        createdAt,
      })
      .returning();
    expect([agent?.toolsClaimed, agent?.roles, agent?.createdAt]).toEqual([tools, [], createdAt]);
    const [prompt] = await orm
      .insert(prompts)
      .values({ kind: "main", prompt: "p", category: "c", check, createdAt })
      .returning();
    expect(prompt?.check).toEqual(check);
    const [counter] = await orm
      .insert(counters)
      .values({ name: "types", value: 2 ** 53 - 1 })
      .returning();
    expect(counter?.value).toBe(9007199254740991);
  });

  it("takes lists as parameters, empty ones and awkward texts too", async () => {
    const row = await ask("select $1::int[] as numbers, $2::text[] as texts, $3::timestamptz[] is not null as times", [
      [],
      ["", "a,b", 'q"', "\\", "{}", "NULL", "é😀"],
      [new Date(START).toISOString()],
    ]);
    expect(row).toEqual({ numbers: [], texts: ["", "a,b", 'q"', "\\", "{}", "NULL", "é😀"], times: true });
  });

  it("names its refusals by SQLSTATE, however they are wrapped", async () => {
    expect(sqlState(await failure(ask("select 1/0")))).toBe("22012");
    expect(sqlState(await failure(database.db.orm.execute(sql`select 1/0`)))).toBe("22012");
    expect(sqlState(await failure(ask("select $1::text", ["a\0b"])))).toMatch(/^22021$/);
    expect(sqlState(await failure(ask("select $1::jsonb", ['"\\u0000"'])))).toBe("22P05");
    expect(sqlState(await failure(ask("select $1::jsonb", ['"\\ud800"'])))).toBe("22P02");
    expect(sqlState(new Error("of our own", { cause: new Error("deeper", { cause: "no error" }) }))).toBeUndefined();
  });

  it("names the constraint that a second of its kind violates", async () => {
    const add = () => database.db.orm.insert(accounts).values({ username: "Twice", createdAt: new Date(START) });
    await add();
    expect(violatedConstraint(await failure(add()))).toBe("accounts_username");
    expect(violatedConstraint(await failure(ask("select 1/0")))).toBeUndefined();
    expect(violatedConstraint(new Error("of our own"))).toBeUndefined();
  });
});
