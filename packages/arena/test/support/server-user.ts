import { readFileSync } from "node:fs";

/** The account that the server runs under; undefined means "the one that runs the tests". */
export interface ServerUser {
  name: string;
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root, so root hands it to `postgres`, else to `nobody`. A bare number would not do:
 * initdb looks its user up by uid and stops when there is no passwd entry.
 */
export function findServerUser(passwd = readPasswd()): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const wanted of ["postgres", "nobody"]) {
    const line = passwd.split("\n").find((entry) => entry.startsWith(`${wanted}:`));
    const [name, , uid, gid] = line?.split(":") ?? [];
    if (name && uid && gid) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("running as root, and neither postgres nor nobody has a passwd entry to run PostgreSQL under");
}

function readPasswd(): string {
  try {
    return readFileSync("/etc/passwd", "utf8");
  } catch {
    return "";
  }
}

/** The part of spawn's options that makes a child run as that user. */
export function spawnAs(user: ServerUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}
