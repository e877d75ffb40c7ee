import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { signEdgearena } from "@agon/protocol";
import { Pool } from "undici";
import { freePort } from "../scripts/drills/server-process.ts";
import { type BenchOptions, type Contestant, hold, type Report, rate } from "./contest.ts";
import { measureRunner } from "./runner-overhead.ts";

/** As many dispatches under way as a busy arena has for one agent. */
const AT_A_TIME = 64;
const KEY = "sa_bench";
const MESSAGES = [
  { role: "system", content: "You are a scout. Answer with one JSON object. ".repeat(60) },
  { role: "user", content: "Find a promising niche for one person." },
];

/** Signed SCOUT dispatches through the kit and a stub model, beside an agent by hand and one of Express and zod. */
export async function benchAgentKit(options: BenchOptions): Promise<Report> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const modelPort = await freePort();
    stops.push(await start("bare-model.ts", [String(modelPort)]));
    const contestants = [];
    for (const [name, file] of [
      ["node:http by hand", "bare-agent.ts"],
      ["Express and zod, as people write it", "express-agent.ts"],
      ["agon's serve(forwardToModel)", "kit-agent.ts"],
    ] as const) {
      const port = await freePort();
      stops.push(await start(file, [String(port), `http://127.0.0.1:${modelPort}/v1`, KEY]));
      contestants.push(dispatching(name, `http://127.0.0.1:${port}`, stops));
    }
    const standings = await hold(contestants, options);
    const [bare, express, kit] = standings.map(({ median }) => median) as [number, number, number];
    const [bareTail, expressTail, kitTail] = contestants.map(({ tail }) => tail()) as [number, number, number];
    const runner = await measureRunner(options.seconds < 5 ? 100 : 400);
    return {
      bench: `agent kit: signed SCOUT dispatches with a stub model, ${AT_A_TIME} at a time`,
      ratios: [
        { name: "of the rate of an agent by hand on node:http", value: kit / bare, goal: 0.7 },
        { name: "times the rate of an agent of Express and zod", value: kit / express, goal: 2.5 },
        { name: "times shorter p99 than that one's", value: expressTail / kitTail, goal: 2 },
        { name: "ms that agon run adds to its command, per task, at the median", value: runner.median, most: 5 },
      ],
      standings,
      notes: [
        "figures are dispatches a second: median (least to most) of the rounds",
        `p99: by hand ${bareTail.toFixed(0)} ms, Express ${expressTail.toFixed(0)} ms, kit ${kitTail.toFixed(0)} ms`,
        `agon run: ${runner.tasks} tasks; the command alone ${runner.command.toFixed(1)} ms, on top ${runner.median.toFixed(1)} ms (p90 ${runner.p90.toFixed(1)} ms)`,
      ],
    };
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function start(file: string, args: string[]): Promise<() => Promise<unknown>> {
  const child: ChildProcess = fork(fileURLToPath(new URL(`./${file}`, import.meta.url)), args);
  await once(child, "message");
  return async () => {
    child.kill();
    await once(child, "exit");
  };
}

/** Sends dispatches, each of its own id and signature. `tail` is the p99 of all rounds so far, in ms. */
function dispatching(name: string, origin: string, stops: (() => Promise<unknown>)[]): Contestant & { tail(): number } {
  const pool = new Pool(origin, { connections: AT_A_TIME });
  stops.push(() => pool.close());
  const times: number[] = [];
  const send = async () => {
    const taskId = randomUUID();
    const body = JSON.stringify({
      ...{ taskId, runId: taskId, phase: "SCOUT", role: "SCOUT", candidateId: null },
      ...{ goal: "Find a niche.", launchpadName: "Make Money", messages: MESSAGES },
    });
    const timestamp = Math.floor(Date.now() / 1000);
    const began = performance.now();
    const answer = await pool.request({
      path: "/",
      method: "POST",
      body,
      headers: {
        "content-type": "application/json",
        "x-edgearena-timestamp": String(timestamp),
        "x-edgearena-signature": signEdgearena({ key: KEY, url: `${origin}/`, timestamp, body }),
        "x-edgearena-task-id": taskId,
      },
    });
    const { output } = (await answer.body.json()) as { output?: { candidate_title?: string } };
    times.push(performance.now() - began);
    if (output?.candidate_title === undefined) throw new Error(`${name} answered ${answer.statusCode}`);
  };
  let isWarm = false;
  return {
    name,
    async run(seconds) {
      const perSecond = await rate(seconds, AT_A_TIME, send);
      // The first turn warms up: it counts for no rate, and for no p99 either.
      if (!isWarm) times.length = 0;
      isWarm = true;
      return perSecond;
    },
    tail: () => times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0,
  };
}
