import { gzipSync } from "node:zlib";
import { BODY_MAX_BYTES } from "@agon/protocol";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DatabaseKind, emptyTables, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, poll, type TestArena } from "../support/test-arena.ts";
import { hasPostgres } from "../support/test-databases.ts";
import {
  type ApiCall,
  BODIES,
  buildRequest,
  isServed,
  listOwnCalls,
  RIGHTFUL_STATUS,
  rightfulHeaders,
  TESSERAX_CALLS,
  toText,
} from "./api-calls.ts";
import { createWorld, snapshot, type World } from "./api-world.ts";
import { expectDescribed, expectProblem, namesPlace } from "./problem-answers.ts";

const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
const manyItems = (item: string) => `[${Array.from({ length: 10_000 }, () => item).join(",")}]`;

/** Raw JSON that stands where a field's value is expected. */
const HOSTILE_VALUES = {
  "a NUL": '"a\\u0000b"',
  "half a surrogate pair": '"a\\ud800"',
  "the other half": '"\\udc00b"',
  "a reversed pair": '"\\ude00\\ud83d"',
  "a prototype": '{"__proto__":{"length":1},"constructor":{"prototype":{}}}',
  "beyond every number": "1e400",
  "below every number": "-1e400",
  "a number that loses digits": "9007199254740993",
  "a fraction": "0.1",
  "minus zero": "-0",
  null: "null",
  true: "true",
  "an empty text": '""',
  "blank text": '" \\t\\n"',
  "100 KB of text": JSON.stringify("x".repeat(100_001)),
  "an object": "{}",
  "an array": "[]",
  "10,000 numbers": manyItems("7"),
  "10,000 texts": manyItems('"x"'),
  "10,000 objects": manyItems("{}"),
  "100,000 levels": nested(100_000),
} as const;

/** Bodies that are not what any call takes, whatever its fields. */
const HOSTILE_BODIES: Record<string, string | Buffer> = {
  "an open brace": '{"name":',
  "a trailing comma": '{"name":"x",}',
  "single quotes": "{'name':'x'}",
  "a bare word": "undefined",
  "two documents": '{"name":"x"}{"name":"y"}',
  "invalid UTF-8": Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
  "UTF-16": Buffer.from('{"name":"x"}', "utf16le"),
  "a form": "name=x&mode=pull",
  "null as a whole": "null",
  "a number as a whole": "7",
  "a text as a whole": '"text"',
  "an array as a whole": "[]",
  "a nested array as a whole": nested(100_000),
  nothing: "",
  blanks: " \r\n\t ",
};

/** Hundreds of requests in one test take their time where other tests run beside it. */
const LONG = 120_000;

/** One is enough for what is tried dozens of times with each call: a server where there is one. */
const kind: DatabaseKind = hasPostgres() ? "postgres" : "pglite";

