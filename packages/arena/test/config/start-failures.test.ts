import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ConfigInput, loadConfig } from "../../src/config.ts";
import { type OpenedArena, openArena, StartError } from "../../src/open-arena.ts";
import { freshPostgresUrl, hasPostgres } from "../support/test-databases.ts";

const log = pino({ level: "silent" });
const secretKey = "a key of thirty-two characters!!";
let folder: string;
const opened: OpenedArena[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agon-start-"));
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(settings: ConfigInput, empty = true): Promise<OpenedArena> {
  const arena = await openArena(loadConfig({ port: 0, dataDir: folder, ...settings }).config, { log, empty });
  opened.push(arena);
  return arena;
}

/** What a start that cannot be says: one line, without any stack or secret. */
async function refusal(settings: ConfigInput): Promise<string> {
  const error = await open(settings).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StartError);
  const { message } = error as StartError;
  expect(message).not.toMatch(/\n|hunter2|\bat .*:\d+:\d+/);
  expect(message.length).toBeLessThan(500);
  return message;
}

describe("an arena with the embedded database", () => {
  // Making a database takes seconds, copying one does not: every test but those of the first start begins with a copy.
  let first: string;
  let adminKey: string | undefined;
  let prompts: unknown;
  beforeAll(async () => {
    first = mkdtempSync(join(tmpdir(), "agon-start-"));
    const { arena, newAdminKey, dataDirectory } = await open({ dataDir: first }, false);
    expect(dataDirectory).toBe(first);
    adminKey = newAdminKey;
    prompts = await listPrompts(arena);
    await opened.pop()?.close();
  });
  afterAll(() => rmSync(first, { recursive: true, force: true }));

  const copy = () => cpSync(first, folder, { recursive: true });
  const listPrompts = async ({ app }: OpenedArena["arena"], key = adminKey) => {
    const answer = await app.inject({ url: "/api/admin/prompts", headers: { authorization: `Bearer ${key}` } });
    expect(answer.statusCode).toBe(200);
    return answer.json();
  };

  it("has made keys and loaded the shipped prompts after its first start, and lets go of the directory at its end", () => {
    expect(adminKey).toMatch(/^admin_/);
    expect(prompts).toMatchObject({ total: expect.toSatisfy((total) => total > 5, "several"), offset: 0 });
    expect(readdirSync(first).sort()).toEqual(["admin.key", "database", "secret.key"]);
  });

  it("starts again with what it had", async () => {
    copy();
    const { arena, newAdminKey } = await open({}, false);
    expect(newAdminKey).toBeUndefined();
    expect(await listPrompts(arena)).toEqual(prompts);
  });

  it("does not show a key that the operator set as if it had made it", async () => {
    copy();
    rmSync(join(folder, "admin.key"));
    const { arena, newAdminKey } = await open({ adminKey: "the_operators_own_key" });
    expect(newAdminKey).toBeUndefined();
    await listPrompts(arena, "the_operators_own_key");
  });

  it("refuses a directory that is in use, naming the process that holds it", async () => {
    copy();
    await open({});
    expect(await refusal({})).toBe(
      `the data directory ${folder} is in use by process ${process.pid}; stop that one, or choose another with --data`,
    );
  });

  it("refuses a directory that is none", async () => {
    writeFileSync(join(folder, "file"), "");
    expect(await refusal({ dataDir: join(folder, "file") })).toMatch(/^the data directory .*file cannot be used: /);
  });

  it("refuses a database that it cannot read, and lets go of the directory", async () => {
    mkdirSync(join(folder, "database"));
    writeFileSync(join(folder, "database", "PG_VERSION"), "3\n");
    expect(await refusal({})).toContain(`the database in ${join(folder, "database")} cannot be opened: `);
    expect(await refusal({})).not.toContain("in use");
  });

  it("refuses another sealing key than the first, whether set or in the file, and lets go of the directory", async () => {
    copy();
    expect(await refusal({ secretKey })).toContain("AGON_SECRET_KEY is not the key");
    const kept = readFileSync(join(folder, "secret.key"), "utf8");
    writeFileSync(join(folder, "secret.key"), secretKey);
    expect(await refusal({})).toContain("AGON_SECRET_KEY is not the key");
    await open({ secretKey: kept.trim() });
  });
});

