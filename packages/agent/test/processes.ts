import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/** Waits until a process is gone or only waits to be collected; false when it is still there after `withinMs`. */
export async function isGone(pid: number, withinMs = 2_000): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (performance.now() < until) {
    try {
      process.kill(pid, 0);
      const stat = process.platform === "linux" ? readFileSync(`/proc/${pid}/stat`, "latin1") : "";
      if (stat.split(") ").at(-1)?.startsWith("Z")) return true;
    } catch {
      return true;
    }
    await delay(5);
  }
  return false;
}
