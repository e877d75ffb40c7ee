import type { Statement } from "../db/database.ts";
import { type RulingOptions, rule } from "./rulings.ts";

/** Rulings are few. */
const ACTIVE: Statement = {
  name: "active-quarantines",
  text: `
select q.id from rulings q
where q.kind = 'quarantine' and q.choice->'judge'->>'kind' = 'account' and q.choice->'judge'->>'id' = $1
  and not exists (select from rulings r where r.kind = 'release' and (r.choice->>'ruling_id')::int = q.id)
order by q.id`,
};

/**
 * Puts the votes of a banned account aside, and takes them back with the ban. They are not deleted: a ban may be a
 * mistake, and the log has to say what ratings were made of.
 */
export async function followBan(options: RulingOptions, accountId: number, banned: boolean): Promise<void> {
  const active = await options.db.run<{ id: number }>(ACTIVE, [String(accountId)]);
  const decidedBy = "operator";
  if (banned) {
    if (active.length > 0) return;
    const choice = { judge: { kind: "account" as const, id: String(accountId) } };
    await rule(options, {
      kind: "quarantine",
      choice,
      reason: "the judge's account is banned",
      decidedBy,
      apply: true,
    });
    return;
  }
  for (const { id } of active) {
    const choice = { ruling_id: id };
    await rule(options, { kind: "release", choice, reason: "the ban was lifted", decidedBy, apply: true });
  }
}
