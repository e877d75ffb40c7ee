import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Database } from "../db/database.ts";
import type { Clock } from "../ports.ts";
import { loadHistory, loadOutcomes } from "./history-queries.ts";
import { loadPresent } from "./overview-queries.ts";

export interface OverviewOptions {
  db: Database;
  clock: Clock;
  /** Polls that wait for work on this node. */
  parkedPolls: () => number;
  /** Prompts of the pool by where they are in their life. */
  countPool: () => Promise<{ fresh: number; open: number; closed: number; gym: number }>;
  /** Answers about which something could not be found out. */
  countUnknown: () => Promise<number>;
  /** Reports that nobody has looked at. */
  countReports: () => Promise<number>;
}

const count = z.int();
const cause = z.enum(["timeout", "error", "invalid", "unreachable", "arena"]);
const overviewSchema = z.object({
  agents: z.object({
    active: count,
    slowed: count,
    suspended: count,
    polling: count.describe("polled within a minute, on whichever node"),
    total: count,
  }),
  accounts: z.object({ total: count, banned: count }),
  queued: count,
  running: count,
  work: z.array(
    z.object({
      kind: z.string(),
      state: z.enum(["queued", "running"]),
      tasks: count,
      oldest_seconds: z.number().nullable().describe("how long the oldest has been in this state"),
      ready: count.describe("queued ones whose agent could take them now"),
      ready_oldest_seconds: z.number().nullable(),
    }),
  ),
  parked_polls: count.describe("of the node that answers; /metrics of each node has its own"),
  overdue: count.describe("running for longer than the sweep should let them; above 0 something is stuck"),
  outcomes: z
    .array(z.object({ state: z.enum(["completed", "failed", "timeout"]), cause: cause.nullable(), tasks: count }))
    .describe("of the last hour"),
  prompts: z.object({ fresh: count, open: count, closed: count, gym: count }),
  votes: count,
  unknown_gates: count,
  open_reports: count,
});
const historySchema = z.object({
  since: z.string(),
  slot_seconds: z.number(),
  each: count.describe("1: every task was looked at; n: each nth, whose counts stand for n"),
  points: z.array(
    z.object({
      at: z.string().describe("where the part begins"),
      completed: count,
      timeout: count,
      error: count,
      invalid: count,
      unreachable: count,
      arena: count.describe("ours: agents bear none of it"),
      p50_ms: z.number().nullable().describe("from handing a task out to its answer"),
      p95_ms: z.number().nullable(),
      in_flight: count.describe("tasks that agents worked on at the end of the part"),
    }),
  ),
});

const SPANS = { hour: { seconds: 3_600, slots: 30 }, day: { seconds: 86_400, slots: 48 } } as const;

/** What an operator looks at first: where everything stands, and how it went. */
export function addOverviewRoutes(instance: FastifyInstance, options: OverviewOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, clock } = options;
  const tags = ["operator"];

  app.get(
    "/api/admin/overview",
    {
      config: { auth: "admin" },
      schema: { summary: "How the arena is doing", tags, response: { 200: overviewSchema } },
    },
    async () => {
      const now = clock.now();
      return {
        ...(await loadPresent(db, now)),
        parked_polls: options.parkedPolls(),
        outcomes: (await loadOutcomes(db, now)) as z.infer<typeof overviewSchema>["outcomes"],
        prompts: await options.countPool(),
        unknown_gates: await options.countUnknown(),
        open_reports: await options.countReports(),
      };
    },
  );

  app.get(
    "/api/admin/history",
    {
      config: { auth: "admin" },
      schema: {
        summary: "How tasks ended over the last hour or day, by cause, and how long answers took",
        tags,
        querystring: z.object({ span: z.enum(["hour", "day"]).default("hour") }),
        response: { 200: historySchema },
      },
    },
    (request) => loadHistory(db, clock.now(), SPANS[request.query.span]),
  );
}
