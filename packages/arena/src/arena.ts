import type { AddressInfo } from "node:net";
import { COMPLETION_OUTPUT_MAX_BYTES } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import { findByKeyHash } from "./accounts/account-queries.ts";
import { findOperatorSession, findSession, forgetSessions } from "./accounts/session-queries.ts";
import { createActivations } from "./agents/activation.ts";
import { touchPolled } from "./agents/agent-queries.ts";
import { pruneHealth } from "./agents/health-queries.ts";
import { createProbeLimits } from "./agents/probe-limits.ts";
import { createWatch } from "./agents/watch.ts";
import { createApp } from "./app.ts";
import { addRoutes } from "./arena-routes.ts";
import type { Config } from "./config.ts";
import { createDatabaseClock, type DatabaseClock } from "./db/clock.ts";
import type { OpenDatabase } from "./db/open.ts";
import { createVault, hashSecret } from "./db/secrets.ts";
import { forgetLimits } from "./http/limits.ts";
import { judgingStep } from "./judging/judging-step.ts";
import { createModelJudge } from "./judging/model-judge.ts";
import { expirePresentations } from "./judging/presentation-queries.ts";
import { completeGym } from "./ladder/gym.ts";
import { createLadderNext } from "./ladder/next-tasks.ts";
import { PromptPool } from "./ladder/prompt-pool.ts";
import { closePrompts } from "./ladder/prompt-queries.ts";
import type { Clock, Ports } from "./ports.ts";
import { createNextWork } from "./pull/next-work.ts";
import { Waiters } from "./pull/waiters.ts";
import { createProbeFetch } from "./push/probe-fetch.ts";
import { createPush } from "./push/push.ts";
import { createRankingRefresh } from "./ratings/ranking-refresh.ts";
import { type RunLoop, startLoop } from "./run-loop.ts";
import { syncHouseAgents } from "./runs/house/house-agents.ts";
import { createHouse } from "./runs/house/house-step.ts";
import { createModelAnswers } from "./runs/house/model-answers.ts";
import { loadLaunchpads } from "./runs/launchpads.ts";
import { runsStep } from "./runs/run-step.ts";
import { touchParked } from "./runs/selection-queries.ts";
import { createRunOutcomes } from "./tasks/run-outcomes.ts";
import { createClaims } from "./tasks/task-claims.ts";
import { sweepTasks } from "./tasks/task-expiry.ts";
import { type AfterRecord, createRecords } from "./tasks/task-records.ts";
import { AGON_VERSION } from "./version.ts";

export interface Arena {
  app: FastifyInstance;
  clock: Clock;
  /** Starts the passes and listens; resolves to the URL. */
  start(): Promise<string>;
  /** Answers parked polls, ends the passes, closes the server. The database stays open: whoever opened it closes it. */
  stop(): Promise<void>;
  /** One pass each, for tests that do not start the loops. */
  passes: {
    judge(): Promise<boolean>;
    sweep(): Promise<boolean>;
    close(): Promise<void>;
    presence(): Promise<void>;
    rank(): Promise<void>;
    dispatch(): Promise<boolean>;
    /** Resolves when the health pings that were due have ended. */
    watch(): Promise<void>;
    runs(): Promise<boolean>;
    /** Resolves when what the house took is answered and recorded. */
    house(): Promise<void>;
  };
  /** Lets agents be called at this exact origin, though its address is private: the samples' on this machine. */
  allowOrigin(origin: string): void;
}

const PRESENCE_MS = 5_000;
const CLOCK_SYNC_MS = 30_000;
const CLOSING_MS = 10_000;
const MODEL_JUDGE_MS = 10_000;
const DISPATCH_MS = 1_000;
const HOUSE_MS = 1_000;
/** Well within the time for which a poll counts as fresh, so that no node takes a parked agent for one that left. */
const PARKED_MS = 2_000;
const WATCH_MS = 1_000;
const DRAIN_MS = 5_000;
/** A pass costs the same few statements for one answer as for a hundred; nobody sees a tenth of a second. */
const GATHER_MS = 100;

