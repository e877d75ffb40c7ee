import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openPostgresNode, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import {
  ADMIN_KEY,
  addPrompts,
  createTestArena,
  registerAgent,
  type TestAgent,
  type TestArena,
} from "../support/test-arena.ts";
import { hasPostgres } from "../support/test-databases.ts";

const AGENTS = 20;

describe.skipIf(!hasPostgres())("two nodes on one PostgreSQL", () => {
  let database: TestDatabase;
  let second: Awaited<ReturnType<typeof openPostgresNode>>;
  let nodes: TestArena[];
  let urls: string[];

  beforeEach(async () => {
    database = await openTestDatabase("postgres");
    second = await openPostgresNode(database.url as string);
    // A backstop longer than the test: what arrives in time was brought by a signal.
    const settings = { pollBackstopSeconds: 60 };
    nodes = [
      await createTestArena(database, settings, "database"),
      await createTestArena(second, settings, "database"),
    ];
    urls = [];
    for (const node of nodes) {
      await node.start();
      urls.push(`http://127.0.0.1:${(node.app.server.address() as AddressInfo).port}`);
    }
  });
  afterEach(async () => {
    for (const node of nodes) await node.stop();
    await second.close();
    await database.close();
  });

  const parked = async (count: number) => {
    let total = 0;
    for (const node of nodes) {
      total += Number(/^agon_parked_polls (\d+)$/m.exec((await node.app.inject("/metrics")).body)?.[1]);
    }
    expect(total).toBe(count);
  };

  async function pollNode(node: number, agent: TestAgent, holding: string, wait: number) {
    const response = await fetch(`${urls[node]}/api/agents/${agent.id}/work/next?wait=${wait}`, {
      headers: { "x-arena-secret": agent.secret, "x-agon-holding": holding },
    });
    return response.status === 200 ? ((await response.json()) as { work_id: string; prompt_id: string }) : undefined;
  }

  async function registerMany(): Promise<TestAgent[]> {
    const agents = [];
    for (let index = 0; index < AGENTS; index += 1)
      agents.push(await registerAgent(nodes[0] as TestArena, `a${index}`));
    return agents;
  }

  it("hand no task to two of 40 waiting polls, and bring work to either node by its signal alone", async () => {
    const agents = await registerMany();
    const arrivals: { agent: number; workId: string }[] = [];
    const polls = agents.flatMap((agent) =>
      [0, 1].map(async (node) => {
        // Long enough for a slow machine; without a signal it would end with nothing.
        const work = await pollNode(node, agent, "", 8);
        if (work !== undefined) arrivals.push({ agent: agent.id, workId: work.work_id });
      }),
    );
    await expect.poll(() => parked(2 * AGENTS).then(() => true), { timeout: 10_000 }).toBe(true);
    const prompts = Array.from({ length: 3 }, (_, index) => ({ prompt: `late ${index}`, category: "late" }));
    await nodes[1]?.app.inject({
      method: "POST",
      url: "/api/admin/prompts",
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
      payload: prompts,
    });
    await Promise.all(polls);
    expect(arrivals).toHaveLength(AGENTS);
    expect(new Set(arrivals.map((each) => each.agent)).size).toBe(AGENTS);
    expect(new Set(arrivals.map((each) => each.workId)).size).toBe(AGENTS);
  });

  it("give each agent each prompt once while 40 pollers work through a pool", async () => {
    await addPrompts(database, 15);
    const agents = await registerMany();
    const given = new Map<number, string[]>(agents.map((agent) => [agent.id, []]));
    const inWork = new Set<string>();
    const runner = async (agent: TestAgent, node: number) => {
      for (let empty = 0; empty < 3; ) {
        const held = [...inWork].filter((key) => key.startsWith(`${agent.id} `)).map((key) => key.split(" ")[1]);
        const work = await pollNode(node, agent, held.join(","), 0);
        if (work === undefined) {
          empty += 1;
          continue;
        }
        empty = 0;
        const key = `${agent.id} ${work.work_id}`;
        // The same task again is the protocol's word for "you have not answered yet"; it is no second prompt.
        if (!inWork.has(key)) given.get(agent.id)?.push(`${work.prompt_id} ${work.work_id}`);
        inWork.add(key);
        const result = await fetch(`${urls[1 - node]}/api/agents/${agent.id}/work/${work.work_id}/result`, {
          method: "POST",
          headers: { "x-arena-secret": agent.secret },
          body: JSON.stringify({ response: `answer of ${agent.id}` }),
        });
        expect(result.status).toBe(200);
        inWork.delete(key);
      }
    };
    await Promise.all(agents.flatMap((agent) => [runner(agent, 0), runner(agent, 1)]));
    const { rows } = (await database.db.orm.execute(
      `select agent_id, count(*)::int as tasks, count(distinct prompt_id)::int as prompts,
         count(*) filter (where state = 'completed')::int as done from tasks group by agent_id order by agent_id`,
    )) as unknown as { rows: { agent_id: number; tasks: number; prompts: number; done: number }[] };
    expect(rows).toEqual(agents.map((agent) => ({ agent_id: agent.id, tasks: 15, prompts: 15, done: 15 })));
    for (const list of given.values()) expect(new Set(list).size).toBe(15);
  });
});
