import { ProblemError } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import { spendLimit } from "../http/limits.ts";
import type { Clock } from "../ports.ts";

export interface ProbeLimits {
  /**
   * Does work that calls an endpoint because an account asks for it: one at a time per account, so many in a minute, and
   * so many to one host in an hour, whoever asks. A whole activation counts as one, whatever it sends.
   *
   * @throws ProblemError `rate_limited` when there was too much already
   */
  run<Result>(accountId: number, url: string, work: () => Promise<Result>): Promise<Result>;
}

/** Keeps the arena from being used to knock at other people's doors. */
export function createProbeLimits(options: {
  db: Db;
  clock: Clock;
  settings: { probesPerMinute: number; probesPerHostHour: number };
}): ProbeLimits {
  const { db, clock, settings } = options;
  const busy = new Set<number>();
  return {
    async run(accountId, url, work) {
      if (busy.has(accountId)) {
        throw new ProblemError("rate_limited", "a ping or probe of your account is under way; wait for its end");
      }
      busy.add(accountId);
      try {
        await spendLimit(db, clock, {
          key: `probe account ${accountId}`,
          most: settings.probesPerMinute,
          windowSeconds: 60,
          what: "pings and probes of one account in a minute",
        });
        await spendLimit(db, clock, {
          key: `probe host ${new URL(url).host}`,
          most: settings.probesPerHostHour,
          windowSeconds: 3600,
          what: "pings and probes to one host in an hour",
        });
        return await work();
      } finally {
        busy.delete(accountId);
      }
    },
  };
}
