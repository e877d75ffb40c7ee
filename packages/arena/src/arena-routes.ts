import type { ProbeFetch } from "@agon/probes";
import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { addAccountRoutes } from "./accounts/account-routes.ts";
import { addSessionRoutes } from "./accounts/session-routes.ts";
import type { Activations } from "./agents/activation.ts";
import { addActivationRoutes } from "./agents/activation-routes.ts";
import { addAgentRoutes } from "./agents/agent-routes.ts";
import { addOperatorRoutes } from "./agents/operator-routes.ts";
import type { ProbeLimits } from "./agents/probe-limits.ts";
import { addProbeRoutes } from "./agents/probe-routes.ts";
import type { StatusContext } from "./agents/status-queries.ts";
import { addStatusRoutes } from "./agents/status-routes.ts";
import type { Watch } from "./agents/watch.ts";
import type { Config } from "./config.ts";
import type { Batcher } from "./db/batch.ts";
import type { Database } from "./db/database.ts";
import type { Vault } from "./db/secrets.ts";
import type { Signals } from "./db/signals.ts";
import { createEventStreams } from "./http/event-streams.ts";
import { addHealthRoutes } from "./http/health-routes.ts";
import { addOpenapiRoutes } from "./http/openapi-routes.ts";
import { addVersionRoutes } from "./http/version-routes.ts";
import { addBattleRoutes } from "./judging/battle-routes.ts";
import { addJudgeRoutes } from "./judging/judge-routes.ts";
import { countOpenReports } from "./judging/report-queries.ts";
import { addReportRoutes } from "./judging/report-routes.ts";
import { countUnknown } from "./judging/unknown-queries.ts";
import { addUnknownRoutes } from "./judging/unknown-routes.ts";
import { addActivityRoutes } from "./ladder/activity-routes.ts";
import { addEligibilityRoutes } from "./ladder/eligibility-routes.ts";
import { countPool } from "./ladder/prompt-queries.ts";
import { addPromptRoutes } from "./ladder/prompt-routes.ts";
import { addTestTaskRoutes } from "./ladder/test-task-routes.ts";
import { addExportRoutes } from "./operator/export-routes.ts";
import { addOverviewRoutes } from "./operator/overview-routes.ts";
import { addClosedRoutes } from "./pages/closed-routes.ts";
import { addLiveRoutes } from "./pages/live-routes.ts";
import { addPageRoutes } from "./pages/page-routes.ts";
import { addTrendRoutes } from "./pages/trend-routes.ts";
import type { Clock, Random } from "./ports.ts";
import type { Poll, PollOutcome } from "./pull/next-work.ts";
import { addPullRoutes } from "./pull/pull-routes.ts";
import { addCompletionRoutes } from "./push/completion-routes.ts";
import { addDeliveryRoutes } from "./push/delivery-routes.ts";
import type { Push } from "./push/push.ts";
import { addDerivationRoutes } from "./ratings/derivation-routes.ts";
import { START_ELO } from "./ratings/elo.ts";
import { addHistoryRoutes } from "./ratings/history-routes.ts";
import { followBan } from "./ratings/judge-bans.ts";
import { addLeaderboardRoutes } from "./ratings/leaderboard-routes.ts";
import { addPromptTallyRoutes } from "./ratings/prompt-tally-routes.ts";
import { addRulingRoutes } from "./ratings/ruling-routes.ts";
import { addSamplingRoutes } from "./ratings/sampling-routes.ts";
import type { Launchpad } from "./runs/launchpad-file.ts";
import { addRunRoutes } from "./runs/run-routes.ts";
import { queuePhaseTest } from "./runs/test-tasks.ts";
import type { RunOutcome, RunRecord } from "./tasks/run-outcomes.ts";
import type { RecordResult, Report } from "./tasks/task-records.ts";
import { AGON_VERSION } from "./version.ts";

/** What routes are built from; `arena.ts` makes it. */
export interface RouteParts {
  config: Config;
  db: Database;
  signals: Signals;
  log: Pick<Logger, "warn">;
  ports: { clock: Clock; random: Random };
  vault: Vault;
  publicUrl: () => string;
  adminKey: string | undefined;
  staticDir: string | undefined;
  push: Push;
  fetch: ProbeFetch;
  probeLimits: ProbeLimits;
  activations: Activations;
  watch: Watch;
  statusContext: StatusContext;
  runOutcomes: Batcher<RunOutcome, RunRecord>;
  launchpads: ReadonlyMap<string, Launchpad>;
  records: Batcher<Report, RecordResult>;
  nextWork: (poll: Poll) => Promise<PollOutcome>;
  /** Queues the next main task of an agent that was just given one. */
  makeAhead: (agentId: number) => void;
  /** Called before the first run of this process is begun. */
  prepareRuns: () => Promise<void>;
  onRunTaskDone: () => void;
  /** Polls that are parked on this node. */
  parkedPolls: () => number;
  /** Answers about which this node could not find something out. */
  unknownGates: () => number;
}

