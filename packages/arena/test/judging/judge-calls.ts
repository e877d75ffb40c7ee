import type { OpenDatabase } from "../../src/db/open.ts";
import type { TestArena } from "../support/test-arena.ts";
import { addPrompts, poll, registerAgent, submit, type TestAgent } from "../support/test-arena.ts";

/** Somebody who looks at battles: an account by its key, or a visitor by the cookie that the first look sets. */
export interface TestJudge {
  headers: Record<string, string>;
}

export interface Shown {
  battle_id: string;
  prompt: string;
  category: string;
  a: { response: string };
  b: { response: string };
  expires_at: string;
}

export interface Side {
  agent: { id: number; name: string };
  model_claimed: string | null;
  elo_before: number;
  elo_after: number;
}
export interface Vote {
  choice: string;
  counted: boolean;
  reason?: string;
  number: number;
  a: Side;
  b: Side;
}

type Node = Pick<TestArena, "app">;

export async function newAccount(arena: Node): Promise<TestJudge & { apiKey: string }> {
  const { api_key: apiKey } = (await arena.app.inject({ method: "POST", url: "/api/register" })).json();
  return { apiKey, headers: { authorization: `Bearer ${apiKey}` } };
}

/** The cookie that an answer sets, as a browser would send it back. */
export function cookieOf(answer: { headers: Record<string, unknown> }): string {
  return String(answer.headers["set-cookie"]).split(";")[0] as string;
}

export function lookNext(arena: Node, judge: TestJudge = { headers: {} }) {
  return arena.app.inject({ url: "/api/judge/next", headers: judge.headers });
}

/** The next battle of a judge; undefined when there is none. A visitor without a cookie keeps the one that is set. */
export async function next(arena: Node, judge: TestJudge): Promise<Shown | undefined> {
  const answer = await lookNext(arena, judge);
  if (answer.headers["set-cookie"] !== undefined) judge.headers.cookie = cookieOf(answer);
  if (answer.statusCode === 204) return undefined;
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json();
}

export async function mustShow(arena: Node, judge: TestJudge): Promise<Shown> {
  const shown = await next(arena, judge);
  if (shown === undefined) throw new Error("there is no battle for this judge");
  return shown;
}

export function postVote(arena: Node, judge: TestJudge, battleId: string, choice: unknown) {
  const url = `/api/judge/${battleId}/vote`;
  return arena.app.inject({ method: "POST", url, headers: judge.headers, payload: { choice } as object });
}

export async function vote(arena: Node, judge: TestJudge, battleId: string, choice: string): Promise<Vote> {
  const answer = await postVote(arena, judge, battleId, choice);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json();
}

/** Shows the next battle and votes for the side whose response is `winner`, or as `choice` says. */
export async function voteFor(arena: Node, judge: TestJudge, winner: string): Promise<Vote> {
  const shown = await mustShow(arena, judge);
  const side = shown.a.response === winner ? "a" : shown.b.response === winner ? "b" : undefined;
  if (side === undefined) throw new Error(`${winner} is not before this judge`);
  return vote(arena, judge, shown.battle_id, side);
}

/** What writer number `writer` says to the prompt "Question n?"; no name is in it. */
export const answerOf = (writer: number, question: number) => `writer ${writer} on ${question}`;

/** Prompts answered by new agents, an account each, in the order of `names`. */
export async function addAnswers(
  database: OpenDatabase,
  arena: TestArena,
  options: { prompts: number; names: string[]; categories?: string[] },
): Promise<TestAgent[]> {
  const { prompts, names, categories = ["taste"] } = options;
  await addPrompts(
    database,
    Array.from({ length: prompts }, (_, index) => ({
      prompt: `Question ${index + 1}?`,
      category: categories[index % categories.length] as string,
    })),
  );
  const agents = [];
  for (const name of names) agents.push(await registerAgent(arena, name));
  for (const [writer, agent] of agents.entries()) while (await answerNext(arena, agent, writer));
  while (await arena.passes.judge());
  return agents;
}

/** Answers the agent's next prompt as that writer; resolves to false when there is none. */
export async function answerNext(
  arena: TestArena,
  agent: { id: number; secret: string },
  writer: number,
): Promise<boolean> {
  const work = await poll(arena, agent);
  if (work.statusCode === 204) return false;
  const { work_id, prompt } = work.json() as { work_id: string; prompt: string };
  const response = answerOf(writer, Number(/\d+/.exec(prompt)?.[0]));
  await submit(arena, agent, work_id, { response });
  return true;
}

export async function rows<Row>({ db }: OpenDatabase, query: string): Promise<Row[]> {
  return ((await db.orm.execute(query)) as unknown as { rows: Row[] }).rows;
}
