import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  ADMIN_KEY,
  addPrompts,
  createTestArena,
  poll,
  registerAgent,
  type TestArena,
  work,
} from "../support/test-arena.ts";
import { addAnswers, mustShow, newAccount, next, postVote, rows, type TestJudge, vote } from "./judge-calls.ts";

const ADMIN = { authorization: `Bearer ${ADMIN_KEY}` };

describeOnBoth("reports on answers", (kind) => {
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

  const report = (judge: TestJudge, battleId: string, payload: object) =>
    arena.app.inject({ method: "POST", url: `/api/judge/${battleId}/report`, headers: judge.headers, payload });
  const list = async (query = "") =>
    (await arena.app.inject({ url: `/api/admin/reports${query}`, headers: ADMIN })).json();
  const hide = (id: number | string) =>
    arena.app.inject({ method: "POST", url: `/api/admin/answers/${id}/hide`, headers: ADMIN });
  const idOf = async (response: string) =>
    (await rows<{ id: number }>(database, `select id::int from tasks where response = '${response}'`))[0]?.id as number;

  it("are taken once for each answer and judge, and tell the judge nothing", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const judge = await newAccount(arena);
    const shown = await mustShow(arena, judge);
    const first = await report(judge, shown.battle_id, { side: "a", reason: "spam" });
    expect([first.statusCode, first.json()]).toEqual([201, { recorded: true }]);
    const again = await report(judge, shown.battle_id, { side: "a", reason: "harm" });
    expect([again.statusCode, again.json().code]).toEqual([409, "conflict"]);
    expect((await report(judge, shown.battle_id, { side: "b", reason: "names_itself" })).statusCode).toBe(201);
    await vote(arena, judge, shown.battle_id, "a");
    const visitor: TestJudge = { headers: {} };
    const second = await mustShow(arena, visitor);
    await postVote(arena, visitor, second.battle_id, "skip");
    expect((await report(visitor, second.battle_id, { side: "a", reason: "harm" })).statusCode).toBe(201);
    arena.clock.advance(600);
    expect((await report(visitor, second.battle_id, { side: "b", reason: "harm" })).statusCode).toBe(201);
    expect(await rows(database, "select id from reports")).toHaveLength(4);
  });

  it("are of the answer on that side of the judge's own screen", async () => {
    await addAnswers(database, arena, { prompts: 4, names: ["a", "b"] });
    for (let turn = 0; turn < 4; turn += 1) {
      const judge: TestJudge = { headers: {} };
      const shown = await mustShow(arena, judge);
      await report(judge, shown.battle_id, { side: "b", reason: "spam", comment: "  advertises\u0000 a shop " });
      const { items } = await list("?limit=1");
      expect(items[0]).toMatchObject({ response: shown.b.response, comment: "advertises\ufffd a shop", hidden: false });
      expect(items[0].answer_id).toBe(await idOf(shown.b.response));
    }
    expect(await list("?limit=3&offset=2")).toMatchObject({ total: 4, has_more: false });
  });

  it("are refused on a battle of somebody else, from another site's page, and with what is no reason", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const visitor: TestJudge = { headers: {} };
    const { battle_id } = await mustShow(arena, visitor);
    const good = { side: "a", reason: "spam" };
    expect((await report(await newAccount(arena), battle_id, good)).statusCode).toBe(404);
    expect((await report({ headers: {} }, battle_id, good)).statusCode).toBe(404);
    expect((await report(visitor, "1", good)).statusCode).toBe(404);
    const foreign = { headers: { ...visitor.headers, origin: "http://evil.example" } };
    expect((await report(foreign, battle_id, good)).statusCode).toBe(403);
    for (const [field, body] of [
      ["side", { side: "c", reason: "spam" }],
      ["reason", { side: "a", reason: "boring" }],
      ["comment", { ...good, comment: "x".repeat(1_001) }],
    ] as const) {
      expect((await report(visitor, battle_id, body)).json()).toMatchObject({ status: 400, errors: [{ field }] });
    }
    expect(await rows(database, "select id from reports")).toEqual([]);
  });

  it("let the operator hide an answer: it is shown to no judge any more, and its text to nobody but its owner", async () => {
    const [owner] = await addAnswers(database, arena, { prompts: 1, names: ["a", "b", "c"] });
    const hidden = await idOf("writer 0 on 1");
    const answer = await hide(hidden);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { id: hidden, hidden_at: new Date(arena.clock.now()).toISOString() },
    ]);
    arena.clock.advance(60);
    expect((await hide(hidden)).json()).toEqual(answer.json());
    const judge = await newAccount(arena);
    const shown = await mustShow(arena, judge);
    expect([shown.a.response, shown.b.response].sort()).toEqual(["writer 1 on 1", "writer 2 on 1"]);
    expect(await next(arena, judge)).toBeUndefined();
    await vote(arena, judge, shown.battle_id, "a");
    await database.db.orm.execute("update prompts set closed_at = now()");
    const publicly = (await arena.app.inject(`/api/agents/${owner?.id}/activity`)).json();
    expect(publicly.sessions).toMatchObject([{ status: "answered", response: null }]);
    const headers = { authorization: `Bearer ${owner?.apiKey}` };
    const own = (await arena.app.inject({ url: `/api/agents/${owner?.id}/answers`, headers })).json();
    expect(own.items).toMatchObject([{ response: "writer 0 on 1" }]);
  });

  it("let the operator take hiding back: judges see the answer again, once there is another to put beside it", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const ids = [await idOf("writer 0 on 1"), await idOf("writer 1 on 1")];
    const show = (id: number) =>
      arena.app.inject({ method: "POST", url: `/api/admin/answers/${id}/show`, headers: ADMIN });
    for (const id of ids) await hide(id);
    expect((await show(ids[1] as number)).json()).toEqual({ id: ids[1], hidden_at: null });
    const judge = await newAccount(arena);
    expect(await next(arena, judge)).toBeUndefined();
    await show(ids[0] as number);
    const shown = await mustShow(arena, judge);
    expect((await vote(arena, judge, shown.battle_id, "a")).counted).toBe(true);
    expect((await show(99)).statusCode).toBe(404);
    await hide(ids[0] as number);
    await database.db.orm.execute("update prompts set closed_at = now()");
    await show(ids[0] as number);
    expect(await rows(database, "select id from tasks where votable and id = (select min(id) from tasks)")).toEqual([]);
  });

  it("are put aside by the operator and taken up again, and told apart from those that were acted upon", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const judge = await newAccount(arena);
    const { battle_id } = await mustShow(arena, judge);
    for (const side of ["a", "b"]) await report(judge, battle_id, { side, reason: "spam" });
    const [latest, first] = (await list()).items as { id: number; answer_id: number }[];
    const dismiss = (id: number, payload?: object) =>
      arena.app.inject({
        method: "POST",
        url: `/api/admin/reports/${id}/dismiss`,
        headers: ADMIN,
        ...(payload === undefined ? {} : { payload }),
      });
    const ids = async (state: string) => (await list(`?state=${state}`)).items.map((each: { id: number }) => each.id);
    expect((await dismiss(latest?.id as number)).json().dismissed_at).not.toBeNull();
    await hide(first?.answer_id as number);
    expect([await ids("open"), await ids("dismissed"), await ids("hidden")]).toEqual([[], [latest?.id], [first?.id]]);
    await dismiss(latest?.id as number, { dismissed: false });
    expect(await ids("open")).toEqual([latest?.id]);
    expect((await dismiss(99)).statusCode).toBe(404);
  });

  it("let the operator hide answers to main prompts alone", async () => {
    const [agent] = await addAnswers(database, arena, { prompts: 2, names: ["a"] });
    await database.db.orm.execute("update tasks set kind = 'gym' where id = 1");
    await database.db.orm.execute("update tasks set state = 'failed' where id = 2");
    expect((await poll(arena, agent as never)).statusCode).toBe(204);
    for (const id of [1, 2, 99]) expect((await hide(id)).json()).toMatchObject({ status: 404, code: "not_found" });
    for (const id of ["0", "x", "1e3"]) expect((await hide(id)).statusCode).toBe(400);
    expect((await hide(999_999_999_999_999)).statusCode).toBe(404);
  });

  it("keep a hidden answer out of the check's battles too", async () => {
    const check = { kind: "number", value: 2 } as const;
    await addPrompts(database, [{ prompt: "1 + 1", category: "sums", check }]);
    for (const name of ["a", "b"]) await work(arena, await registerAgent(arena, name), "2");
    await hide(1);
    await arena.passes.judge();
    await work(arena, await registerAgent(arena, "c"), "3");
    await arena.passes.judge();
    expect(await rows(database, "select answer_a::int, answer_b::int from battles")).toEqual([
      { answer_a: 2, answer_b: 3 },
    ]);
  });
});