/** Wires an arena: the only place where its parts meet. */
export async function createArena(
  config: Config,
  ports: Ports,
  { db, signals }: OpenDatabase,
  keys: { secretKey: string; adminKey: string | undefined },
  /** The built pages, which whoever starts an arena hands over: the arena does not know the package that makes them. */
  pages: { staticDir?: string | undefined } = {},
): Promise<Arena> {
  const { log, random } = ports;
  const databaseClock: DatabaseClock | undefined =
    ports.clock === undefined ? await createDatabaseClock(db) : undefined;
  const clock = ports.clock ?? (databaseClock as DatabaseClock);
  const vault = createVault(keys.secretKey, random);
  let boundUrl = `http://${config.host}:${config.port}`;
  const publicUrl = () => (config.publicUrl ?? boundUrl).replace(/\/$/, "");

  const waiters = new Waiters();
  const polled = new Map<number, number>();
  const origins: string[] = [];
  const pool = new PromptPool(db, clock);
  const ladder = createLadderNext({
    db,
    pool,
    clock,
    deadlineSeconds: config.promptDeadlineSeconds,
    onQueued: (agentId) => signals.publishHere("agent", agentId),
    log,
  });
  const claims = createClaims(db, clock);
  const afterGym: AfterRecord = async (tx, agentIds) => void (await completeGym(tx, agentIds, clock.now()));
  const records = createRecords(db, clock, config, afterGym);
  const statusContext = { random, settings: config };
  const runOutcomes = createRunOutcomes(db, clock, statusContext);
  const onRunTaskDone = () => {
    signals.publishHere("runs");
    // The agent has room again, and what waits for it need not wait for the next pass.
    signals.publishHere("push");
  };
  const completeUrl = (taskUuid: string) => `${publicUrl()}/api/agent-tasks/${taskUuid}/complete`;
  const probeLimits = createProbeLimits({ db, clock, settings: config });
  const push = createPush({
    db,
    clock,
    random,
    log,
    vault,
    settings: config,
    probeLimits,
    runOutcomes,
    onRunTaskDone,
    completeUrl,
    ladder,
    afterGym,
    onDone: (_agentId, answered) => {
      if (answered) signals.publishHere("answers");
      // Without a gap the agent's next turn has come already.
      if (config.pushGapSeconds === 0) signals.publishHere("push");
    },
  });
  const fetch = createProbeFetch(push.outbound);
  const activations = createActivations({
    db,
    clock,
    random,
    log,
    vault,
    fetch,
    probeLimits,
    statusContext,
    completeUrl,
  });
  const watch = createWatch({
    db,
    clock,
    random,
    log,
    fetch,
    settings: config,
    onStatus: () => signals.publishHere("push"),
  });
  const launchpads = loadLaunchpads(config.launchpadsDir);
  const { houseBaseUrl, houseModel } = config;
  const asksModel = houseBaseUrl !== undefined && houseModel !== undefined;
  if (!asksModel && (houseBaseUrl ?? houseModel) !== undefined) {
    log.warn("the house asks no model: it takes both AGON_HOUSE_BASE_URL and AGON_HOUSE_MODEL");
  }
  const house = createHouse({
    db,
    clock,
    log,
    outcomes: runOutcomes,
    askModel: asksModel
      ? createModelAnswers({ baseUrl: houseBaseUrl, apiKey: config.houseApiKey, model: houseModel })
      : undefined,
    outputMaxBytes: COMPLETION_OUTPUT_MAX_BYTES,
    onDone: () => signals.publishHere("runs"),
  });
  const syncHouse = (how: { make: boolean }) =>
    syncHouseAgents(
      { db, ports: { clock, random }, vault, enabled: config.houseAgents, model: asksModel ? houseModel : undefined },
      how,
    );
  const wakeTopic = { push: "push", pull: "agent", house: "house" } as const;
  const carryRuns = () =>
    runsStep({
      db,
      ports: { clock, random },
      settings: config,
      log,
      polledAt: (agentId) => (waiters.has(agentId) ? clock.now() : polled.get(agentId)),
      onQueued: ({ agentId, transport }) => signals.publish(wakeTopic[transport], agentId),
      onChanged: (runNumber) => signals.publish("run", runNumber),
    });
  const nextWork = createNextWork({
    claims,
    waiters,
    clock,
    backstopSeconds: config.pollBackstopSeconds,
    makeNext: ladder.make,
    onPoll: (agentId) => void polled.set(agentId, clock.now()),
  });

  let unknownGates = 0;
  const judge = () =>
    judgingStep({
      db,
      clock,
      ratingJudges: config.ratingJudges,
      onCounted: (id, more) => pool.countAnswers(id, more),
      onUnknown: (gates) => {
        unknownGates += gates.length;
        log.error({ gates: gates.slice(0, 10) }, "something could not be found out about answers; see unknown-gates");
      },
    });
  const endUnanswered = (task: { taskId: number; agentId: number }) =>
    runOutcomes.add({
      ...task,
      cause: "timeout",
      error: "The agent answered 202 and did not call back before the deadline.",
    });
  const sweep = async () => {
    const { agents, ofRuns, givenBack, more } = await sweepTasks(db, clock, { ...config, endUnanswered });
    if (ofRuns) onRunTaskDone();
    // It would be remembered as seen, and never proposed again.
    for (const id of givenBack) pool.forget(id);
    for (const id of agents) signals.publish("agent", id);
    return more;
  };
  const close = async () => {
    await expirePresentations(db, clock.now());
    if ((await closePrompts(db, clock.now(), config)).length > 0) signals.publish("pool");
    await forgetLimits(db, clock);
    await forgetSessions(db, new Date(clock.now()));
    await push.prune();
    await pruneHealth(db, clock.now());
  };
  const watchAll = async () => {
    while (await watch.step());
    await watch.settle();
  };
  const houseAll = async () => {
    while (await house.step());
    await house.settle();
  };
  const modelJudge =
    config.judgeBaseUrl === undefined || config.judgeModel === undefined
      ? undefined
      : createModelJudge({
          db,
          ports: { clock, random },
          log,
          settings: { baseUrl: config.judgeBaseUrl, apiKey: config.judgeApiKey, model: config.judgeModel },
          ratingJudges: config.ratingJudges,
          votesPerHour: config.judgeVotesPerHour,
          pairVotesMax: config.pairVotesMax,
        });
  const ranking = createRankingRefresh({ db, clock, log });
  const presence = async () => {
    if (polled.size === 0) return;
    const seen = new Map(polled);
    polled.clear();
    await touchPolled(db, seen);
  };

  const app = await createApp({
    log,
    clock,
    version: AGON_VERSION,
    host: config.host,
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    authentication: {
      findCaller: (apiKey) => findByKeyHash(db, hashSecret(apiKey)),
      findSession: async (token) => {
        const found = await findSession(db, hashSecret(token), new Date(clock.now()));
        return found && { accountId: found.accountId, banned: found.bannedAt !== null };
      },
      adminKey: keys.adminKey,
      isOperatorSession: async (token) =>
        keys.adminKey !== undefined &&
        (await findOperatorSession(db, hashSecret(token), hashSecret(keys.adminKey), new Date(clock.now()))) !==
          undefined,
    },
  });
  await addRoutes(app, {
    config,
    db,
    signals,
    log,
    ports: { clock, random },
    vault,
    publicUrl,
    adminKey: keys.adminKey,
    staticDir: pages.staticDir,
    push,
    fetch,
    probeLimits,
    activations,
    watch,
    statusContext,
    runOutcomes,
    launchpads,
    records,
    nextWork,
    makeAhead: ladder.makeAhead,
    prepareRuns: () => syncHouse({ make: true }),
    onRunTaskDone,
    parkedPolls: () => waiters.count,
    unknownGates: () => unknownGates,
  });
  signals.subscribe("agent", (agentId) => waiters.wake(agentId));
  signals.subscribe("pool", () => {
    pool.invalidate();
    waiters.wake(undefined);
  });
  // Before the server stops listening, or each parked poll would hold it open until its wait is over.
  app.addHook("preClose", async () => waiters.stop());

  let loops: RunLoop[] = [];
  const loop = (name: string, restMs: number, step: () => Promise<unknown>, gatherMs = 0) =>
    startLoop({ name, restMs, log, step: async () => (await step()) === true, ...(gatherMs > 0 ? { gatherMs } : {}) });

  return {
    app,
    clock,
    passes: {
      judge,
      sweep,
      close,
      presence,
      rank: ranking.step,
      dispatch: push.step,
      watch: watchAll,
      runs: carryRuns,
      house: houseAll,
    },
    allowOrigin(origin) {
      origins.push(origin);
      push.guard.change({ allowPrivate: config.allowPrivateEndpoints || config.dev, allowedOrigins: origins });
    },
    async start() {
      await app.listen({ host: config.host, port: config.port });
      const { port } = app.server.address() as AddressInfo;
      boundUrl = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
      const judging = loop("judging", config.passSeconds * 1000, judge, GATHER_MS);
      signals.subscribe("answers", () => judging.wake());
      const dispatching = loop("dispatcher", DISPATCH_MS, push.step);
      signals.subscribe("push", () => dispatching.wake());
      await syncHouse({ make: false });
      const running = loop("runs", config.passSeconds * 1000, carryRuns, GATHER_MS);
      signals.subscribe("runs", () => running.wake());
      const serving = loop("house", HOUSE_MS, house.step);
      signals.subscribe("house", () => serving.wake());
      loops = [
        judging,
        dispatching,
        running,
        serving,
        loop("parked", PARKED_MS, () => touchParked(db, waiters.agentIds(), clock.now())),
        loop("watch", WATCH_MS, watch.step),
        loop("sweep", config.sweepSeconds * 1000, sweep),
        loop("closing", CLOSING_MS, close),
        loop("presence", PRESENCE_MS, presence),
        ...(modelJudge === undefined ? [] : [loop("model judge", MODEL_JUDGE_MS, modelJudge.step)]),
        loop("ranking", config.ratingRefreshSeconds * 1000, ranking.step),
      ];
      if (databaseClock !== undefined) loops.push(loop("clock", CLOCK_SYNC_MS, databaseClock.sync));
      return boundUrl;
    },
    async stop() {
      await app.close();
      modelJudge?.stop();
      await Promise.all(loops.map((each) => each.stop()));
      await ranking.stop();
      await Promise.all([activations.stop(), push.drain(DRAIN_MS), house.drain()]);
      await watch.settle();
      await ladder.settle();
      await presence();
    },
  };
}
