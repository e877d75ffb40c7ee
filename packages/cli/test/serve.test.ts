import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createHome, type Home, type Started } from "./run-agon.ts";

describe("agon serve", () => {
  let home: Home;
  let folder: string;
  const started: Started[] = [];
  beforeEach(() => {
    const made = createHome();
    const start: Home["start"] = (args, env) => {
      const process = made.start(args, env);
      started.push(process);
      return process;
    };
    home = { ...made, start, run: (args, env) => start(args, env).finished, [Symbol.dispose]: made[Symbol.dispose] };
    folder = mkdtempSync(join(tmpdir(), "agon-serve-"));
  });
  afterEach(() => {
    // A server that a failed test leaves behind would run for ever.
    for (const { child } of started.splice(0)) child.kill("SIGKILL");
    home[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it("says what to open and type, refuses a second holder by name, and ends with 0 when asked to", async () => {
    const first = home.start(["serve", "--data", folder, "--port", "0", "--samples"]);
    await first.seen("Stop");
    const url = /Arena\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(first.text())?.[1] as string;
    for (const text of ["embedded, in", "calculator, almanac, parrot", "the ladder, judging"]) {
      expect(first.text()).toContain(text);
    }
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const key = /^ +(admin_\S+)$/m.exec(first.text())?.[1];
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${url}/api/admin/overview`, { headers })).status).toBe(200);
    expect(await (await fetch(`${url}/api/leaderboard`)).json()).toMatchObject({ total: 3 });

    const second = await home.run(["serve", "--data", folder, "--port", "0"]);
    expect([second.code, second.stdout]).toEqual([2, ""]);
    expect(second.stderr.trim().split("\n")).toEqual([
      expect.stringContaining(`is in use by process ${first.child.pid}; stop that one, or choose another with --data`),
    ]);

    first.child.kill("SIGTERM");
    expect((await first.finished).code).toBe(0);
    const again = home.start(["serve", "--data", folder, "--port", "0"]);
    await again.seen("Stop");
    expect(again.text()).not.toContain("admin_");
    expect(again.text()).toContain(`with the key in ${join(folder, "admin.key")}`);
    again.child.kill("SIGINT");
    expect((await again.finished).code).toBe(0);
  }, 120_000);

  describe("that cannot start", () => {
    const taken = createServer();
    beforeAll(async () => {
      taken.listen(0, "127.0.0.1");
      await once(taken, "listening");
    });
    afterAll(() => void taken.close());

    it.each<[string, (data: string) => [string[], NodeJS.ProcessEnv?], RegExp]>([
      [
        "on a taken port",
        (data) => [["--data", data, "--port", String((taken.address() as AddressInfo).port)]],
        /is taken by another program; choose another port with --port$/,
      ],
      ["with a port that is none", (data) => [["--data", data, "--port", "many"]], /^AGON_PORT: /],
      ["with a wrong setting", (data) => [["--data", data], { AGON_REGISTRATION: "ajar" }], /^AGON_REGISTRATION: /],
      [
        "without a key for PostgreSQL",
        () => [["--database-url", "postgres://127.0.0.1:1/x"]],
        /^AGON_SECRET_KEY is not set/,
      ],
      [
        "on a database that nobody serves",
        () => [["--database-url", "postgres://u:secret@127.0.0.1:1/x"], { AGON_SECRET_KEY: "k".repeat(32) }],
        /^the database at postgres:\/\/u:\*\*\*@127\.0\.0\.1:1\/x cannot be used: .*ECONNREFUSED/,
      ],
      ["with a URL of another database", () => [["--database-url", "mysql://x"]], /^AGON_DATABASE_URL: must begin/],
      [
        "in a folder where nobody can make one",
        () => [["--data", "/proc/nowhere"]],
        /^the data directory \/proc\/nowhere cannot be used: ENOENT/,
      ],
      [
        "in a folder that it cannot make",
        (data) => {
          writeFileSync(join(data, "file"), "");
          return [["--data", join(data, "file", "data")]];
        },
        /^the data directory \S+\/file\/data cannot be used: ENOTDIR/,
      ],
    ])("%s says why in one line and ends with 2", async (_name, call, says) => {
      const [flags, env] = call(folder);
      const ended = await home.run(["serve", "--port", "0", ...flags], env);
      expect([ended.code, ended.stdout]).toEqual([2, ""]);
      const lines = ended.stderr.trim().split("\n");
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(says);
    });

    it("names every wrong setting at once, and the nearest name of one that it does not know", async () => {
      const ended = await home.run(["serve", "--data", folder], {
        AGON_PORT: "x",
        AGON_REGISTRATION: "ajar",
      });
      expect(ended.code).toBe(2);
      expect(ended.stderr).toContain("AGON_PORT");
      expect(ended.stderr).toContain("AGON_REGISTRATION");
      const server = home.start(["serve", "--data", folder, "--port", "0"], { AGON_REGISTRATON: "closed" });
      await server.seen("Stop");
      server.child.kill("SIGTERM");
      expect((await server.finished).stderr).toContain("did you mean AGON_REGISTRATION?");
    });
  });
});
