import { PHASES, type Phase, ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { AgentRow } from "../agents/agent-queries.ts";
import { agentParams, requireOwnAgent } from "../agents/agent-routes.ts";
import type { Database } from "../db/database.ts";
import type { Signals } from "../db/signals.ts";
import { pathLongId } from "../http/paging.ts";
import type { Clock, Random } from "../ports.ts";
import { findOwnTask, queueTestTask } from "./test-task-queries.ts";

const taskSchema = z.object({
  task_id: z.int(),
  kind: z.string(),
  test: z.boolean(),
  state: z.string(),
  cause: z.string().nullable(),
  response: z.string().nullable(),
  error: z.string().nullable(),
  latency_ms: z.int().nullable(),
});

/** One task now, for an owner who wants to see their agent answer. Its outcome counts nowhere. */
export function addTestTaskRoutes(
  instance: FastifyInstance,
  options: {
    db: Database;
    signals: Signals;
    ports: { clock: Clock; random: Random };
    deadlineSeconds: number;
    /** Queues one dispatch of a phase: what that is, runs know. */
    queuePhaseTest: (agent: AgentRow, phase: Phase | undefined) => Promise<number>;
  },
): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, signals } = options;

  app.post(
    "/api/agents/:agent_id/test-task",
    {
      config: { auth: "owner" },
      schema: {
        summary: "Send your agent one gym prompt, or one dispatch of a phase, now; the outcome counts nowhere",
        tags: ["agents"],
        params: agentParams,
        body: z
          .object({
            phase: z.enum(PHASES).optional().describe("for agents with roles; of edgearena-v1 the first one's"),
          })
          .nullish(),
        response: { 202: z.object({ task_id: z.int(), detail: z.string() }) },
      },
    },
    async (request, reply) => {
      const agent = await requireOwnAgent(db, request);
      if (agent.deactivatedAt !== null) throw new ProblemError("conflict", "this agent was deactivated for good");
      const phase = request.body?.phase;
      const isPhase = phase !== undefined || agent.dialect === "edgearena-v1";
      const taskId = isPhase
        ? await options.queuePhaseTest(agent, phase)
        : await queueTestTask(db, options.ports, agent.id, options.deadlineSeconds);
      if (taskId === undefined) {
        throw new ProblemError("conflict", "this arena has no gym prompt to test with; its operator has to add one");
      }
      signals.publish(agent.transport === "push" ? "push" : "agent", agent.id);
      const detail =
        agent.transport === "push"
          ? "It is sent as soon as the agent has nothing in work; see its deliveries."
          : "It is handed to the next poll of the agent's runner.";
      return reply.code(202).send({ task_id: taskId, detail });
    },
  );

  app.get(
    "/api/agents/:agent_id/tasks/:task_id",
    {
      config: { auth: "owner" },
      schema: {
        summary: "Where a task of your agent stands",
        tags: ["agents"],
        params: agentParams.extend({ task_id: pathLongId }),
        response: { 200: taskSchema },
      },
    },
    async (request) => {
      const agent = await requireOwnAgent(db, request);
      const task = await findOwnTask(db, agent.id, request.params.task_id);
      if (task === undefined) {
        throw new ProblemError("not_found", `agent ${agent.id} has no task ${request.params.task_id}`);
      }
      return task;
    },
  );
}
