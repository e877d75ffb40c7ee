import { codePoints, ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { findAgent } from "../agents/agent-queries.ts";
import type { Database } from "../db/database.ts";
import type { Signals } from "../db/signals.ts";
import type { EventStreams } from "../http/event-streams.ts";
import { optionalWholeNumber, pageQuery, pathId, toPage } from "../http/paging.ts";
import type { Clock, Random } from "../ports.ts";
import type { Launchpad } from "./launchpad-file.ts";
import { computeReputation, REPUTATION, weightOf } from "./reputation.ts";
import { cancelRun, createRun, type RunQuotas } from "./run-creation.ts";
import { addRunEventRoute } from "./run-events.ts";
import { type ContributionView, listRuns, loadContributions } from "./run-queries.ts";
import { writeReport } from "./run-report.ts";
import {
  launchpadSchema,
  reputationSchema,
  runDetailSchema,
  runHeadSchema,
  runStatusSchema,
  runsPageSchema,
} from "./run-schemas.ts";
import { loadDetail, toRunHead } from "./run-views.ts";

export interface RunRouteOptions {
  db: Database;
  signals: Signals;
  ports: { clock: Clock; random: Random };
  quotas: RunQuotas;
  launchpads: ReadonlyMap<string, Launchpad>;
  events: EventStreams;
  /** Called before the first run of this process is begun: what a run needs and an arena without runs does not. */
  prepare: () => Promise<void>;
}

const GOAL_MAX = 8_000;
const perCandidate = (what: string) =>
  z
    .int(`must be a whole number from 0 to 5`)
    .min(0)
    .max(5)
    .default(1)
    .describe(`${what} of each candidate; 0 leaves the phase out`);
const runRequestSchema = z.object({
  goal: codePoints(GOAL_MAX).refine((goal) => goal.trim() !== "", "must not be blank: say what the agents are to find"),
  launchpad: z.string().describe("a slug from /api/launchpads"),
  scouts: z.int().min(1).max(10).default(3),
  builders_per_candidate: perCandidate("plans"),
  verifiers_per_candidate: perCandidate("verifications"),
  critics_per_candidate: perCandidate("critiques"),
});
const runParams = z.object({ run_id: z.string() });
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Runs: begun by accounts, watched by everybody. */
export function addRunRoutes(instance: FastifyInstance, options: RunRouteOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, signals, ports, launchpads } = options;
  let prepared: Promise<void> | undefined;

  app.get(
    "/api/launchpads",
    {
      config: { auth: "public" },
      schema: {
        summary: "What runs can be about",
        tags: ["runs"],
        response: { 200: z.object({ items: z.array(launchpadSchema) }) },
      },
    },
    () => ({ items: [...launchpads.values()].map(({ phases: _phases, ...launchpad }) => launchpad) }),
  );

  app.post(
    "/api/runs",
    {
      config: { auth: "account" },
      schema: {
        summary: "Begin a run: agents scout, build, verify and criticise; goal and result are public",
        tags: ["runs"],
        body: runRequestSchema,
        response: { 201: runHeadSchema },
      },
    },
    async (request, reply) => {
      const launchpad = launchpads.get(request.body.launchpad);
      if (launchpad === undefined) {
        const detail = `launchpad: there is none of this name; there are ${[...launchpads.keys()].join(", ")}`;
        throw new ProblemError("invalid_request", detail, { errors: [{ field: "launchpad", detail }] });
      }
      prepared ??= options.prepare();
      await prepared.catch((error) => {
        prepared = undefined;
        throw error;
      });
      const run = await createRun(db, ports, options.quotas, request.caller.accountId, launchpad, request.body);
      signals.publish("runs");
      return reply.code(201).send(toRunHead(run));
    },
  );

  app.get(
    "/api/runs",
    {
      config: { auth: "public" },
      schema: {
        summary: "Runs, latest first",
        tags: ["runs"],
        querystring: pageQuery(25).extend({ status: runStatusSchema.optional() }),
        response: { 200: runsPageSchema },
      },
    },
    async (request) => {
      const { total, rows } = await listRuns(db, request.query);
      return toPage(request.query, total, rows.map(toRunHead));
    },
  );

  app.get(
    "/api/runs/:run_id",
    {
      config: { auth: "public", knowsCaller: true },
      schema: {
        summary: "A run with its phases, candidates, and every number that the ranking was made of",
        tags: ["runs"],
        params: runParams,
        response: { 200: runDetailSchema },
      },
    },
    (request) => requireRun(request.params.run_id, request.caller?.accountId),
  );

  app.get(
    "/api/runs/:run_id/report",
    {
      config: { auth: "public" },
      schema: {
        summary: "The report of a run as Markdown",
        tags: ["runs"],
        params: runParams,
        produces: ["text/markdown"],
      },
    },
    async (request, reply) =>
      reply.type("text/markdown; charset=utf-8").send(writeReport(await requireRun(request.params.run_id))),
  );

  app.post(
    "/api/runs/:run_id/cancel",
    {
      config: { auth: "owner" },
      schema: {
        summary: "End a run of your own; what agents are working on is withdrawn",
        tags: ["runs"],
        params: runParams,
        response: { 200: runHeadSchema },
      },
    },
    async (request) => {
      const runId = requireId(request.params.run_id);
      const { run, agents } = await cancelRun(db, ports.clock, request.caller.accountId, runId);
      for (const id of agents) signals.publish("agent", id);
      signals.publish("run", run.number);
      return toRunHead(run);
    },
  );

  app.get(
    "/api/agents/:agent_id/reputation",
    {
      config: { auth: "public" },
      schema: {
        summary: "What an agent's work in runs was worth, by role",
        tags: ["runs"],
        params: z.object({ agent_id: pathId }),
        querystring: z.object({
          latest: optionalWholeNumber(0, REPUTATION.latest, 10).describe("how many contributions of each role to list"),
        }),
        response: { 200: reputationSchema },
      },
    },
    async (request) => {
      const id = request.params.agent_id;
      if ((await findAgent(db, id)) === undefined)
        throw new ProblemError("agent_not_found", `no agent has the id ${id}`);
      const all = await loadContributions(db, id, REPUTATION.latest);
      const now = ports.clock.now();
      const roles = [...new Set(all.map((each) => each.role))].sort();
      return {
        agent_id: id,
        neutral: REPUTATION.neutral,
        neutral_weight: REPUTATION.priorWeight,
        roles: roles.map((role) => {
          const own = all.filter((each) => each.role === role);
          const { value, weight, total } = computeReputation(own, now);
          const latest = own.slice(Math.max(0, own.length - request.query.latest)).reverse();
          return {
            role,
            reputation: value,
            weight,
            adds: total,
            contributions: own.length,
            latest: latest.map((each) => toContribution(each, now)),
          };
        }),
      };
    },
  );

  addRunEventRoute(app, { db, clock: ports.clock, signals, events: options.events, requireId });

  async function requireRun(id: string, accountId?: number) {
    const run = await loadDetail(db, requireId(id), ports.clock.now(), accountId);
    if (run === undefined) throw unknownRun(id);
    return run;
  }
}

function toContribution({ run_id, goal, phase, at, score, terms }: ContributionView, now: number) {
  const weight = weightOf(at, now);
  return {
    run: { id: run_id, goal },
    phase,
    at: new Date(at).toISOString(),
    score,
    terms,
    weight,
    adds: weight * score,
  };
}

/** Ids come in either case; whatever is none cannot be a run's. */
function requireId(id: string): string {
  if (!UUID.test(id)) throw unknownRun(id);
  return id.toLowerCase();
}

function unknownRun(id: string): ProblemError {
  return new ProblemError("not_found", `there is no run ${id.slice(0, 80)}`);
}
