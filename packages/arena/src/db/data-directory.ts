import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The data directory cannot be used; the message says why and what to do. */
export class DataDirectoryError extends Error {
  override name = "DataDirectoryError";
}

export interface DataDirectory {
  /** Where the embedded database lives. */
  databaseFolder: string;
  /** The key that seals agents' secrets, made on first use. */
  secretKey: string;
  /** The operator's key, made on first use. */
  adminKey: string;
  /** Whether this start made the operator's key. */
  adminKeyIsNew: boolean;
  release(): void;
}

/**
 * Takes the data directory for this process. Two processes on one embedded database would destroy it, so the holder's
 * process id stands in `lock`; the lock of a process that is gone is taken over.
 *
 * @throws DataDirectoryError when another process holds it or it is not ours to write
 */
export function openDataDirectory(path: string): DataDirectory {
  const folder = resolve(path);
  const lock = join(folder, "lock");
  const holder = orRefuse(folder, () => {
    makeFolder(folder);
    return takeLock(lock, folder);
  });
  const release = () => {
    if (readIfThere(lock) === holder) rmSync(lock, { force: true });
  };
  try {
    return orRefuse(folder, () => {
      const secretKey = loadOrMakeKey(join(folder, "secret.key"), () => randomBytes(32).toString("base64url"));
      const adminKey = loadOrMakeKey(join(folder, "admin.key"), () => `admin_${randomBytes(24).toString("base64url")}`);
      return {
        databaseFolder: join(folder, "database"),
        secretKey: secretKey.text,
        adminKey: adminKey.text,
        adminKeyIsNew: adminKey.isNew,
        release,
      };
    });
  } catch (error) {
    release();
    throw error;
  }
}

function orRefuse<Result>(folder: string, attempt: () => Result): Result {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof DataDirectoryError) throw error;
    throw new DataDirectoryError(`the data directory ${folder} cannot be used: ${(error as Error).message}`);
  }
}

/** Step by step, because Node's own recursive way never ends where a file system refuses with "no such file". */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * Writes the lock and returns its content. It gets its name by a link when it is written: an open file that is still
 * empty would look like the lock of nobody to a process that starts at the same moment.
 */
function takeLock(lock: string, folder: string): string {
  const own = `${process.pid} ${startOf(process.pid) ?? ""}\n`;
  const prepared = `${lock}.${process.pid}`;
  writeFileSync(prepared, own, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      if (linkUnlessThere(prepared, lock)) return own;
      const holder = readIfThere(lock);
      const [pid = "", startedAt = ""] = holder.trim().split(" ");
      if (isHeld(Number(pid), startedAt)) {
        throw new DataDirectoryError(
          `the data directory ${folder} is in use by process ${pid}; stop that one, or choose another with --data`,
        );
      }
      takeAway(lock, holder);
    }
  } finally {
    rmSync(prepared, { force: true });
  }
  throw new DataDirectoryError(`the data directory ${folder} is being taken by another process at this moment`);
}

/** Removes a stale lock, and nothing else: another process may have replaced it since it was read. */
function takeAway(lock: string, stale: string): void {
  const aside = `${lock}.stale.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  if (readIfThere(aside) !== stale) linkUnlessThere(aside, lock);
  rmSync(aside, { force: true });
}

function linkUnlessThere(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function isHeld(pid: number, startedAt: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Alive, but somebody else's; every other answer means that there is no such process.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // The same number may belong to somebody else's process after a restart of the machine, and to this very one in a
  // container, where each start gets the same.
  const now = startOf(pid);
  return now === undefined || startedAt === "" || now === startedAt;
}

/** When a process began, in the kernel's ticks; undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command in parentheses may hold spaces; the 22nd field counts from behind it.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  } catch {
    return undefined;
  }
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** A key file appears whole or not at all: half a key would be taken for one at the next start. */
function loadOrMakeKey(path: string, make: () => string): { text: string; isNew: boolean } {
  const kept = readIfThere(path).trim();
  if (kept !== "") {
    chmodSync(path, 0o600);
    return { text: kept, isNew: false };
  }
  const text = make();
  const prepared = `${path}.${process.pid}`;
  writeFileSync(prepared, `${text}\n`, { mode: 0o600 });
  renameSync(prepared, path);
  return { text, isNew: true };
}