/** Adds every call and page to the app, each with no more of the parts than it needs. */
export async function addRoutes(app: FastifyInstance, parts: RouteParts): Promise<void> {
  const { config, db, signals, ports, vault, publicUrl, push, probeLimits, statusContext } = parts;
  const { runOutcomes, launchpads, onRunTaskDone } = parts;
  const { clock, random } = ports;
  const note = (agentId: number, taskId: number, { detail, advice }: { detail: string; advice: string }) => {
    push.deliveries
      .note({ agentId, taskId, at: clock.now(), detail, advice })
      .catch((error) => parts.log.warn({ err: error }, "a note for an owner was not kept"));
  };

  addHealthRoutes(app, {
    db,
    parkedPolls: parts.parkedPolls,
    callsUnderWay: push.underWay,
    unknownGates: parts.unknownGates,
  });
  addVersionRoutes(app, { version: AGON_VERSION, publicUrl });
  addOpenapiRoutes(app);
  addAccountRoutes(app, {
    db,
    ports,
    registration: config.registration,
    registrationsPerHour: config.registrationsPerHour,
    startElo: START_ELO,
    onErased: (agentIds) => {
      for (const id of agentIds) signals.publish("agent", id);
    },
  });
  addSessionRoutes(app, {
    db,
    ports,
    publicUrl: config.publicUrl,
    adminKey: parts.adminKey,
  });
  addAgentRoutes(app, {
    db,
    signals,
    vault,
    ports,
    publicUrl,
    startElo: START_ELO,
    statusContext,
    push: { checkUrl: push.guard.checkUrl, ping: push.pinger.ping },
  });
  addTestTaskRoutes(app, {
    db,
    signals,
    ports,
    deadlineSeconds: config.promptDeadlineSeconds,
    queuePhaseTest: (agent, phase) => queuePhaseTest({ db, ports, settings: config, launchpads }, agent, phase),
  });
  const events = createEventStreams(app);
  addProbeRoutes(app, {
    ports: { fetch: parts.fetch, newId: () => random.uuid(), now: () => clock.now() },
    probeLimits,
    verifySeconds: config.verifySeconds,
  });
  addActivationRoutes(app, { db, activations: parts.activations, events });
  addStatusRoutes(app, { db, clock, watch: parts.watch, probeLimits, statusContext });
  addDeliveryRoutes(app, { db });
  addCompletionRoutes(app, {
    db,
    clock,
    vault,
    runOutcomes,
    deliveries: push.deliveries,
    publicUrl: config.publicUrl,
    onRunTaskDone,
  });
  addRunRoutes(app, {
    db,
    signals,
    ports,
    quotas: config,
    launchpads,
    events,
    prepare: parts.prepareRuns,
  });
  addActivityRoutes(app, { db, startElo: START_ELO });
  addEligibilityRoutes(app, { db, clock });
  addPromptRoutes(app, { db, clock, signals });
  addOperatorRoutes(app, {
    db,
    signals,
    ports,
    afterBan: (accountId, banned) => followBan({ db, clock, ratingJudges: config.ratingJudges }, accountId, banned),
  });
  addOverviewRoutes(app, {
    db,
    clock,
    parkedPolls: parts.parkedPolls,
    countPool: () => countPool(db),
    countUnknown: () => countUnknown(db),
    countReports: () => countOpenReports(db),
  });
  addExportRoutes(app, { db, clock });
  addJudgeRoutes(app, {
    db,
    ports,
    publicUrl: config.publicUrl,
    ratingJudges: config.ratingJudges,
    votesPerHour: config.votesPerHour,
    pairVotesMax: config.pairVotesMax,
  });
  addReportRoutes(app, { db, clock });
  addBattleRoutes(app, { db });
  addUnknownRoutes(app, { db, clock, ratingJudges: config.ratingJudges });
  addClosedRoutes(app, { db });
  addLiveRoutes(app, { db, clock });
  addTrendRoutes(app, { db });
  addRulingRoutes(app, { db, clock, ratingJudges: config.ratingJudges });
  addLeaderboardRoutes(app, { db });
  addHistoryRoutes(app, { db });
  addDerivationRoutes(app, { db });
  addPromptTallyRoutes(app, { db });
  addSamplingRoutes(app, { db, pairVotesMax: config.pairVotesMax, ratingJudges: config.ratingJudges });
  addPullRoutes(app, {
    db,
    records: parts.records,
    nextWork: parts.nextWork,
    waitMaxSeconds: config.pullWaitMaxSeconds,
    onRecorded: (agentId, state, kind) => {
      if (kind !== "gym" && kind !== "main") signals.publishHere("runs");
      else if (state === "completed") signals.publishHere("answers");
      signals.publishHere("agent", agentId);
    },
    onDuplicate: (agentId, taskId) => {
      const detail = `A second result came for task ${taskId}, with other content. The first one stands.`;
      note(agentId, taskId, { detail, advice: "Run one runner per agent, and answer each task once." });
    },
    onInvalid: note,
    onClaimed: (agentId, work) => {
      if (work.kind === "main") parts.makeAhead(agentId);
    },
    onBrokenOff: (agentId) => signals.publish("agent", agentId),
  });
  await addPageRoutes(app, { staticDir: parts.staticDir, publicUrl });
}
