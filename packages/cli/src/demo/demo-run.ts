import { setTimeout as delay } from "node:timers/promises";
import { type RunEvent, requestArena, type WebhookEvent } from "@agon/agent";
import { agentDetailSchema, type LeaderboardItem, leaderboardPageSchema } from "@agon/protocol";
import { type DemoAgent, startDemoAgent } from "./demo-agents.ts";
import { openDemoArena } from "./demo-arena.ts";
import { type DemoGoal, playDemoGoal } from "./demo-goal.ts";
import { DEMO_PLAYERS, type DemoPlayer } from "./demo-players.ts";
import { createDemoRecord, type DemoRecord } from "./demo-record.ts";
import { startDemoSamples } from "./demo-samples.ts";
import type { DemoView } from "./demo-view.ts";
import { createVoteFeed } from "./vote-feed.ts";

/** How a demo ended. */
export interface DemoResult {
  readonly battles: number;
  /** Battles in which neither side was right. */
  readonly bothWrong: number;
  readonly items: readonly LeaderboardItem[];
  /** What came of the run beside it; undefined when there was no time for it. */
  readonly goal: DemoGoal | undefined;
  /** A sentence about each agent, in the order of the leaderboard. */
  readonly tales: readonly { readonly name: string; readonly tale: string }[];
}

/** How {@link runDemo} runs. */
export interface DemoOptions {
  /** How long they compete; without, as long as it takes and all together stays under a minute. */
  readonly seconds: number | undefined;
  /** Ends the competition early; what it came to is told all the same. */
  readonly signal: AbortSignal;
  readonly view: DemoView;
}

const LOOK_MS = 300;

/** Long enough that the slow one meets the others, too. */
const COMPETE_MS = 25_000;
/** With a slow start they compete for less, so that all is over within a minute, but for so long at least. */
const ALL_MS = 45_000;
const COMPETE_LEAST_MS = 8_000;

/** A run that is slower than the competition is waited for until then. */
const RUN_MS = 50_000;

/** No battle for so long means that the prompts are used up. */
const QUIET_MS = 8_000;

/**
 * A whole competition: an arena, five agents that take part like anybody's, and prompts that judge by themselves; and
 * beside it a run, on which two signed agents work.
 */
export async function runDemo(options: DemoOptions): Promise<DemoResult> {
  const begun = performance.now();
  options.view.wait("opening an arena on an empty database");
  const arena = await openDemoArena();
  const stop = new AbortController();
  const agents: DemoAgent[] = [];
  try {
    const { seconds } = options;
    const leftMs = Math.max(COMPETE_LEAST_MS, begun + ALL_MS - performance.now());
    const competeMs = seconds === undefined ? Math.min(COMPETE_MS, leftMs) : seconds * 1_000;
    // Who said how long it may take does not wait for a run.
    const runUntil = seconds === undefined ? begun + RUN_MS : 0;
    return await compete(arena.baseUrl, agents, stop.signal, { ...options, competeMs, runUntil });
  } finally {
    stop.abort();
    await Promise.all(agents.map((agent) => agent.done));
    await arena.close();
  }
}

async function compete(
  baseUrl: string,
  agents: DemoAgent[],
  abortSignal: AbortSignal,
  { signal, view, competeMs, runUntil }: DemoOptions & { competeMs: number; runUntil: number },
): Promise<DemoResult> {
  view.tell("arena", `is open at ${baseUrl}: first the gym, then battles`, "accent");
  const records = new Map(DEMO_PLAYERS.map((player) => [player, createDemoRecord()]));
  let gymSize = Number.POSITIVE_INFINITY;
  const onEvent = (player: DemoPlayer, event: RunEvent | WebhookEvent) => {
    // What is cut off at the end is nobody's failure.
    if (abortSignal.aborted) return;
    const record = records.get(player) as DemoRecord;
    const isFirstError = event.type === "failed" && record.firstError === undefined;
    record.note(event);
    if (isFirstError) view.tell(player.name, `fails: ${event.error}; it gets a pause, longer each time`, "bad");
    if (event.type === "answered" && event.work.kind === "gym" && record.gymAnswers === gymSize) {
      view.tell(player.name, "has passed the gym", "good");
    }
  };
  for (const player of DEMO_PLAYERS) {
    agents.push(await startDemoAgent(player, { baseUrl, abortSignal, onEvent }));
    const how = player.transport === "pull" ? "fetches its work" : "is called";
    view.tell(player.name, `joins, ${how}: ${player.description}`);
  }
  gymSize = await countGym(baseUrl, agents[0] as DemoAgent);

  const goalStop = new AbortController();
  const goalSignal = AbortSignal.any([abortSignal, goalStop.signal]);
  const playing = playGoal(baseUrl, view, goalSignal);
  // Heard at the end; until then a failure of it is nobody's.
  playing.catch(() => {});
  const takeVotes = createVoteFeed(baseUrl);
  const playerOf = new Map(agents.map(({ id, player }) => [id, player]));
  const endAt = performance.now() + competeMs;
  let battles = 0;
  let bothWrong = 0;
  let battleAt = Number.POSITIVE_INFINITY;
  let items: readonly LeaderboardItem[] = [];
  const look = async () => {
    for (const vote of await takeVotes()) {
      const [a, b] = [playerOf.get(vote.a), playerOf.get(vote.b)];
      if (a === undefined || b === undefined) continue;
      battles += 1;
      if (vote.winner === "both_bad") bothWrong += 1;
      battleAt = performance.now();
      records.get(a)?.vote(vote, "a");
      records.get(b)?.vote(vote, "b");
      view.battle({ category: vote.category, a: a.name, b: b.name, winner: vote.winner });
    }
    items = await loadBoard(baseUrl);
    const secondsLeft = Math.max(0, Math.ceil((endAt - performance.now()) / 1_000));
    view.standing({ secondsLeft, battles, bothWrong, items });
  };
  const isOver = () => {
    const now = performance.now();
    return signal.aborted || now >= endAt || now - battleAt > QUIET_MS;
  };
  while (!isOver()) {
    await look();
    await delay(Math.min(LOOK_MS, Math.max(0, endAt - performance.now())), undefined, { signal }).catch(() => {});
  }
  await look();
  const leftMs = Math.max(0, runUntil - performance.now());
  const waited = delay(leftMs, undefined, { signal: AbortSignal.any([signal, goalStop.signal]) }).catch(() => {});
  await Promise.race([playing, waited]);
  goalStop.abort();
  const goal = await playing;
  const tales = items.flatMap(({ agent }) => {
    const player = playerOf.get(agent.id);
    return player === undefined ? [] : [{ name: player.name, tale: records.get(player)?.tell() ?? "" }];
  });
  return { battles, bothWrong, items, goal, tales };
}

/** The run of the demo, with those who work on it. */
async function playGoal(baseUrl: string, view: DemoView, signal: AbortSignal): Promise<DemoGoal | undefined> {
  const samples = await startDemoSamples(baseUrl, view, signal);
  try {
    await samples.entered;
    return signal.aborted ? undefined : await playDemoGoal(baseUrl, view, signal, samples.follow);
  } finally {
    await samples.stop();
  }
}

async function loadBoard(baseUrl: string): Promise<LeaderboardItem[]> {
  const { body } = await requestArena({ baseUrl, path: "/api/leaderboard" });
  return leaderboardPageSchema.parse(body).items;
}

async function countGym(baseUrl: string, { id, apiKey }: DemoAgent): Promise<number> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const { body } = await requestArena({ baseUrl, path: `/api/agents/${id}`, headers });
  return agentDetailSchema.pick({ gym: true }).parse(body).gym.total;
}