describe("an arena on PostgreSQL", () => {
  it("is refused without a sealing key, before the server is asked", async () => {
    expect(await refusal({ databaseUrl: "postgres://agon:hunter2@127.0.0.1:1/agon" })).toMatch(
      /^AGON_SECRET_KEY is not set\. .*32 characters/,
    );
  });

  it("is refused when nobody listens at the server's address", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, "close");
    const message = await refusal({ secretKey, databaseUrl: `postgres://agon:hunter2@127.0.0.1:${port}/agon` });
    expect(message).toContain(`the database at postgres://agon:***@127.0.0.1:${port}/agon cannot be used: `);
    expect(message).toContain("ECONNREFUSED");
  });

  it("is refused when the server's name leads nowhere", async () => {
    const message = await refusal({ secretKey, databaseUrl: "postgres://agon:hunter2@nowhere.invalid/agon" });
    expect(message).toMatch(/nowhere\.invalid\/agon cannot be used: .*(ENOTFOUND|EAI_AGAIN|timeout)/);
  });

  it("is refused when what listens there is no PostgreSQL", async () => {
    const server = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { port: number };
    expect(await refusal({ secretKey, databaseUrl: `postgres://agon@127.0.0.1:${port}/agon` })).toMatch(
      /cannot be used: \S/,
    );
    server.close();
  });

  it("is refused when the URL cannot be read, without showing any of it", async () => {
    for (const databaseUrl of ["postgres://agon:hunter2@[half/agon", "postgres://agon:hunter2@host:port/agon"]) {
      expect(await refusal({ secretKey, databaseUrl })).toMatch(/^the database at the given URL cannot be used: /);
    }
  });

  it("hides a password that stands in the query of the URL", async () => {
    const message = await refusal({
      secretKey,
      databaseUrl: "postgres://127.0.0.1:1/agon?user=agon&password=hunter2",
    });
    expect(message).toContain("password=***");
  });
});

describe.skipIf(!hasPostgres())("an arena on a PostgreSQL that is there", () => {
  let fresh: Awaited<ReturnType<typeof freshPostgresUrl>>;
  beforeEach(async () => {
    fresh = await freshPostgresUrl();
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
    await fresh.drop();
  });

  it("starts, and again beside itself under the same key", async () => {
    const first = await open({ secretKey, databaseUrl: fresh.url });
    const second = await open({ secretKey, databaseUrl: fresh.url });
    expect([first.newAdminKey, first.dataDirectory]).toEqual([undefined, undefined]);
    for (const { arena } of [first, second]) expect((await arena.app.inject("/readyz")).statusCode).toBe(200);
  });

  it("loads the shipped prompts once when two nodes start at the same moment", async () => {
    const nodes = await Promise.all(
      [1, 2].map(() => open({ secretKey, databaseUrl: fresh.url, adminKey: "admin_0123456789" }, false)),
    );
    const headers = { authorization: "Bearer admin_0123456789" };
    const lists = await Promise.all(
      nodes.map(({ arena }) => arena.app.inject({ url: "/api/admin/prompts?kind=gym", headers })),
    );
    for (const list of lists) expect(list.json().total).toBe(5);
  });

  it("is refused under another sealing key than the first", async () => {
    await open({ secretKey, databaseUrl: fresh.url });
    expect(await refusal({ secretKey: `${secretKey} `.repeat(2), databaseUrl: fresh.url })).toContain(
      "AGON_SECRET_KEY is not the key that this database's secrets are sealed with",
    );
  });

  it("is refused when the database does not exist", async () => {
    const url = new URL(fresh.url);
    url.pathname = "/no_such_database";
    url.password = "hunter2";
    expect(await refusal({ secretKey, databaseUrl: url.href })).toMatch(
      /^the database at postgres:\/\/postgres:\*\*\*@.*\/no_such_database cannot be used: database "no_such_database" does not exist$/,
    );
  });

  it("is refused when its user does not exist, or may not make tables, in the server's own words", async () => {
    const url = new URL(fresh.url);
    url.username = "nobody_here";
    expect(await refusal({ secretKey, databaseUrl: url.href })).toContain('role "nobody_here" does not exist');
    const client = new Client({ connectionString: fresh.url });
    await client.connect();
    const role = `agon_reader_${process.pid}_${Date.now()}`;
    await client.query(`create role ${role} login; revoke create on schema public from public`);
    url.username = role;
    expect(await refusal({ secretKey, databaseUrl: url.href })).toMatch(
      /cannot be used: permission denied for schema public$/,
    );
    await client.query(`drop role ${role}`);
    await client.end();
  });
});
