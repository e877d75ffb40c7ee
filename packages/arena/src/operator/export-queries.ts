import type { Db, Statement } from "../db/database.ts";

/** What an export holds, in this order: what is named stands before what names it. */
export const EXPORT_PARTS = [
  "accounts",
  "agents",
  "prompts",
  "tasks",
  "battles",
  "votes",
  "rulings",
  "reports",
] as const;
export type ExportPart = (typeof EXPORT_PARTS)[number];

/** Rows read at a time. Tasks hold texts of up to 256 KB, so that few of them fill as much memory as many votes. */
const ROWS: Record<ExportPart, number> = {
  accounts: 1_000,
  agents: 1_000,
  prompts: 200,
  tasks: 100,
  battles: 1_000,
  votes: 1_000,
  rulings: 100,
  reports: 500,
};

const iso = (column: string, name = column) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${name}`;

/** Columns by name: a new one is exported when somebody has thought about it, and a secret never. All by primary key. */
const SELECTED: Record<ExportPart, { key: string; from: string; columns: string }> = {
  accounts: {
    key: "id",
    from: "accounts",
    columns: `id, username, display_name, bio, ${iso("created_at")}, ${iso("banned_at")}, ${iso("deleted_at")}`,
  },
  agents: {
    key: "id",
    from: "agents",
    columns: `id, account_id, name, transport, dialect, url, owner_handle, model_claimed, cost_claimed, tools_claimed,
      description, roles, max_concurrent, max_tasks_per_day, status, ${iso("created_at")}, ${iso("deactivated_at")},
      ${iso("paused_at")}, ${iso("suspended_at")}, suspended_reason, ${iso("banned_at")}, ${iso("gym_completed_at")}`,
  },
  prompts: {
    key: "id",
    from: "prompts",
    columns: `id, external_id, kind, prompt, category, deadline_seconds, "check", reference, source, answers,
      ${iso("created_at")}, ${iso("retired_at")}, ${iso("opened_at")}, ${iso("closed_at")}`,
  },
  tasks: {
    key: "id",
    from: "tasks",
    columns: `id, uuid, agent_id, kind, prompt_id, run_id, candidate_id, state, test, response, error, cause, note,
      check_right, names_itself, ${iso("inserted_at")}, ${iso("started_at")}, ${iso("finished_at")}, ${iso("hidden_at")}`,
  },
  battles: {
    key: "id",
    from: "battles",
    columns: `id, prompt_id, answer_a, answer_b, agent_a, agent_b, judged_by, rejudges, replaced,
      ${iso("created_at")}, ${iso("decided_at")}`,
  },
  votes: {
    key: "number",
    from: "votes",
    columns: `number, battle_id, judge_kind, judge_id, outcome, agent_a, agent_b, category, counted, elo_a, elo_b,
      ruling_id, ${iso("cast_at")}`,
  },
  rulings: {
    key: "id",
    from: "rulings",
    columns: `id, kind, choice, reason, decided_by, position, ${iso("decided_at")}`,
  },
  reports: {
    key: "id",
    from: "reports",
    columns: `id, answer_id, judge_kind, judge_id, reason, comment, ${iso("created_at")}, ${iso("dismissed_at")}`,
  },
};

function pageOf(part: ExportPart): Statement {
  const { key, from, columns } = SELECTED[part];
  return {
    name: `operator-export-${part}`,
    text: `select ${columns} from ${from} where ${key} > $1 order by ${key} limit ${ROWS[part]}`,
  };
}
const PAGES = new Map(EXPORT_PARTS.map((part) => [part, pageOf(part)]));

/** The rows of a part, a page at a time: the next is read when the one before has been taken. */
export async function* exportPages(db: Db, part: ExportPart): AsyncGenerator<Record<string, unknown>[]> {
  const { key } = SELECTED[part];
  for (let last = 0; ; ) {
    const rows = await db.run<Record<string, unknown>>(PAGES.get(part) as Statement, [last]);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS[part]) return;
    last = rows.at(-1)?.[key] as number;
  }
}
