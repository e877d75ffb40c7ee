import { toTimestamp } from "../db/clock.ts";
import type { Db, Statement } from "../db/database.ts";

/** Five minutes: coarse enough that an agent's coming and going tells nothing about whose answer came in. */
const SEEN_SECONDS = 300;
/** Votes looked at for the last hour's count. An arena with more has "1000" to show, which is many anyway. */
const VOTES_READ = 1_000;

/**
 * Counts and names, but never an agent beside a prompt that is open.
 * Indexes: `tasks_running`, `tasks_partners`, `presentations_expiry`, votes by primary key.
 */
const NOW: Statement = {
  name: "live-now",
  text: `
select
  (select count(*)::int from tasks where state = 'running') as running,
  (select count(distinct prompt_id)::int from tasks where votable and not names_itself) as waiting,
  (select count(*)::int from presentations where state = 'live' and expires_at > $1) as judging,
  (select count(*)::int from (select cast_at from votes order by number desc limit $2) v
    where v.cast_at > $1::timestamptz - interval '1 hour') as votes_last_hour,
  (select value::int from counters where name = 'votes') as votes`,
};
const AT_WORK: Statement = {
  name: "live-agents",
  text: `
select a.id, a.name from agents a left join push_turns t on t.agent_id = a.id
where a.deactivated_at is null and a.suspended_at is null and a.banned_at is null
  and greatest(a.last_polled_at, case when a.ping_error is null and a.paused_at is null then t.next_at end)
    > $1::timestamptz - make_interval(secs => $2)
order by a.id limit 50`,
};
const LATEST: Statement = {
  name: "live-votes",
  text: `
select v.number, v.outcome, v.category, v.judge_kind, v.agent_a, v.agent_b,
  (select name from agents where id = v.agent_a) as name_a, (select name from agents where id = v.agent_b) as name_b,
  case when p.closed_at is not null then v.battle_id end as battle_id
from (select * from votes order by number desc limit $1) v
join battles b on b.id = v.battle_id join prompts p on p.id = b.prompt_id
order by v.number desc`,
};

export interface LiveVote {
  number: number;
  outcome: "a" | "b" | "tie" | "both_bad";
  category: string;
  judge_kind: "account" | "check" | "anonymous" | "model";
  agent_a: number;
  agent_b: number;
  name_a: string;
  name_b: string;
  battle_id: number | null;
}

export async function loadLive(db: Db, now: number) {
  const at = toTimestamp(now);
  const [counts] = await db.run<{
    running: number;
    waiting: number;
    judging: number;
    votes_last_hour: number;
    votes: number | null;
  }>(NOW, [at, VOTES_READ]);
  const agents = await db.run<{ id: number; name: string }>(AT_WORK, [at, SEEN_SECONDS]);
  const latest = await db.run<LiveVote>(LATEST, [12]);
  return { counts, agents, latest };
}
