import { eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../src/db/database.ts";
import type { OpenDatabase } from "../../src/db/open.ts";
import { battles, deliveries, prompts, reports, tasks } from "../../src/db/schema.ts";
import {
  ADMIN_KEY,
  addPrompts,
  poll,
  registerAgent,
  START,
  type TestAgent,
  type TestArena,
  work,
} from "../support/test-arena.ts";

/** Two accounts with an agent each. The owner has a second key; their agent has answered once and has work in hand. */
export interface World {
  owner: TestAgent;
  other: TestAgent;
  adminKey: string;
  /** As browsers that signed in send them. */
  cookies: { owner: string; operator: string };
  /** What stands for each path parameter. */
  ids: {
    agent_id: number;
    user_id: number;
    account_id: number;
    key_id: number;
    prompt_id: number;
    work_id: string;
    task_id: number;
    answer_id: number;
    delivery_id: number;
    battle_id: string;
    closed_id: number;
    decided_id: number;
    report_id: number;
    run_id: string;
  };
}

/** A world of its own beside those that were made before. */
export async function createWorld(database: OpenDatabase, arena: TestArena): Promise<World> {
  // Those of worlds before this one would stand between its agents and the work that they are to have.
  await database.db.orm
    .update(prompts)
    .set({ retiredAt: new Date(START) })
    .where(eq(prompts.kind, "gym"));
  // Just as many as are handed out: with one more, the next task would be made ahead at some moment later on.
  await addPrompts(database, 2);
  const owner = await registerAgent(arena, "owner's agent");
  const other = await registerAgent(arena, "other's agent");
  const headers = { authorization: `Bearer ${owner.apiKey}` };
  const account = await arena.app.inject({ url: "/api/account", headers });
  const key = await arena.app.inject({ method: "POST", url: "/api/account/keys", headers });
  const answered = await work(arena, owner, "An answer.");
  const inHand = (await poll(arena, owner)).json() as { work_id: string; prompt_id: string };
  // Over, so that its events end by themselves.
  const goal = { goal: "Find a niche.", launchpad: "make-money" };
  const run = await arena.app.inject({ method: "POST", url: "/api/runs", headers, payload: goal });
  await arena.app.inject({ method: "POST", url: `/api/runs/${run.json().id}/cancel`, headers });
  // Only now, or the agents would have to pass it first.
  await addPrompts(database, 0, 1);
  return {
    owner,
    other,
    adminKey: ADMIN_KEY,
    cookies: { owner: await signIn(arena, owner.apiKey), operator: await signIn(arena, ADMIN_KEY) },
    ids: {
      agent_id: owner.id,
      user_id: account.json().id,
      account_id: account.json().id,
      key_id: key.json().id,
      prompt_id: Number(inHand.prompt_id),
      work_id: inHand.work_id,
      task_id: taskOf(inHand.work_id),
      answer_id: taskOf(answered?.work_id),
      delivery_id: await addDelivery(database, owner.id),
      battle_id: "0192f4a9-1be4-7123-b21d-0a55f00d4c8e",
      ...(await addDecidedBattle(database, owner.id, other.id)),
      report_id: await addReport(database, taskOf(answered?.work_id)),
      run_id: run.json().id,
    },
  };
}

async function signIn(arena: TestArena, key: string): Promise<string> {
  const answer = await arena.app.inject({ method: "POST", url: "/api/session", payload: { api_key: key } });
  return String(answer.headers["set-cookie"]).split(";")[0] as string;
}

const taskOf = (workId: string | undefined) => Number(workId?.split("-")[1]);

async function addDelivery({ db }: OpenDatabase, agentId: number): Promise<number> {
  const delivery = {
    agentId,
    purpose: "ping",
    startedAt: new Date(START),
    verdict: "good",
    detail: "answered",
  } as const;
  const [row] = await db.orm.insert(deliveries).values(delivery).returning({ id: deliveries.id });
  return (row as { id: number }).id;
}

async function addReport({ db }: OpenDatabase, answerId: number): Promise<number> {
  const report = { presentationId: crypto.randomUUID(), judgeKind: "account", judgeId: "1", reason: "spam" } as const;
  const [row] = await db.orm
    .insert(reports)
    .values({ ...report, answerId, createdAt: new Date(START) })
    .returning({ id: reports.id });
  return (row as { id: number }).id;
}

/** A closed prompt with an answer of each and the battle between them. */
async function addDecidedBattle({ db }: OpenDatabase, ...agentIds: [number, number]) {
  const at = new Date(START);
  const prompt = {
    kind: "main",
    prompt: "Which river is it?",
    category: "rivers",
    createdAt: at,
    closedAt: at,
  } as const;
  const [closed] = await db.orm.insert(prompts).values(prompt).returning({ id: prompts.id });
  const promptId = (closed as { id: number }).id;
  const answer = {
    promptId,
    kind: "main",
    state: "completed",
    deadlineSeconds: 300,
    insertedAt: at,
    finishedAt: at,
  } as const;
  const answers = await db.orm
    .insert(tasks)
    .values(
      agentIds.map((agentId) => ({
        ...answer,
        uuid: crypto.randomUUID(),
        agentId,
        response: "The Rhine.",
        judgedAt: at,
      })),
    )
    .returning({ id: tasks.id });
  const [answerA, answerB] = answers.map(({ id }) => id) as [number, number];
  const pair = { answerA, answerB, agentA: agentIds[0], agentB: agentIds[1] };
  const [battle] = await db.orm
    .insert(battles)
    .values({ promptId, ...pair, judgedBy: "people", createdAt: at, decidedAt: at })
    .returning({ id: battles.id });
  return { closed_id: promptId, decided_id: (battle as { id: number }).id };
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
