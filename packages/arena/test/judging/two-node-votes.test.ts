import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ConfigInput } from "../../src/config.ts";
import { applyOutcome, type Outcome, START_ELO, type Standing } from "../../src/ratings/elo.ts";
import { openPostgresNode, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena, type TestArena } from "../support/test-arena.ts";
import { hasPostgres } from "../support/test-databases.ts";
import {
  addAnswers,
  mustShow,
  newAccount,
  next,
  postVote,
  rows,
  type TestJudge,
  type Vote,
  vote,
} from "./judge-calls.ts";

const JUDGES = 50;
const VOTES = 40;
const CHOICES = ["a", "b", "a", "tie", "b", "both_bad"];

describe.skipIf(!hasPostgres())("judges at two nodes on one PostgreSQL", () => {
  let database: TestDatabase;
  let second: Awaited<ReturnType<typeof openPostgresNode>>;
  let nodes: [TestArena, TestArena];

  beforeEach(async () => {
    database = await openTestDatabase("postgres");
    second = await openPostgresNode(database.url as string);
  });
  afterEach(async () => {
    for (const node of nodes) await node.stop();
    await second.close();
    await database.close();
  });

  async function startNodes(settings: ConfigInput) {
    const all = { votesPerHour: 0, ...settings };
    nodes = [await createTestArena(database, all, "database"), await createTestArena(second, all, "database")];
  }
  const nodeOf = (index: number) => nodes[index % 2] as TestArena;

  async function newJudges(many: number): Promise<TestJudge[]> {
    const judges: TestJudge[] = [];
    // Every tenth is a visitor, whose votes are logged and do not count.
    for (let index = 0; index < many; index += 1) {
      judges.push(index % 10 === 9 ? { headers: {} } : await newAccount(nodeOf(index)));
    }
    return judges;
  }

  it("one judge's ten identical votes in one moment become one, and nine refusals", async () => {
    await startNodes({});
    await addAnswers(database, nodes[0], { prompts: 1, names: ["a", "b"] });
    const judge = await newAccount(nodes[0]);
    const shown = await mustShow(nodes[1], judge);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => postVote(nodeOf(index), judge, shown.battle_id, "a")),
    );
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await rows(database, "select number::int, counted from votes")).toEqual([{ number: 1, counted: true }]);
    expect(await rows(database, "select votes from battles")).toEqual([{ votes: 1 }]);
    const elos = await rows<{ elo: number }>(database, "select elo from standings where category = '' order by elo");
    expect(elos.map((row) => row.elo)).toEqual([1484, 1516]);
  });

  it("one judge who asks both at once is shown two battles and no answer twice", async () => {
    await startNodes({});
    await addAnswers(database, nodes[0], { prompts: 6, names: ["a", "b", "c"] });
    const judge = await newAccount(nodes[0]);
    const shown = await Promise.all(Array.from({ length: 12 }, (_, index) => mustShow(nodeOf(index), judge)));
    expect(new Set(shown.map((each) => each.battle_id)).size).toBe(2);
    expect(await rows(database, "select id from presentations")).toHaveLength(2);
  });

  it("three that beat each other in a ring, by votes at either node, end where a replay of the log ends", async () => {
    await startNodes({});
    const agents = await addAnswers(database, nodes[0], { prompts: 1, names: ["a", "b", "c"] });
    const judges = [];
    for (let index = 0; index < 3; index += 1) judges.push(await newAccount(nodeOf(index)));
    await Promise.all(
      judges.map(async (judge, index) => {
        const shown = await mustShow(nodeOf(index), judge);
        const [left, right] = [shown.a, shown.b].map((side) => Number(/writer (\d)/.exec(side.response)?.[1]));
        const leftBeatsRight = ((left as number) + 1) % agents.length === right;
        await vote(nodeOf(index + 1), judge, shown.battle_id, leftBeatsRight ? "a" : "b");
      }),
    );
    const { board } = replay(await loadLog());
    expect(await loadStandings("")).toEqual(board);
    expect([...board.values()].reduce((sum, each) => sum + each.elo, 0)).toBeCloseTo(4500, 9);
  });

  const MANY_VOTES = { timeout: 240_000 };
  it(
    "fifty judges cast forty votes each at once: every count is exact and every rating follows from the log",
    MANY_VOTES,
    async () => {
      await startNodes({ votesToClose: 10_000 });
      await addAnswers(database, nodes[0], {
        prompts: 60,
        names: ["a", "b", "c"],
        categories: ["even", "odd"],
      });
      const judges = await newJudges(JUDGES);
      const cast: Vote[] = [];
      await Promise.all(
        judges.map(async (judge, index) => {
          for (let turn = 0; turn < VOTES; turn += 1) {
            const shown = await mustShow(nodeOf(index + turn), judge);
            const choice = CHOICES[(index * 7 + turn) % CHOICES.length] as string;
            cast.push(await vote(nodeOf(index + turn + 1), judge, shown.battle_id, choice));
          }
        }),
      );

      const log = await loadLog();
      expect(log.map((each) => each.number)).toEqual(Array.from({ length: JUDGES * VOTES }, (_, index) => index + 1));
      expect(new Set(cast.map((each) => each.number)).size).toBe(JUDGES * VOTES);
      expect(log.filter((each) => each.counted)).toHaveLength((JUDGES - JUDGES / 10) * VOTES);
      await expectExactCounts();
      await expectNothingSeenTwice();

      const counted = log.filter((each) => each.counted);
      const { board, before } = replay(counted);
      expect(await loadStandings("")).toEqual(board);
      for (const category of ["even", "odd"]) {
        expect(await loadStandings(category)).toEqual(
          replay(counted.filter((each) => each.category === category)).board,
        );
      }
      for (const { number, a, b } of cast) {
        const known = before.get(number);
        if (known === undefined) continue;
        expect([a.elo_before, b.elo_before]).toEqual([known.get(a.agent.id), known.get(b.agent.id)]);
      }
    },
  );

  it("a prompt that closes between votes has nobody before it, and its answers have the votes they need", async () => {
    await startNodes({ votesToClose: 3 });
    await addAnswers(database, nodes[0], { prompts: 12, names: ["a", "b", "c"] });
    const judges = await newJudges(20);
    const cast: Vote[] = [];
    let open = 0;
    const voting = judges.map(async (judge, index) => {
      open += 1;
      for (let turn = 0; ; turn += 1) {
        const shown = await next(nodeOf(index + turn), judge);
        if (shown === undefined) break;
        cast.push(await vote(nodeOf(index), judge, shown.battle_id, "a"));
      }
      open -= 1;
    });
    const closing = nodes.map(async (node) => {
      while (open > 0) await node.passes.close();
    });
    await Promise.all([...voting, ...closing]);
    await nodes[0].passes.close();

    expect(cast.filter((each) => each.reason === "prompt_closed")).toEqual([]);
    expect(await rows(database, "select id from prompts where closed_at is null")).toEqual([]);
    expect(await rows(database, "select id from tasks where votes < 3 or votable")).toEqual([]);
    const late = await rows(
      database,
      `select p.id from presentations p join battles b on b.id = p.battle_id join prompts q on q.id = b.prompt_id
       where p.created_at > q.closed_at or p.state = 'live'`,
    );
    expect(late).toEqual([]);
    await expectExactCounts();
    await expectNothingSeenTwice();
  });

  async function expectExactCounts() {
    const wrongBattles = await rows(
      database,
      `select b.id from battles b
       where b.votes <> (select count(*) from votes v where v.battle_id = b.id and v.counted)
         or (b.decided_at is null) <> (b.votes = 0)`,
    );
    const wrongAnswers = await rows(
      database,
      `select t.id from tasks t where t.votes <> (select coalesce(sum(b.votes), 0) from battles b where t.id in (b.answer_a, b.answer_b))`,
    );
    const strayVotes = await rows(
      database,
      `select v.number from votes v where 1 <> (select count(*) from presentations p
         where p.battle_id = v.battle_id and p.judge_kind = v.judge_kind and p.judge_id = v.judge_id and p.state = 'voted')`,
    );
    expect([wrongBattles, wrongAnswers, strayVotes]).toEqual([[], [], []]);
  }

  async function expectNothingSeenTwice() {
    const twice = await rows(
      database,
      `select judge_id, answer from presentations, unnest(array[answer_a, answer_b]) as answer
       group by judge_kind, judge_id, answer having count(*) > 1`,
    );
    expect(twice).toEqual([]);
  }

  interface LoggedVote {
    number: number;
    agent_a: number;
    agent_b: number;
    outcome: Outcome;
    category: string;
    counted: boolean;
  }
  const loadLog = () =>
    rows<LoggedVote>(
      database,
      "select number::int, agent_a, agent_b, outcome, category, counted from votes order by number",
    );

  async function loadStandings(category: string): Promise<Map<number, Standing>> {
    const all = await rows<{ agent_id: number } & Record<string, number>>(
      database,
      `select agent_id, elo, battles, wins, losses, ties, both_bad as "bothBad" from standings
       where category = '${category}' order by agent_id`,
    );
    return new Map(all.map(({ agent_id, ...standing }) => [agent_id, standing as unknown as Standing]));
  }

  /** The ratings that a log gives by itself, and those that both agents of each vote had before it. */
  function replay(log: readonly LoggedVote[]) {
    const board = new Map<number, Standing>();
    const before = new Map<number, Map<number, number>>();
    const fresh = { elo: START_ELO, battles: 0, wins: 0, losses: 0, ties: 0, bothBad: 0 };
    for (const { number, agent_a, agent_b, outcome } of log) {
      const [a, b] = [board.get(agent_a) ?? fresh, board.get(agent_b) ?? fresh];
      before.set(
        number,
        new Map([
          [agent_a, a.elo],
          [agent_b, b.elo],
        ]),
      );
      const [nextA, nextB] = applyOutcome(a, b, outcome);
      board.set(agent_a, nextA).set(agent_b, nextB);
    }
    return { board: new Map([...board].sort(([x], [y]) => x - y)), before };
  }
});
