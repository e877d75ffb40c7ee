import {
  COMPLETION_OUTPUT_MAX_BYTES,
  checkSignatureTimestamp,
  cleanText,
  EDGEARENA_SIGNATURE_HEADER,
  EDGEARENA_TIMESTAMP_HEADER,
  jsonBytes,
  type ProblemCode,
  type ProblemError,
  problemStatus,
  toProblem,
  truncateUtf8,
  verifyEdgearena,
} from "@agon/protocol";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import type { Batcher } from "../db/batch.ts";
import type { Db } from "../db/database.ts";
import type { Vault } from "../db/secrets.ts";
import { parseJsonBody } from "../http/json-body.ts";
import type { Clock } from "../ports.ts";
import { findCompletedTask } from "../tasks/completion-queries.ts";
import { judgeOutput } from "../tasks/role-answer.ts";
import type { RunOutcome, RunRecord } from "../tasks/run-outcomes.ts";
import type { DeliveryLog } from "./delivery-log.ts";
import { isJsonObject } from "./outbound-json.ts";

export interface CompletionRouteOptions {
  db: Db;
  clock: Clock;
  vault: Vault;
  runOutcomes: Batcher<RunOutcome, RunRecord>;
  deliveries: DeliveryLog;
  /** `AGON_PUBLIC_URL`, whose host is signed when it is set. */
  publicUrl: string | undefined;
  onRunTaskDone: () => void;
}

/**
 * An output within its limit may be six times as long on the wire, every character of it escaped. Beyond that, it is
 * not.
 */
const BODY_MAX_BYTES = 6 * COMPLETION_OUTPUT_MAX_BYTES + 65_536;

/** A refusal with one of the texts of the endpoints document (Error responses). */
class Refusal extends Error {
  readonly code: ProblemCode;
  constructor(code: ProblemCode, text: string) {
    super(text);
    this.code = code;
  }
}

const badRequest = (text: string) => new Refusal("invalid_request", text);
const unauthorized = (text: string) => new Refusal("unauthorized", text);

const MISMATCH = "taskId in body must match path parameter";
const TOO_LARGE = `output exceeds ${COMPLETION_OUTPUT_MAX_BYTES} byte limit`;

/**
 * The later answer to a dispatch (endpoints document, Async completion callback). Its checks come in the order of
 * EA-COMP-15, so that a stranger learns of a task no more than that it exists and is not for outside agents.
 */
export function addCompletionRoutes(instance: FastifyInstance, options: CompletionRouteOptions): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, clock } = options;

  app.post(
    "/api/agent-tasks/:task_id/complete",
    {
      bodyLimit: BODY_MAX_BYTES,
      config: { auth: "signature", rawBody: true },
      errorHandler: answerRefusal,
      schema: {
        summary: "Complete a dispatched task later than in the answer to its dispatch",
        tags: ["edgearena"],
        params: z.object({ task_id: z.string() }),
        response: { 200: z.object({ accepted: z.literal(true) }) },
      },
    },
    async (request) => {
      const body = request.body as Buffer | undefined;
      const { task_id } = request.params;
      const completion = readBody(body, task_id);
      const signature = requireFreshSignature(request);
      const id = truncateUtf8(task_id, 200, "…");
      const task = await findCompletedTask(db, task_id);
      if (task === undefined) throw badRequest(`Task ${id} not found`);
      if (!task.isExternal) throw badRequest(`Task ${id} was not dispatched to an external agent`);
      if (task.secretSealed === undefined) throw badRequest("Agent not found for this task");
      const verified = verifyEdgearena({
        key: options.vault.open(task.secretSealed),
        url: signedUrl(request, options.publicUrl),
        timestamp: request.headers[EDGEARENA_TIMESTAMP_HEADER] as string | undefined,
        signature,
        body: body as Buffer,
        now: clock.now() / 1000,
      });
      if (!verified.ok) throw unauthorized("Invalid task completion signature");

      const { taskId, agentId } = task;
      const verdict = judgeOutput(completion.output, completion, task);
      const { recorded, replayed } = await options.runOutcomes.add({
        taskId,
        agentId,
        // Either case of hex is the same signature, so it is one and the same replay.
        completion: { signature: (signature as string).toLowerCase(), arrivedAt: request.arrivedAt },
        ...(verdict.outcome === "completed"
          ? verdict
          : { cause: verdict.cause, error: cleanText(`${verdict.detail} ${verdict.advice}`) }),
      });
      if (replayed) throw unauthorized("Task completion already submitted (replay rejected)");
      if (!recorded) throw badRequest(`Task ${id} is not in RUNNING state`);
      options.onRunTaskDone();
      if (verdict.outcome === "failed") {
        const { detail, advice } = verdict;
        await options.deliveries.note({ agentId, taskId, at: request.arrivedAt, detail, advice });
      }
      return { accepted: true as const };
    },
  );
}

/** The body as far as it is judged before the signature. Whatever is no object has no task id that could match. */
function readBody(body: Buffer | undefined, taskId: string): Record<string, unknown> {
  const value = parseJsonBody(body);
  if (!isJsonObject(value) || !Object.hasOwn(value, "taskId") || value.taskId !== taskId) throw badRequest(MISMATCH);
  if (Object.hasOwn(value, "output") && value.output !== undefined) {
    if (jsonBytes(value.output) > COMPLETION_OUTPUT_MAX_BYTES) throw badRequest(TOO_LARGE);
  }
  return value;
}

/** Checks the timestamp and returns the signature as received; a missing one is judged with the wrong ones. */
function requireFreshSignature(request: FastifyRequest): string | undefined {
  const timestamp = request.headers[EDGEARENA_TIMESTAMP_HEADER] as string | undefined;
  const fresh = checkSignatureTimestamp({ timestamp, now: request.arrivedAt / 1000 });
  if (!fresh.ok) {
    throw unauthorized(
      fresh.reason === "stale"
        ? `Signature timestamp outside ±300s replay window (skew=${fresh.skewSeconds}s)`
        : "Invalid or missing X-EdgeArena-Timestamp header",
    );
  }
  return request.headers[EDGEARENA_SIGNATURE_HEADER] as string | undefined;
}

/**
 * The URL that the agent signed: the public one, or the host that it called. Never one of a forwarded header, which any
 * stranger in between may write.
 */
function signedUrl(request: FastifyRequest, publicUrl: string | undefined): string {
  const path = request.url.split("?")[0] as string;
  return publicUrl === undefined
    ? `http://${request.headers.host ?? ""}${path}`
    : `${publicUrl.replace(/\/$/, "")}${path}`;
}

/** The specified texts stand in `message` too, where clients of the existing arena look for them. */
function answerRefusal(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { code, message } = toRefusal(error);
  const problem = toProblem({ code, detail: message, requestId: request.id });
  return reply
    .code(problemStatus[code])
    .header("cache-control", "no-store")
    .type("application/problem+json; charset=utf-8")
    .send(JSON.stringify({ ...problem, message }));
}

/** A body that is too long, compressed, cut short or no JSON is refused with the text that comes nearest. */
function toRefusal(error: Error): Refusal {
  if (error instanceof Refusal) return error;
  const { code } = error as FastifyError | ProblemError;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return badRequest(TOO_LARGE);
  if (UNREADABLE.has(code)) return badRequest(MISMATCH);
  // Thrown on, to the handler of all other routes.
  throw error;
}

const UNREADABLE = new Set(["malformed_json", "unsupported_media_type", "FST_ERR_CTP_INVALID_CONTENT_LENGTH"]);
