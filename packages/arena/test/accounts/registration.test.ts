import { problemSchema, registerResponseSchema } from "@agon/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { registerAccount } from "../../src/accounts/registration.ts";
import {
  describeOnBoth,
  emptyTables,
  openPostgresNode,
  openTestDatabase,
  type TestDatabase,
} from "../support/open-databases.ts";
import { createManualClock, createTestArena, type TestArena } from "../support/test-arena.ts";
import { hasPostgres } from "../support/test-databases.ts";

const register = (arena: TestArena, remoteAddress = "192.0.2.1") =>
  arena.app.inject({ method: "POST", url: "/api/register", remoteAddress });

describeOnBoth("registration", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
  });
  afterEach(() => arena.stop());

  it("answers 201 with a key that works at once, asked without body and content type", async () => {
    const answer = await register(arena);
    expect(answer.statusCode).toBe(201);
    const made = registerResponseSchema.parse(answer.json());
    expect(Object.keys(answer.json()).sort()).toEqual(["api_key", "message", "user_id", "username"]);
    const account = await arena.app.inject({
      url: "/api/account",
      headers: { authorization: `Bearer ${made.api_key}` },
    });
    expect(account.statusCode).toBe(200);
    expect(account.json()).toMatchObject({ id: made.user_id, username: made.username, agent_count: 0, agents: [] });
  });

  it("takes a body that a careful client sends all the same", async () => {
    for (const options of [
      { payload: "", headers: { "content-length": "0" } },
      { payload: "{}", headers: { "content-type": "application/json" } },
      { payload: '{"username":"ignored"}', headers: {} },
    ]) {
      const answer = await arena.app.inject({ method: "POST", url: "/api/register", ...options });
      expect([options.payload, answer.statusCode]).toEqual([options.payload, 201]);
      expect(answer.json().username).not.toBe("ignored");
    }
  });

  it("shows the key this once and keeps only its digest", async () => {
    const { api_key } = (await register(arena)).json();
    const statement = {
      name: "all-keys",
      text: "select k.*, a.* from api_keys k join accounts a on a.id = k.account_id",
    };
    const stored = JSON.stringify(await database.db.run(statement, []));
    expect(stored).toContain("key_hash");
    expect(stored).not.toContain(api_key);
    const account = await arena.app.inject({ url: "/api/account", headers: { authorization: `Bearer ${api_key}` } });
    expect(account.body).not.toContain(api_key);
  });

  it("gives each account a key and a name of its own, also many at once", async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => register(arena)));
    const bodies = made.map((answer) => registerResponseSchema.parse(answer.json()));
    for (const field of ["api_key", "username", "user_id"] as const) {
      expect([field, new Set(bodies.map((body) => body[field])).size]).toEqual([field, 30]);
    }
  });

  it("is refused with 403 where it is closed, and counts nothing", async () => {
    await arena.stop();
    arena = await createTestArena(database, { registration: "closed", registrationsPerHour: 1 });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const answer = await register(arena);
      expect(problemSchema.parse(answer.json())).toMatchObject({ status: 403, code: "registration_closed" });
    }
    await arena.stop();
    arena = await createTestArena(database, { registrationsPerHour: 1 });
    expect((await register(arena)).statusCode).toBe(201);
  });

  it("is refused the eleventh time in an hour from one address, saying when to come again", async () => {
    await arena.stop();
    arena = await createTestArena(database, { registrationsPerHour: undefined });
    for (let count = 0; count < 10; count += 1) {
      expect([count, (await register(arena)).statusCode]).toEqual([count, 201]);
      arena.clock.advance(60);
    }
    const refused = await register(arena);
    expect(refused.headers["retry-after"]).toBe("3000");
    expect(problemSchema.parse(refused.json())).toMatchObject({ status: 429, code: "rate_limited" });
    expect((await register(arena, "192.0.2.2")).statusCode).toBe(201);
    expect((await register(arena, "2001:db8::1")).statusCode).toBe(201);
    arena.clock.advance(2999.9);
    expect((await register(arena)).statusCode).toBe(429);
    arena.clock.advance(0.1);
    expect((await register(arena)).statusCode).toBe(201);
  });

  it("tries another name when the one it made up is taken, and gives up on a name that it was given", async () => {
    const names = ["aaaaa", "aaaaa", "aaaaa", "bbbbb"];
    const bytes = (length: number) =>
      length === 5 ? Buffer.from(names.shift() ?? "") : crypto.getRandomValues(new Uint8Array(length));
    const ports = { clock: createManualClock(), random: { bytes, uuid: () => crypto.randomUUID() } };
    const first = await registerAccount(database.db, ports);
    const second = await registerAccount(database.db, ports);
    expect(second.username).not.toBe(first.username);
    expect(names).toEqual([]);
    await expect(registerAccount(database.db, ports, first.username.toUpperCase())).rejects.toThrow();
  });
});

describe.skipIf(!hasPostgres())("registration on two nodes", () => {
  it("is limited to ten an hour for both together, also when all come at once", async () => {
    const database = await openTestDatabase("postgres");
    const second = await openPostgresNode(database.url as string);
    const clock = createManualClock();
    const settings = { registrationsPerHour: 10 };
    const arenas = [
      await createTestArena(database, settings, clock),
      await createTestArena(second, settings, clock),
    ] as const;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => register(arenas[index % 2 === 0 ? 0 : 1])),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(10);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(20);
    clock.advance(3600);
    for (const arena of arenas) expect((await register(arena)).statusCode).toBe(201);
    for (const arena of arenas) await arena.stop();
    await second.close();
    await database.close();
  });
});
