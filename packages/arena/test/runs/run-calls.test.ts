import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ConfigInput } from "../../src/config.ts";
import { judgeRun } from "../../src/runs/run-finish.ts";
import { findRun } from "../../src/runs/run-queries.ts";
import { loadCandidates, type RunRow } from "../../src/runs/step-queries.ts";
import {
  describeOnBoth,
  emptyTables,
  openPostgresNode,
  openTestDatabase,
  type TestDatabase,
} from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { hasPostgres } from "../support/test-databases.ts";
import { addActive, answerWell, play, rows } from "./players.ts";
import { GOAL, newAccount, playHouse, readRun, startRun } from "./run-world.ts";

describeOnBoth("the calls of runs", (kind) => {
  let database: TestDatabase;
  let arena: TestArena;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  const begin = async (settings: ConfigInput = {}) => {
    arena = await createTestArena(database, settings);
  };
  beforeEach(() => emptyTables(database));
  afterEach(() => arena.stop());
  afterAll(() => database.close());

  const post = async (payload: object, headers?: { authorization: string }) =>
    arena.app.inject({ method: "POST", url: "/api/runs", headers: headers ?? (await newAccount(arena)), payload });

  it.each([
    ["an empty goal", { goal: "" }, "goal"],
    ["a blank goal", { goal: " \n\t" }, "goal"],
    ["a goal of 100 KB", { goal: "g".repeat(102_400) }, "goal"],
    ["a goal that is no text", { goal: 5 }, "goal"],
    ["an unknown launchpad", { launchpad: "make-monkeys" }, "launchpad"],
    ["a launchpad named like a prototype", { launchpad: "__proto__" }, "launchpad"],
    ["no scouts", { scouts: 0 }, "scouts"],
    ["a million scouts", { scouts: 1e6 }, "scouts"],
    ["half a builder", { builders_per_candidate: 0.5 }, "builders_per_candidate"],
    ["six critics", { critics_per_candidate: 6 }, "critics_per_candidate"],
    ["verifiers as text", { verifiers_per_candidate: "1" }, "verifiers_per_candidate"],
  ])("refuse %s with 400 and name the field", async (_title, change, field) => {
    await begin();
    const answer = await post({ goal: GOAL, launchpad: "make-money", ...change });
    expect([answer.statusCode, answer.json().errors?.[0]?.field]).toEqual([400, field]);
    expect(await rows(database.db, "select * from runs")).toEqual([]);
  });

  it("say which launchpads there are when one is not known, and list them", async () => {
    await begin();
    const answer = await post({ goal: GOAL, launchpad: "x" });
    expect(answer.json().detail).toContain("make-money, save-time");
    const { items } = (await arena.app.inject({ url: "/api/launchpads" })).json();
    expect(items.map((each: { slug: string }) => each.slug)).toContain("make-money");
    expect(items[0]).toEqual({
      slug: expect.any(String),
      title: expect.any(String),
      summary: expect.any(String),
      rubric: expect.any(Array),
    });
  });

  it("store a goal clean of NUL and lone surrogates, at its full length", async () => {
    await begin();
    const goal = `a\u0000b\ud800 ${"😀".repeat(7_990)}`;
    const made = await post({ goal, launchpad: "make-money", scouts: 1 });
    expect(made.statusCode).toBe(201);
    expect(made.json().goal).toBe(goal.replace("\u0000", "\ufffd").toWellFormed());
    expect((await playHouse(arena, made.json().id)).status).toBe("COMPLETED");
  });

  it("allow two open runs and five in a day, and say until when", async () => {
    await begin({ runsPerDay: 5, runsOpen: 2 });
    const headers = await newAccount(arena);
    const request = { goal: GOAL, launchpad: "make-money", scouts: 1 };
    for (const wanted of [201, 201, 429]) expect((await post(request, headers)).statusCode).toBe(wanted);
    expect((await post(request, headers)).json().detail).toBe("open runs: at most 2; wait for one to end or cancel it");
    expect((await post(request)).statusCode).toBe(201);
    for (const wanted of [201, 201, 201, 429]) {
      await play(database, arena);
      arena.clock.advance(60);
      const answer = await post(request, headers);
      expect(answer.statusCode).toBe(wanted);
      if (wanted === 429) expect(Number(answer.headers["retry-after"])).toBeGreaterThan(80_000);
    }
    arena.clock.advance(86_400);
    expect((await post(request, headers)).statusCode).toBe(201);
  });

  it("list runs, latest first, by status too", async () => {
    await begin();
    const first = await startRun(arena, { scouts: 1 });
    await playHouse(arena, first);
    const second = await startRun(arena, { scouts: 1 });
    const list = async (query: string) =>
      (await arena.app.inject({ url: `/api/runs${query}` })).json().items.map((each: { id: string }) => each.id);
    expect(await list("")).toEqual([second, first]);
    expect(await list("?status=COMPLETED")).toEqual([first]);
    expect((await arena.app.inject({ url: "/api/runs?status=DONE" })).statusCode).toBe(400);
  });

  it.each(["x", "0", "0192f4a9-1be4-7123-b21d-0a55f00d4c8e", "%00", "..%2f"])("know no run %s", async (id) => {
    await begin();
    for (const url of [`/api/runs/${id}`, `/api/runs/${id}/report`, `/api/runs/${id}/events`]) {
      expect((await arena.app.inject({ url })).statusCode).toBe(404);
    }
  });

  it("show sums that a person can redo, and write them into the report", async () => {
    await begin({ houseAgents: false });
    for (let count = 0; count < 4; count += 1) await addActive(database, arena);
    const id = await startRun(arena, { scouts: 2, verifiers_per_candidate: 2, critics_per_candidate: 2 });
    const hostile =
      "# <img src=x onerror=alert(1)> [x](javascript:alert(1)) | `code` https://evil.example\n\n## Winner: me";
    await play(database, arena, (task) => answerWell(task, task.phase === "SCOUT" ? { why_now: hostile } : {}));
    const run = await readRun(arena, id);
    for (const { terms, score } of run.candidates) {
      if (terms === null) throw new Error("a candidate without terms");
      expect(score).toBe(Math.round((terms.evidence - terms.penalty + terms.adjustment - terms.verdict) * 100) / 100);
    }
    const report = (await arena.app.inject({ url: `/api/runs/${id}/report` })).body;
    for (const { sum } of run.ranking) expect(report).toContain(sum);
    expect(report).not.toContain("<img");
    expect(report).not.toMatch(/\[x\]\(|https:\/\/evil|^## Winner: me/m);
  });

  it("keep terms and worths that come out the same when they are made again from the stored answers", async () => {
    await begin({ houseAgents: false });
    for (let count = 0; count < 5; count += 1) await addActive(database, arena);
    const id = await startRun(arena, {
      scouts: 3,
      builders_per_candidate: 2,
      verifiers_per_candidate: 2,
      critics_per_candidate: 2,
    });
    let turn = 0;
    await play(database, arena, (task) => {
      turn += 1;
      if (task.phase === "VERIFY") return answerWell(task, { evidence_quality_score: (turn * 37) % 101 });
      if (task.phase !== "CRITIQUE") return answerWell(task);
      return answerWell(task, { penalty_points: turn / 7, fatal_flaw: turn % 3 === 0 });
    });
    const run = (await findRun(database.db, id)) as RunRow;
    const { scored, contributions } = await judgeRun(database.db, run);
    const stored = await loadCandidates(database.db, id);
    expect(scored.length).toBe(3);
    for (const { work, terms, rank } of scored) {
      const candidate = stored.find((each) => each.id === work.candidate.id);
      expect(candidate).toMatchObject({ score: terms.score, rank, terms: JSON.parse(JSON.stringify(terms)) });
    }
    const worths = await rows(
      database.db,
      `select task_id::int as "taskId", role, score, terms from contributions order by task_id`,
    );
    const again = contributions.map(({ taskId, role, score, terms }) => ({ taskId, role, score, terms }));
    expect(again.sort((a, b) => a.taskId - b.taskId)).toEqual(worths);
  });

  it("tell an agent's reputation by role, from what its tasks were worth", async () => {
    await begin({ houseAgents: false });
    const agent = await addActive(database, arena, { maxConcurrent: 3 });
    await startRun(arena, { scouts: 1 });
    await play(database, arena);
    const answer = await arena.app.inject({ url: `/api/agents/${agent.id}/reputation` });
    const worth = await rows<{ role: string; score: number }>(
      database.db,
      "select role, score from contributions order by role, task_id",
    );
    const mean = (role: string) => {
      const own = worth.filter((each) => each.role === role).map((each) => each.score);
      return (250 + own.reduce((sum, each) => sum + each, 0)) / (5 + own.length);
    };
    expect(answer.json().roles.map((each: { role: string }) => each.role)).toEqual(["ANALYST", "BUILDER", "SCOUT"]);
    for (const { role, reputation } of answer.json().roles) expect(reputation).toBeCloseTo(mean(role), 3);
  });

  it("list the contributions behind a reputation, whose sum with the neutral start it is", async () => {
    await begin({ houseAgents: false });
    const agent = await addActive(database, arena, { maxConcurrent: 3 });
    const id = await startRun(arena, { scouts: 1 });
    await play(database, arena);
    arena.clock.advance(30 * 86_400);
    const read = async (query = "") =>
      (await arena.app.inject({ url: `/api/agents/${agent.id}/reputation${query}` })).json();
    const { roles, neutral, neutral_weight } = await read();
    expect(roles.map((each: { role: string }) => each.role)).toEqual(["ANALYST", "BUILDER", "SCOUT"]);
    for (const { reputation, weight, adds, contributions, latest } of roles) {
      expect(latest).toHaveLength(contributions);
      const sum = (term: "weight" | "adds") =>
        latest.reduce((total: number, each: { weight: number; adds: number }) => total + each[term], 0);
      expect([sum("weight"), sum("adds")]).toEqual([expect.closeTo(weight, 9), expect.closeTo(adds, 9)]);
      expect(reputation).toBeCloseTo((neutral_weight * neutral + adds) / (neutral_weight + weight), 9);
      for (const each of latest) {
        expect(each).toMatchObject({ run: { id, goal: GOAL }, weight: expect.closeTo(0.5, 2) });
        expect(each.adds).toBe(each.weight * each.score);
      }
    }
    const [analyst] = (await read("?latest=1")).roles;
    expect([analyst.latest.length, analyst.contributions]).toEqual([1, roles[0].contributions]);
    expect((await read("?latest=0")).roles[0].latest).toEqual([]);
  });

  it("tell whose a run is to nobody but whoever began it", async () => {
    await begin();
    const [mine, other] = [await newAccount(arena), await newAccount(arena)];
    const { id } = (await post({ goal: GOAL, launchpad: "make-money", scouts: 1 }, mine)).json();
    const yours = async (headers: Record<string, string> = {}) => {
      const answer = await arena.app.inject({ url: `/api/runs/${id}`, headers });
      return [answer.statusCode, answer.json().yours];
    };
    expect(await yours(mine)).toEqual([200, true]);
    expect(await yours(other)).toEqual([200, false]);
    expect(await yours()).toEqual([200, false]);
    expect(await yours({ authorization: "Bearer agon_nobodys" })).toEqual([200, false]);
    const key = mine.authorization.replace("Bearer ", "");
    const session = await arena.app.inject({ method: "POST", url: "/api/session", payload: { api_key: key } });
    expect(await yours({ cookie: String(session.headers["set-cookie"]).split(";")[0] as string })).toEqual([200, true]);
  });
});

describe("a run's events", () => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase("pglite");
  });
  afterAll(() => database.close());
  afterEach(() => arena.stop());

  it("show each change until the end, told to no proxy's buffer, then close", async () => {
    arena = await createTestArena(database, { passSeconds: 0.05 });
    const url = await arena.start();
    const id = await startRun(arena, { scouts: 1 });
    const response = await fetch(`${url}/api/runs/${id}/events`);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(response.headers.get("cache-control")).toContain("no-transform");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    const text = await response.text();
    const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, event, data]) => ({
      event,
      data: JSON.parse(data as string),
    }));
    expect(events.at(-1)).toEqual({ event: "end", data: { status: "COMPLETED" } });
    expect(events.at(-2)?.data).toMatchObject({ id, status: "COMPLETED" });
    expect(text).not.toContain("proposed_solution");
  });

  it("look at a run once for all who watch it, show late comers where it stands, and stop with the last of them", async () => {
    arena = await createTestArena(database, { houseAgents: false, passSeconds: 60 });
    const url = await arena.start();
    const id = await startRun(arena, { scouts: 1 });
    let looks = 0;
    const { run } = database.db;
    database.db.run = ((statement, params) => {
      if (statement.name === "run-cost") looks += 1;
      return run.call(database.db, statement, params);
    }) as typeof run;
    const leave = new AbortController();
    const open = async () => {
      const response = await fetch(`${url}/api/runs/${id}/events`, { signal: leave.signal });
      const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
      for (let text = ""; !text.includes("event: progress"); ) text += (await reader.read()).value;
    };
    await open();
    await Promise.all(Array.from({ length: 20 }, open));
    expect(looks).toBeLessThan(10);
    /** Looks that a word about the run leads to, with the one of the call behind it, which the database answers last. */
    const looksAtSignal = async () => {
      const before = looks;
      database.signals.publish("run");
      await readRun(arena, id);
      return looks - before;
    };
    await expect.poll(looksAtSignal).toBe(2);
    leave.abort();
    await expect.poll(looksAtSignal).toBe(1);
    database.db.run = run;
  });

  it("end when the server stops", async () => {
    arena = await createTestArena(database, { houseAgents: false });
    const url = await arena.start();
    const id = await startRun(arena, { scouts: 1 });
    const response = await fetch(`${url}/api/runs/${id}/events`);
    const reading = response.text();
    await arena.stop();
    expect(await reading).toContain("event: progress");
  });
});

describe.skipIf(!hasPostgres())("quotas over two nodes", () => {
  it("hold when both are asked at once", async () => {
    const database = await openTestDatabase("postgres");
    const second = await openPostgresNode(database.url as string);
    const nodes = [
      await createTestArena(database, { runsOpen: 2, runsPerDay: 5 }),
      await createTestArena(second, { runsOpen: 2, runsPerDay: 5 }),
    ] as const;
    const headers = await newAccount(nodes[0]);
    const payload = { goal: GOAL, launchpad: "make-money" };
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        (nodes[index % 2] as TestArena).app.inject({ method: "POST", url: "/api/runs", headers, payload }),
      ),
    );
    expect(answers.filter((each) => each.statusCode === 201).length).toBe(2);
    expect(answers.filter((each) => each.statusCode === 429).length).toBe(14);
    const house = await rows(database.db, "select transport from agents");
    expect(house).toEqual([{ transport: "house" }]);
    for (const node of nodes) await node.stop();
    await second.close();
    await database.close();
  });
});
