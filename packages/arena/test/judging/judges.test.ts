import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readCookie } from "../../src/http/cookies.ts";
import { isSameOrigin } from "../../src/http/same-origin.ts";
import { describeOnBoth, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { addAnswers, cookieOf, lookNext, mustShow, newAccount, postVote, rows, type TestJudge } from "./judge-calls.ts";

describeOnBoth("a judge", (kind) => {
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

  it("becomes one without a key by a cookie that scripts cannot read and of which only the digest is kept", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const answer = await lookNext(arena);
    expect(answer.headers["set-cookie"]).toMatch(
      /^agon_judge=[\w-]{43}; Path=\/api\/judge; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
    );
    const value = cookieOf(answer).split("=")[1] as string;
    expect(await rows(database, "select judge_kind, judge_id from presentations")).toEqual([
      { judge_kind: "anonymous", judge_id: createHash("sha256").update(value).digest("hex") },
    ]);
    const again = await lookNext(arena, { headers: { cookie: `theme=dark; agon_judge=${value}; x` } });
    expect([again.statusCode, again.headers["set-cookie"]]).toEqual([204, undefined]);
  });

  it("gets a new cookie for one that was not made here", async () => {
    for (const cookie of [
      "agon_judge=me",
      "agon_judge=",
      "agon_judge",
      `agon_judge=${"x".repeat(44)}`,
      "judge=1",
      "",
    ]) {
      const answer = await lookNext(arena, { headers: { cookie } });
      expect([cookie, cookieOf(answer)]).toEqual([cookie, expect.stringMatching(/^agon_judge=[\w-]{43}$/)]);
    }
  });

  it("is made by nothing but a look: HEAD has no route, and makes no judge and no showing", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const answer = await arena.app.inject({ method: "HEAD", url: "/api/judge/next" });
    expect([answer.statusCode, answer.headers["set-cookie"]]).toEqual([405, undefined]);
    expect(await rows(database, "select id from presentations")).toEqual([]);
  });

  it("gets a cookie for https only where the arena is reached by it", async () => {
    await arena.stop();
    arena = await createTestArena(database, { publicUrl: "https://arena.example" });
    const answer = await arena.app.inject({ url: "/api/judge/next", headers: { host: "arena.example" } });
    expect(answer.headers["set-cookie"]).toMatch(/; HttpOnly; SameSite=Lax; Secure$/);
  });

  it("is the account whose key came with the call, whatever cookie came too", async () => {
    await addAnswers(database, arena, { prompts: 2, names: ["a", "b"] });
    const account = await newAccount(arena);
    const cookie = cookieOf(await lookNext(arena));
    const shown = await mustShow(arena, { headers: { ...account.headers, cookie } });
    expect(await rows(database, "select judge_kind from presentations order by created_at, judge_kind")).toEqual([
      { judge_kind: "account" },
      { judge_kind: "anonymous" },
    ]);
    expect((await postVote(arena, { headers: { cookie } }, shown.battle_id, "a")).statusCode).toBe(404);
    expect((await lookNext(arena, account)).headers["set-cookie"]).toBeUndefined();
  });

  it("is nobody with a wrong key: the call is refused and not made as the visitor of the cookie", async () => {
    await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
    const cookie = cookieOf(await lookNext(arena));
    const [{ id } = { id: "" }] = await rows<{ id: string }>(database, "select id from presentations");
    for (const authorization of ["Bearer agon_wrong", "Basic eDp5", "nonsense"]) {
      const headers = { authorization, cookie };
      expect((await lookNext(arena, { headers })).statusCode).toBe(401);
      expect((await postVote(arena, { headers }, id, "a")).statusCode).toBe(401);
    }
    const banned = await newAccount(arena);
    await database.db.orm.execute("update accounts set banned_at = now()");
    expect((await lookNext(arena, banned)).json()).toMatchObject({ status: 403, code: "account_banned" });
  });

  describe("with a cookie", () => {
    const CASES: [headers: Record<string, string>, allowed: boolean][] = [
      [{}, true],
      [{ "sec-fetch-site": "same-origin" }, true],
      [{ "sec-fetch-site": "none" }, true],
      [{ "sec-fetch-site": "same-site" }, false],
      [{ "sec-fetch-site": "cross-site" }, false],
      [{ "sec-fetch-site": "cross-site", origin: "http://localhost" }, false],
      [{ origin: "http://localhost" }, true],
      [{ origin: "https://LOCALHOST" }, true],
      [{ origin: "http://localhost:8080" }, false],
      [{ origin: "http://evil.example" }, false],
      [{ origin: "http://localhost.evil.example" }, false],
      [{ origin: "null" }, false],
      [{ origin: "localhost" }, false],
    ];

    it.each(CASES)("that comes with %j is heard: %j", async (headers, allowed) => {
      await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
      const visitor: TestJudge = { headers: {} };
      const { battle_id } = await mustShow(arena, visitor);
      const all = { headers: { ...visitor.headers, ...headers, host: "localhost" } };
      const answer = await postVote(arena, all, battle_id, "a");
      expect(answer.statusCode).toBe(allowed ? 200 : 403);
      if (!allowed) expect(answer.json()).toMatchObject({ code: "forbidden" });
      expect(await rows(database, "select number from votes")).toHaveLength(allowed ? 1 : 0);
    });

    it("needs no such proof to look, nor with a key", async () => {
      await addAnswers(database, arena, { prompts: 1, names: ["a", "b"] });
      const foreign = { origin: "http://evil.example", "sec-fetch-site": "cross-site" };
      expect((await lookNext(arena, { headers: { ...foreign, cookie: "x=1" } })).statusCode).toBe(200);
      arena.clock.advance(600);
      const account = await newAccount(arena);
      const shown = await mustShow(arena, account);
      const headers = { ...account.headers, ...foreign, cookie: "agon_judge=x" };
      expect((await postVote(arena, { headers }, shown.battle_id, "a")).statusCode).toBe(200);
    });
  });

  describe("who votes a lot", () => {
    const from = (judge: TestJudge, address: string) => ({
      async turn() {
        const remoteAddress = address;
        const look = await arena.app.inject({ url: "/api/judge/next", headers: judge.headers, remoteAddress });
        if (look.statusCode !== 200) return look;
        if (look.headers["set-cookie"] !== undefined) judge.headers.cookie = cookieOf(look);
        const url = `/api/judge/${look.json().battle_id}/vote`;
        const payload = { choice: "tie" };
        return arena.app.inject({ method: "POST", url, headers: judge.headers, remoteAddress, payload });
      },
    });

    beforeEach(async () => {
      await arena.stop();
      arena = await createTestArena(database, { votesPerHour: 3 });
      await addAnswers(database, arena, { prompts: 20, names: ["a", "b"] });
    });

    it("is refused the next vote for the rest of the hour, wherever they call from", async () => {
      const visitor: TestJudge = { headers: {} };
      for (let turn = 1; turn <= 3; turn += 1)
        expect((await from(visitor, `10.0.0.${turn}`).turn()).statusCode).toBe(200);
      arena.clock.advance(3_000);
      const refused = await from(visitor, "10.0.0.4").turn();
      expect(refused.json()).toMatchObject({ status: 429, code: "rate_limited" });
      expect(refused.headers["retry-after"]).toBe("600");
      expect(await rows(database, "select number from votes")).toHaveLength(3);
      arena.clock.advance(600);
      expect((await from(visitor, "10.0.0.4").turn()).statusCode).toBe(200);
    });

    it("is refused at an address from which as many votes came, whoever cast them", async () => {
      const account = await newAccount(arena);
      for (const judge of [{ headers: {} }, account, { headers: {} }]) {
        expect((await from(judge, "10.0.0.9").turn()).statusCode).toBe(200);
      }
      expect((await from({ headers: {} }, "10.0.0.9").turn()).statusCode).toBe(429);
      expect((await from(account, "10.0.0.9").turn()).statusCode).toBe(429);
      expect((await from(account, "10.0.0.8").turn()).statusCode).toBe(200);
    });

    it("cannot have all battles kept for themselves by asking as a new visitor each time", async () => {
      const looks = [];
      for (let turn = 0; turn < 14; turn += 1) {
        looks.push((await arena.app.inject({ url: "/api/judge/next", remoteAddress: "10.0.0.7" })).statusCode);
      }
      expect(looks).toEqual([...Array(12).fill(200), 429, 429]);
      expect(await rows(database, "select id from presentations")).toHaveLength(12);
      expect((await arena.app.inject({ url: "/api/judge/next", remoteAddress: "10.0.0.6" })).statusCode).toBe(200);
    });

    it("is not limited where the operator has lifted the limit", async () => {
      await arena.stop();
      arena = await createTestArena(database, { votesPerHour: 0 });
      const visitor: TestJudge = { headers: {} };
      for (let turn = 0; turn < 16; turn += 1) expect((await from(visitor, "10.0.0.1").turn()).statusCode).toBe(200);
    });
  });
});

describe("a cookie", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["judge=x", "x"],
    ["a=1; judge=x; b=2", "x"],
    ["a=1;judge=x", "x"],
    ["judge=x; judge=y", "x"],
    ["ajudge=x; judgeb=y; JUDGE=z", undefined],
    ["a=judge=x", undefined],
    ["judge", undefined],
    ["judge=", ""],
    ["judge=x=y", "x"],
  ])("in the header %j reads as %j", (header, value) => {
    expect(readCookie(header, "judge")).toBe(value);
  });
});

describe("the origin of a call", () => {
  it("is ours by the public URL's host also where a proxy names another one to us", () => {
    expect(isSameOrigin(undefined, "https://arena.example", ["127.0.0.1:4600", "arena.example"])).toBe(true);
    expect(isSameOrigin(undefined, "https://arena.example", ["127.0.0.1:4600", undefined])).toBe(false);
    expect(isSameOrigin(undefined, "https://arena.example:8443", ["arena.example"])).toBe(false);
  });
});
