import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join, resolve } from "node:path";

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
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataDirectoryError(`the data directory ${folder} cannot be made: ${(error as Error).message}`);
  }
  const lock = join(folder, "lock");
  takeLock(lock, folder);
  const databaseFolder = join(folder, "database");
  const adminKeyIsNew = !existsSync(join(folder, "admin.key"));
  return {
    databaseFolder,
    secretKey: loadOrMakeKey(join(folder, "secret.key"), () => randomBytes(32).toString("base64url")),
    adminKey: loadOrMakeKey(join(folder, "admin.key"), () => `admin_${randomBytes(24).toString("base64url")}`),
    adminKeyIsNew,
    release: () => rmSync(lock, { force: true }),
  };
}

function takeLock(lock: string, folder: string) {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const file = openSync(lock, "wx", 0o600);
      writeSync(file, `${process.pid} ${startOf(process.pid) ?? ""}\n`);
      closeSync(file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw new DataDirectoryError(`the data directory ${folder} cannot be written: ${(error as Error).message}`);
      }
    }
    const [pid = "", startedAt = ""] = readIfThere(lock).trim().split(" ");
    if (isHeld(Number(pid), startedAt)) {
      throw new DataDirectoryError(
        `the data directory ${folder} is in use by process ${pid}; stop that one, or choose another with --data`,
      );
    }
    rmSync(lock, { force: true });
  }
  throw new DataDirectoryError(`the data directory ${folder} is being taken by another process at this moment`);
}

function isHeld(pid: number, startedAt: string): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return pid === process.pid;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  // After a restart of the machine the same number may belong to somebody else's process.
  const now = startOf(pid);
  return now === undefined || startedAt === "" || now === startedAt;
}

/** When a process began, in the kernel's ticks; undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // The command in parentheses may hold spaces; the 22nd field counts from behind it.
  return stat === "" ? undefined : stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function loadOrMakeKey(path: string, make: () => string): string {
  const kept = readIfThere(path).trim();
  if (kept !== "") {
    chmodSync(path, 0o600);
    return kept;
  }
  const key = make();
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return key;
}
