import { ProblemError } from "@agon/protocol";
import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";
import type { Clock } from "../ports.ts";

const COUNT: Statement = {
  name: "count-limit",
  text: `
insert into limits as l (key, count, ends_at) values ($1, 1, $2::timestamptz + make_interval(secs => $3))
on conflict (key) do update set
  count = case when l.ends_at <= $2 then 1 else l.count + 1 end,
  ends_at = case when l.ends_at <= $2 then excluded.ends_at else l.ends_at end
returning count, (extract(epoch from ends_at - $2::timestamptz))::float8 as seconds_left`,
};
const FORGET: Statement = { name: "forget-limits", text: `delete from limits where ends_at <= $1` };

/**
 * Counts one use against a limit, for all nodes together: a counter per node would multiply what an operator allowed by
 * the number of nodes. Only for rare calls; each costs a row.
 *
 * @throws ProblemError `rate_limited` with Retry-After when there were more than `most` in the window
 */
export async function spendLimit(
  db: Db,
  clock: Clock,
  limit: { key: string; most: number; windowSeconds: number; what: string },
): Promise<void> {
  if (limit.most === 0) return;
  const [row] = await db.run<{ count: number; seconds_left: number }>(COUNT, [
    limit.key,
    toTimestamp(clock.now()),
    limit.windowSeconds,
  ]);
  if (row === undefined || row.count <= limit.most) return;
  const seconds = Math.max(1, Math.ceil(row.seconds_left));
  throw new ProblemError("rate_limited", `${limit.what}: at most ${limit.most}; try again in ${seconds} s`, {
    headers: { "retry-after": String(seconds) },
  });
}

/** Drops windows that have ended. */
export async function forgetLimits(db: Db, clock: Clock): Promise<void> {
  await db.run(FORGET, [toTimestamp(clock.now())]);
}
