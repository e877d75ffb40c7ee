import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import {
  type ApiCall,
  type ApiParameter,
  buildRequest,
  listOwnCalls,
  rightfulHeaders,
  TESSERAX_CALLS,
} from "./api-calls.ts";
import { createWorld, snapshot, type World } from "./api-world.ts";
import { expectDescribed, expectProblem, namesPlace } from "./problem-answers.ts";

const NO_WHOLE_NUMBERS = ["abc", "-1", "1.5", "1e3", "0x10", "+1", "%201", "1%00", "NaN", "Infinity", "1,5", "١"];
const TOO_LARGE = ["2147483648", "9007199254740992", "9007199254740993", "9".repeat(400), "9".repeat(15_000)];
const NO_TEXTS = [
  "%00",
  "a%00b",
  "%ED%A0%80",
  "%E0%A4%A",
  "%",
  "x".repeat(15_000),
  "..%2F..%2Fetc",
  "';--",
  "[object%20Object]",
];

// On one database: what is refused here is refused before any is asked, and each call is made dozens of times.
describe("hostile addresses", () => {
  let database: TestDatabase;
  let arena: TestArena;
  let world: World;
  beforeAll(async () => {
    database = await openTestDatabase("pglite");
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database);
    world = await createWorld(database, arena);
  });
  afterEach(() => arena.stop());

  const send = (call: ApiCall, url: string) =>
    arena.app.inject({ ...buildRequest(call, world), url, headers: rightfulHeaders(call, world) });
  const statusOf = (call: ApiCall) => (TESSERAX_CALLS.has(call.name) ? 422 : 400);

  /** Puts a raw value where a path parameter stands. */
  function withPathPart(call: ApiCall, name: string, raw: string): string {
    const marked = { ...world, ids: { ...world.ids, [name]: "HERE" } } as unknown as World;
    return buildRequest(call, marked).url.replace("HERE", raw);
  }

  /** Each call with each of its parameters in the path. */
  const pathParts = () =>
    listOwnCalls(arena.app).flatMap((call) => call.pathParameters.map((parameter) => ({ call, parameter })));
  /** Each call with each parameter of its query. */
  const queryParts = () =>
    listOwnCalls(arena.app).flatMap((call) => call.queryParameters.map((parameter) => ({ call, parameter })));

  it("names each id in a path that is no id, and changes nothing", async () => {
    const before = await snapshot(database);
    expect(pathParts().length).toBeGreaterThan(10);
    for (const { call, parameter } of pathParts()) {
      // Ids that are read as any number take a few more spellings of one.
      if (parameter.schema.maximum === Number.MAX_SAFE_INTEGER) continue;
      for (const raw of ["0", ...NO_WHOLE_NUMBERS, ...TOO_LARGE]) {
        const what = `${call.name} with ${parameter.name} ${raw.slice(0, 20)}`;
        const problem = expectProblem(what, await send(call, withPathPart(call, parameter.name, raw)));
        expectDescribed(call, problem);
        expect([what, problem.status]).toEqual([what, pathStatus(call, parameter, raw)]);
        if (problem.status === statusOf(call) && call.auth !== "agent") {
          expect([what, namesPlace(problem, parameter.name)]).toEqual([what, true]);
        }
      }
    }
    expect(await snapshot(database)).toBe(before);
  });

  /**
   * The pull calls have an order of refusals of their own, in which an agent that cannot exist is an unknown one; what is
   * no showing's id was shown to nobody; and ids of tasks go on where those of agents end.
   */
  function pathStatus(call: ApiCall, { name, schema }: ApiParameter, raw: string): number {
    const most = schema.maximum ?? 0;
    if (call.auth === "agent") return name === "agent_id" ? 404 : 400;
    if (name === "battle_id" || name === "run_id") return 404;
    return /^[1-9]\d*$/.test(raw) && Number(raw) <= most ? 404 : statusOf(call);
  }

  it("knows nothing under the largest id there can be", async () => {
    for (const { call, parameter } of pathParts()) {
      if (parameter.name === "work_id") continue;
      const what = `${call.name} with ${parameter.name}`;
      const answer = await send(call, withPathPart(call, parameter.name, "2147483647"));
      expect([what, expectProblem(what, answer).status]).toEqual([what, 404]);
    }
  });

  it("refuses text that is no id in a path with a problem", async () => {
    const before = await snapshot(database);
    for (const { call, parameter } of pathParts()) {
      for (const raw of [...NO_TEXTS, "x".repeat(20_000)]) {
        const what = `${call.name} with ${parameter.name} ${raw.slice(0, 20)}`;
        const problem = expectProblem(what, await send(call, withPathPart(call, parameter.name, raw)));
        expectDescribed(call, problem);
        expect([what, problem.status]).toEqual([what, expect.toSatisfy((status) => status < 500, "not our fault")]);
      }
    }
    expect(await snapshot(database)).toBe(before);
  });

  it("names each number in a query that is none or out of range", async () => {
    for (const { call, parameter } of queryParts()) {
      if (parameter.schema.type !== "integer") continue;
      const tooLarge = TOO_LARGE.filter((raw) => Number(raw) > (parameter.schema.maximum ?? 0));
      for (const raw of ["", ...NO_WHOLE_NUMBERS, ...tooLarge, `1&${parameter.name}=2`]) {
        const what = `${call.name} with ${parameter.name}=${raw.slice(0, 20)}`;
        const problem = expectProblem(
          what,
          await send(call, `${buildRequest(call, world).url}?${parameter.name}=${raw}`),
        );
        expectDescribed(call, problem);
        expect([what, problem.status, problem.errors?.[0]?.field]).toEqual([what, statusOf(call), parameter.name]);
      }
    }
  });

  it("takes or names each text in a query, whatever it holds, and refuses NUL", async () => {
    const before = await snapshot(database);
    for (const { call, parameter } of queryParts()) {
      if (parameter.schema.type === "integer" || call.method !== "GET") continue;
      for (const raw of [...NO_TEXTS, "", `a&${parameter.name}=b`]) {
        const what = `${call.name} with ${parameter.name}=${raw.slice(0, 20)}`;
        const answer = await send(call, `${buildRequest(call, world).url}?${parameter.name}=${raw}`);
        if (answer.statusCode < 300 && !raw.includes("%00")) continue;
        const problem = expectProblem(what, answer);
        expectDescribed(call, problem);
        expect([what, problem.status, problem.errors?.[0]?.field]).toEqual([what, statusOf(call), parameter.name]);
      }
    }
    expect(await snapshot(database)).toBe(before);
  });

  it("refuses a value that is not on the list of a query's choices", async () => {
    const choices = queryParts().filter(({ parameter }) => parameter.schema.enum !== undefined);
    expect(choices.length).toBeGreaterThan(0);
    for (const { call, parameter } of choices) {
      const what = `${call.name} with ${parameter.name}`;
      const answer = await send(call, `${buildRequest(call, world).url}?${parameter.name}=neither`);
      const problem = expectProblem(what, answer);
      expectDescribed(call, problem);
      expect([what, problem.status, problem.errors?.[0]?.field]).toEqual([what, statusOf(call), parameter.name]);
    }
  });

  it("passes over names in a query that it does not know, those of prototypes among them", async () => {
    for (const query of [
      "__proto__=1",
      "constructor=1",
      "__proto__[limit]=1",
      "hasOwnProperty=1&toString=2",
      "=",
      "&&&",
    ]) {
      for (const call of listOwnCalls(arena.app).filter(({ method }) => method === "GET")) {
        const answer = await send(call, `${buildRequest(call, world).url}?${query}`);
        const what = `${call.name}?${query}`;
        expect([what, answer.statusCode]).toEqual([what, expect.toBeOneOf([200, 204])]);
      }
    }
    expect(({} as { limit?: unknown }).limit).toBeUndefined();
  });
});
