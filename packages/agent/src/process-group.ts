import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** The first look comes soon, since most programs obey within a few ms; later ones are rarer, a look is not free. */
const FIRST_LOOK_MS = 5;
const LAST_LOOK_MS = 80;

/** Environment variable that marks everything a command starts, so that what leaves its process group is found too. */
export const COMMAND_MARK_VARIABLE = "AGON_COMMAND_MARK";

/** A command that runs in a process group of its own. */
export interface CommandGroup {
  /** Process id of the leader, which is the group's id as well. */
  readonly pid: number;
  /** The value of {@link COMMAND_MARK_VARIABLE} in the command's environment. */
  readonly mark: string;
}

/** Sends a signal; false when it reached nobody. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // ESRCH: nobody is left. EPERM: only the dead (macOS) or somebody else's; neither is ours to wait for.
    return false;
  }
}

/** State and group of a process, from the fields after its name, which stands in parentheses and may hold spaces. */
function readStat(pid: string): { state: string; group: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)!.split(" ");
  return { state: fields[0]!, group: Number(fields[2]) };
}

function listProcesses<T>(read: (pid: string) => T[]): T[] {
  return readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      return read(entry);
    } catch {
      return []; // gone meanwhile, or another user's
    }
  });
}

/**
 * Processes that carry the command's mark but left its group: tools that are started in a session of their own, as
 * coding agents do with their shells. Known on Linux only; elsewhere the group is all that is ended.
 */
function findStrays(group: CommandGroup): number[] {
  if (process.platform !== "linux") return [];
  const wanted = `${COMMAND_MARK_VARIABLE}=${group.mark}`;
  return listProcesses((pid) => {
    const isMarked = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(wanted);
    return isMarked && readStat(pid).group !== group.pid ? [Number(pid)] : [];
  });
}

/**
 * Whether anybody in the group still lives. Signal 0 also reaches the dead whom nobody has collected, and in a container
 * without an init process nobody ever does; so on Linux the states are looked at.
 */
function isGroupAlive(group: CommandGroup): boolean {
  if (!send(-group.pid, 0)) return false;
  if (process.platform !== "linux") return true;
  return listProcesses((pid) => [readStat(pid)]).some((stat) => stat.group === group.pid && !isDead(stat.state));
}

function isProcessAlive(pid: number): boolean {
  try {
    return !isDead(readStat(String(pid)).state);
  } catch {
    return false;
  }
}

function isDead(state: string): boolean {
  return state === "Z" || state === "X";
}

/** Looks until `isAlive` says no; false when the grace ran out before. */
async function waitForEnd(isAlive: () => boolean, graceMs: number): Promise<boolean> {
  const until = performance.now() + graceMs;
  for (let lookMs = FIRST_LOOK_MS; isAlive(); lookMs = Math.min(lookMs * 2, LAST_LOOK_MS)) {
    const leftMs = until - performance.now();
    if (leftMs <= 0) return false;
    await delay(Math.min(lookMs, leftMs));
  }
  return true;
}

/**
 * Ends a command and all it started: SIGTERM, then SIGKILL for what is left after `graceMs`. Resolves when nobody is
 * left or everybody got SIGKILL, so a trapped signal holds it for the grace and no longer.
 */
export async function endCommand(group: CommandGroup, graceMs: number): Promise<void> {
  const strays = findStrays(group);
  send(-group.pid, "SIGTERM");
  for (const pid of strays) send(pid, "SIGTERM");
  await waitForEnd(() => isGroupAlive(group) || strays.some(isProcessAlive), graceMs);
  killCommand(group);
}

/** Ends a command and all it started at once, without the chance to clean up. */
function killCommand(group: CommandGroup): void {
  send(-group.pid, "SIGKILL");
  // Looked up anew: a process id from before the grace could belong to somebody else by now.
  for (const pid of findStrays(group)) send(pid, "SIGKILL");
}

/**
 * Ends what a finished command left behind in its group. Processes that made a session of their own are let be here:
 * after a success they are daemons that somebody wanted.
 */
export async function endLeftovers(group: CommandGroup, graceMs: number): Promise<void> {
  if (!send(-group.pid, "SIGTERM")) return;
  const isOver = await waitForEnd(() => isGroupAlive(group), graceMs);
  if (!isOver) send(-group.pid, "SIGKILL");
}

/** The command groups of one owner; whatever is in it is killed when the process exits. */
export interface GroupRegistry {
  add(group: CommandGroup): void;
  release(group: CommandGroup): void;
}

/**
 * Makes an empty {@link GroupRegistry}. Own groups do not get the terminal's signals, so nothing but this would end a
 * command together with its runner.
 */
export function createGroupRegistry(): GroupRegistry {
  const groups = new Set<CommandGroup>();
  const killAll = () => groups.forEach(killCommand);
  return {
    add(group) {
      if (groups.size === 0) process.on("exit", killAll);
      groups.add(group);
    },
    release(group) {
      if (groups.delete(group) && groups.size === 0) process.off("exit", killAll);
    },
  };
}
