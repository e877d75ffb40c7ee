import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DataDirectoryError, openDataDirectory } from "../../src/db/data-directory.ts";

const MODULE = fileURLToPath(new URL("../../src/db/data-directory.ts", import.meta.url));

describe("the data directory", () => {
  let folder: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "agon-data-"));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  const lock = () => join(folder, "lock");
  const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);

  /** A process that opens the directory, says how that went, and lives on until its input closes. */
  async function openElsewhere(): Promise<{ child: ChildProcess; said: string }> {
    const script = `
      import { openDataDirectory } from ${JSON.stringify(MODULE)};
      try { openDataDirectory(${JSON.stringify(folder)}); console.log("held by " + process.pid); }
      catch (error) { console.log(error.message); }
      process.stdin.on("end", () => process.exit(0)).resume();`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    children.push(child);
    const [said] = await once(child.stdout, "data");
    return { child, said: String(said).trim() };
  }

  it("is made with all that belongs to it, closed to everybody else", () => {
    const path = join(folder, "new", "deeper");
    const made = openDataDirectory(path);
    expect(made.databaseFolder).toBe(join(path, "database"));
    expect(made.secretKey.length).toBeGreaterThanOrEqual(32);
    expect(made.adminKey).toMatch(/^admin_[A-Za-z0-9_-]{32}$/);
    expect(made.adminKeyIsNew).toBe(true);
    expect((statSync(path).mode & 0o777).toString(8)).toBe("700");
    for (const name of ["lock", "secret.key", "admin.key"]) {
      expect([name, modeOf(join("new", "deeper", name))]).toEqual([name, "600"]);
    }
    made.release();
    expect(readdirSync(path).sort()).toEqual(["admin.key", "secret.key"]);
  });

  it("keeps its keys from start to start, and closes the files of those again that somebody opened", () => {
    const first = openDataDirectory(folder);
    first.release();
    for (const name of ["secret.key", "admin.key"]) chmodSync(join(folder, name), 0o644);
    const second = openDataDirectory(folder);
    expect([second.secretKey, second.adminKey]).toEqual([first.secretKey, first.adminKey]);
    expect(second.adminKeyIsNew).toBe(false);
    expect([modeOf("secret.key"), modeOf("admin.key")]).toEqual(["600", "600"]);
    second.release();
  });

  it("takes keys that the operator wrote, and makes one where a file is empty, telling it as new", () => {
    writeFileSync(join(folder, "secret.key"), "  written by hand, with a line break \n");
    writeFileSync(join(folder, "admin.key"), "\n");
    const opened = openDataDirectory(folder);
    expect(opened.secretKey).toBe("written by hand, with a line break");
    expect([opened.adminKey, opened.adminKeyIsNew]).toEqual([expect.stringMatching(/^admin_/), true]);
    expect(readFileSync(join(folder, "admin.key"), "utf8").trim()).toBe(opened.adminKey);
    opened.release();
  });

  it("cannot be opened twice; the second is told by which process it is held", () => {
    const first = openDataDirectory(folder);
    expect(() => openDataDirectory(folder)).toThrow(
      new DataDirectoryError(
        `the data directory ${folder} is in use by process ${process.pid}; stop that one, or choose another with --data`,
      ),
    );
    first.release();
    openDataDirectory(folder).release();
  });

  it("stays held by another process as long as that lives, and is taken over when it was killed", async () => {
    const { child, said } = await openElsewhere();
    expect(said).toBe(`held by ${child.pid}`);
    expect(() => openDataDirectory(folder)).toThrow(`in use by process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(existsSync(lock())).toBe(true);
    const taken = openDataDirectory(folder);
    expect(readFileSync(lock(), "utf8")).toMatch(new RegExp(`^${process.pid} `));
    taken.release();
    expect(existsSync(lock())).toBe(false);
  });

  it("is taken over from a lock that names nobody", () => {
    const gone = spawnSync(process.execPath, ["-e", ""]).pid;
    for (const content of ["", "\n", "nonsense", "-1 5", "0", "1.5", "99999999999 1", `${gone} 12345`, `${gone}`]) {
      writeFileSync(lock(), content);
      const opened = openDataDirectory(folder);
      expect([content, readFileSync(lock(), "utf8").split(" ")[0]]).toEqual([content, String(process.pid)]);
      opened.release();
    }
  });

  it.skipIf(!existsSync("/proc/self/stat"))(
    "is taken over from a process of the same number that began at another time, our own number included",
    () => {
      for (const pid of [process.ppid, process.pid]) {
        writeFileSync(lock(), `${pid} 1\n`);
        openDataDirectory(folder).release();
      }
    },
  );

  it("stays held when the lock does not say when a living process began", () => {
    for (const pid of [process.ppid, process.pid]) {
      writeFileSync(lock(), `${pid}\n`);
      expect(() => openDataDirectory(folder)).toThrow(`in use by process ${pid}`);
    }
  });

  it("goes to exactly one of many processes that start at once on a stale lock", async () => {
    for (let round = 0; round < 3; round += 1) {
      writeFileSync(lock(), "99999999 1\n");
      const opened = await Promise.all(Array.from({ length: 6 }, openElsewhere));
      const holders = opened.filter(({ said }) => said.startsWith("held by"));
      expect([round, opened.map(({ said }) => said), holders.length]).toEqual([round, expect.anything(), 1]);
      expect(readFileSync(lock(), "utf8")).toMatch(new RegExp(`^${holders[0]?.child.pid} `));
      expect(readdirSync(folder).filter((name) => name.startsWith("lock"))).toEqual(["lock"]);
      for (const { child } of opened) child.kill("SIGKILL");
      await Promise.all(opened.map(({ child }) => child.exitCode ?? child.signalCode ?? once(child, "exit")));
    }
  });

  it("lets go only of a lock that is still its own", () => {
    const opened = openDataDirectory(folder);
    writeFileSync(lock(), `${process.ppid}\n`);
    opened.release();
    expect(readFileSync(lock(), "utf8")).toBe(`${process.ppid}\n`);
  });

  it("says what is wrong when it cannot be used, and holds no lock then", () => {
    writeFileSync(join(folder, "file"), "");
    expect(() => openDataDirectory(join(folder, "file", "data"))).toThrow(DataDirectoryError);
    expect(() => openDataDirectory(join(folder, "file"))).toThrow(/^the data directory .*file cannot be used: /);
    mkdirSync(join(folder, "secret.key"));
    expect(() => openDataDirectory(folder)).toThrow(/^the data directory .* cannot be used: /);
    expect(readdirSync(folder).sort()).toEqual(["file", "secret.key"]);
  });
});