describe(`hostile bodies on ${kind}`, () => {
  let database: TestDatabase;
  let arena: TestArena;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await emptyTables(database);
    arena = await createTestArena(database, { slowdownSeconds: 0 });
  });
  afterEach(() => arena.stop());

  const callsWithBody = () => listOwnCalls(arena.app).filter(({ name }) => BODIES[name] !== undefined);
  const send = (call: ApiCall, world: World, payload: string | Buffer, headers: Record<string, string> = {}) =>
    arena.app.inject({
      ...buildRequest(call, world),
      payload,
      headers: { "content-type": "application/json", ...rightfulHeaders(call, world), ...headers },
    });
  const statusOf = (call: ApiCall) => (TESSERAX_CALLS.has(call.name) ? 422 : 400);

  it("are refused as a whole, saying what is wrong, and change nothing", async () => {
    const world = await createWorld(database, arena);
    const before = await snapshot(database);
    for (const call of callsWithBody()) {
      for (const [label, payload] of Object.entries(HOSTILE_BODIES)) {
        if (call.bodyIsOptional && ["", " \r\n\t ", "null"].includes(String(payload))) continue;
        const what = `${call.name} with ${label}`;
        const problem = expectProblem(what, await send(call, world, payload));
        expectDescribed(call, problem);
        const wanted = problem.code === "malformed_json" ? 400 : statusOf(call);
        expect([what, problem.status]).toEqual([what, wanted]);
        const says = problem.code === "malformed_json" || problem.errors !== undefined || namesPlace(problem, "body");
        expect([what, problem.detail, says]).toEqual([what, problem.detail, true]);
      }
    }
    expect(await snapshot(database)).toBe(before);
  });

  it(
    "are stored clean or refused by the name of the field, whichever field holds what it should not",
    async () => {
      for (const call of callsWithBody()) {
        const example = BODIES[call.name] as object;
        const list = Array.isArray(example);
        const base = (list ? example[0] : example) as Record<string, unknown>;
        let world = await createWorld(database, arena);
        for (const field of new Set([
          ...(call.bodyFields ?? []),
          ...Object.keys(base),
          ...(EXTRA_FIELDS[call.name] ?? []),
        ])) {
          for (const [label, raw] of Object.entries(HOSTILE_VALUES)) {
            const what = `${call.name} with ${label} as ${field}`;
            const body = toText({ ...base, [field]: "@HERE" }).replace('"@HERE"', () => raw);
            const answer = await send(call, world, list ? `[${body}]` : body);
            if (answer.statusCode < 300) {
              // A result is taken once only: the next case needs work of its own.
              if (call.auth === "agent") world = await createWorld(database, arena);
              continue;
            }
            const problem = expectProblem(what, answer);
            expectDescribed(call, problem);
            if (answer.statusCode === RIGHTFUL_STATUS[call.name]) continue;
            expect([what, problem.detail, statusesOf(call).includes(problem.status)]).toEqual([
              what,
              problem.detail,
              true,
            ]);
            expect([what, problem.detail, namesPlace(problem, field)]).toEqual([what, problem.detail, true]);
          }
        }
      }
      const stored = await snapshot(database);
      expect(stored.isWellFormed()).toBe(true);
      expect(stored).not.toContain("\\u0000");
    },
    LONG,
  );

  /** Fields that a call takes and its description does not name, since it reads the body itself. */
  const EXTRA_FIELDS: Record<string, string[]> = {
    "POST /api/admin/prompts": ["external_id", "deadline_seconds", "check", "reference", "source"],
    "POST /api/agents/{agent_id}/work/{work_id}/result": ["error", "latency_ms"],
  };
  /** A name that is taken and an agent that cannot be changed so are clashes, not faults of form. */
  const statusesOf = (call: ApiCall) => [statusOf(call), 409];

  it("are refused when a check inside a prompt holds what cannot be stored", async () => {
    const world = await createWorld(database, arena);
    const before = await snapshot(database);
    const call = callsWithBody().find(({ name }) => name === "POST /api/admin/prompts") as ApiCall;
    const checks = [
      '{"kind":"exact","value":"a\\u0000"}',
      '{"kind":"exact","value":"\\ud800"}',
      '{"kind":"contains","any":["\\udc00"]}',
      '{"kind":"json-schema","schema":{"const":"\\u0000"}}',
      `{"kind":"json-schema","schema":{"const":${nested(100_000)}}}`,
    ];
    for (const check of checks) {
      const payload = `[{"prompt":"good","category":"good"},{"prompt":"bad","category":"bad","check":${check}}]`;
      const problem = expectProblem(check.slice(0, 60), await send(call, world, payload));
      expect([check.slice(0, 60), problem.status]).toEqual([check.slice(0, 60), 400]);
    }
    expect(await snapshot(database)).toBe(before);
  });

  it("give no power through keys of prototypes", async () => {
    for (const call of callsWithBody()) {
      const world = await createWorld(database, arena);
      const before = await arena.app.inject({
        url: "/api/account",
        headers: { authorization: `Bearer ${world.owner.apiKey}` },
      });
      const fields = '"username":"polluted","name":"polluted","mode":"pull","retired":true,"response":"polluted"';
      for (const body of [`{"__proto__":{${fields}}}`, `{"constructor":{"prototype":{${fields}}}}`]) {
        const answer = await send(call, world, body);
        expect([call.name, answer.statusCode]).toEqual([
          call.name,
          expect.toSatisfy((status) => status < 500, "no 500"),
        ]);
        if (answer.statusCode >= 300) expectProblem(call.name, answer);
      }
      const after = await arena.app.inject({
        url: "/api/account",
        headers: { authorization: `Bearer ${world.owner.apiKey}` },
      });
      expect([call.name, after.json()]).toEqual([call.name, before.json()]);
    }
    expect(await snapshot(database)).not.toContain("polluted");
    expect(({} as { name?: unknown }).name).toBeUndefined();
  });

  it("of one byte too many are refused with 413, by every call, and those of just the limit are read", async () => {
    const world = await createWorld(database, arena);
    const before = await snapshot(database);
    for (const call of listOwnCalls(arena.app).filter(({ method }) => method !== "GET")) {
      const limit = call.name === "POST /api/admin/prompts" ? 32 * BODY_MAX_BYTES : BODY_MAX_BYTES;
      if (limit > BODY_MAX_BYTES && kind === "pglite") continue;
      const problem = expectProblem(call.name, await send(call, world, Buffer.alloc(limit + 1, " ")));
      expectDescribed(call, problem);
      expect([call.name, problem.code, problem.detail]).toEqual([
        call.name,
        "payload_too_large",
        expect.stringContaining(String(limit)),
      ]);
    }
    expect(await snapshot(database)).toBe(before);
    const [patch] = callsWithBody();
    const answer = await send(patch as ApiCall, world, `{"bio":"short"}${" ".repeat(BODY_MAX_BYTES - 15)}`);
    expect([answer.statusCode, answer.json().bio]).toEqual([200, "short"]);
  });

  it("that are compressed are refused with 415 and a hint, by every call", async () => {
    const world = await createWorld(database, arena);
    const before = await snapshot(database);
    for (const call of callsWithBody()) {
      for (const encoding of ["gzip", "br", "deflate", "x-gzip", "gzip, gzip", "GZIP", "zstd"]) {
        const payload = gzipSync(JSON.stringify(BODIES[call.name]));
        const problem = expectProblem(call.name, await send(call, world, payload, { "content-encoding": encoding }));
        expectDescribed(call, problem);
        expect([call.name, encoding, problem.code]).toEqual([call.name, encoding, "unsupported_media_type"]);
        expect(problem.detail).toContain("without Content-Encoding");
      }
    }
    expect(await snapshot(database)).toBe(before);
    const [patch] = callsWithBody();
    const plain = await send(patch as ApiCall, world, '{"bio":"plain"}', { "content-encoding": "identity" });
    expect(plain.json().bio).toBe("plain");
  });

  it(
    "of any content type, or of none, are read as JSON",
    async () => {
      const types = [
        "application/json; charset=utf-8",
        "application/vnd.arena+json",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "json",
        "/",
        ";;;",
        "a/b/c",
        "application/json; charset=utf-16",
      ];
      for (const call of callsWithBody()) {
        let world = await createWorld(database, arena);
        for (const type of types) {
          // A result is taken once only.
          if (call.auth === "agent") world = await createWorld(database, arena);
          const answer = await send(call, world, toText(BODIES[call.name]), { "content-type": type });
          expect([call.name, type, answer.statusCode, isServed(call, answer.statusCode)]).toEqual([
            call.name,
            type,
            answer.statusCode,
            true,
          ]);
        }
        if (call.auth === "agent") world = await createWorld(database, arena);
        const bare = await arena.app.inject({ ...buildRequest(call, world), headers: rightfulHeaders(call, world) });
        expect([call.name, isServed(call, bare.statusCode)]).toEqual([call.name, true]);
      }
    },
    LONG,
  );

  it("are not asked for where a call takes none, and JSON there is passed over", async () => {
    for (const call of listOwnCalls(arena.app).filter(
      ({ method, name }) => method !== "GET" && BODIES[name] === undefined,
    )) {
      for (const payload of ["", "{}", "[1]", '{"unknown":true}']) {
        const world = await createWorld(database, arena);
        const answer = await send(call, world, payload);
        expect([call.name, payload, answer.statusCode, isServed(call, answer.statusCode)]).toEqual([
          call.name,
          payload,
          answer.statusCode,
          true,
        ]);
      }
    }
  }, 120_000);

  it("leave work in hand that they fail to answer", async () => {
    const world = await createWorld(database, arena);
    const call = listOwnCalls(arena.app).find(({ path }) => path.endsWith("/result")) as ApiCall;
    for (const payload of [...Object.values(HOSTILE_BODIES), Buffer.alloc(BODY_MAX_BYTES + 1, " ")]) {
      expect((await send(call, world, payload)).statusCode).toBeGreaterThanOrEqual(400);
    }
    expect((await poll(arena, world.owner)).json()).toMatchObject({ work_id: world.ids.work_id });
    const answer = await send(call, world, '\uFEFF{"response":"sound in the end \\ud83d\\ude00"}');
    expect(answer.json()).toEqual({ work_id: world.ids.work_id, recorded: true });
  });
});
