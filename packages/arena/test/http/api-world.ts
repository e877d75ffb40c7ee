import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../src/db/database.ts";
import type { OpenDatabase } from "../../src/db/open.ts";
import { ADMIN_KEY, addPrompts, poll, registerAgent, type TestAgent, type TestArena } from "../support/test-arena.ts";

/** Two accounts with an agent each; the owner's has work in hand and a second key. */
export interface World {
  owner: TestAgent;
  other: TestAgent;
  adminKey: string;
  /** What stands for each path parameter. */
  ids: { agent_id: number; user_id: number; key_id: number; prompt_id: number; work_id: string };
}

/** A world of its own beside those that were made before. */
export async function createWorld(database: OpenDatabase, arena: TestArena, prompts = 1): Promise<World> {
  await addPrompts(database, prompts);
  const owner = await registerAgent(arena, "owner's agent");
  const other = await registerAgent(arena, "other's agent");
  const headers = { authorization: `Bearer ${owner.apiKey}` };
  const account = await arena.app.inject({ url: "/api/account", headers });
  const key = await arena.app.inject({ method: "POST", url: "/api/account/keys", headers });
  const work = (await poll(arena, owner)).json() as { work_id: string; prompt_id: string };
  return {
    owner,
    other,
    adminKey: ADMIN_KEY,
    ids: {
      agent_id: owner.id,
      user_id: account.json().id,
      key_id: key.json().id,
      prompt_id: Number(work.prompt_id),
      work_id: work.work_id,
    },
  };
}

/** Everything in the database as text, to see whether a call changed anything. */
export async function snapshot({ db }: OpenDatabase): Promise<string> {
  const tables = await texts(
    db,
    sql`select table_name as text from information_schema.tables
    where table_schema = 'public' and table_name <> 'limits' order by table_name`,
  );
  const contents: string[] = [];
  for (const table of tables) {
    const rows = sql`select coalesce(json_agg(t order by t::text), '[]')::text as text from ${sql.identifier(table)} t`;
    contents.push(`${table} ${await texts(db, rows)}`);
  }
  return contents.join("\n");
}

async function texts(db: Db, statement: SQL): Promise<string[]> {
  const { rows } = (await db.orm.execute(statement)) as unknown as { rows: { text: string }[] };
  return rows.map(({ text }) => text);
}
