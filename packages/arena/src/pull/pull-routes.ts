import {
  type AcceptedResult,
  cleanText,
  type DispatchPayload,
  HOLDING_HEADER,
  PROMPT_MAX_BYTES,
  ProblemError,
  parseHolding,
  parseWorkId,
  type RunKind,
  TESSERAX_SECRET_HEADER,
  toResult,
  toWorkId,
  truncateUtf8,
  type WorkId,
  type WorkKind,
} from "@agon/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Batcher } from "../db/batch.ts";
import type { Database } from "../db/database.ts";
import { hashSecret } from "../db/secrets.ts";
import { parseJsonBody } from "../http/json-body.ts";
import { refusal } from "../tasks/agent-gate.ts";
import { judgeOutput, type WrongOutput } from "../tasks/role-answer.ts";
import { type ClaimedWork, findRunTasks, loadGate, markUndelivered } from "../tasks/task-claims.ts";
import type { RecordResult, Report } from "../tasks/task-records.ts";
import type { Poll, PollOutcome } from "./next-work.ts";
import { type ResponseWatch, watchResponse } from "./response-watch.ts";

export interface PullRouteOptions {
  db: Database;
  records: Batcher<Report, RecordResult>;
  nextWork: (poll: Poll) => Promise<PollOutcome>;
  waitMaxSeconds: number;
  /** An answer was recorded: judging has something to do, and the agent has room. */
  onRecorded: (agentId: number, state: RecordResult["state"], kind: WorkKind) => void;
  /** The output of a run task that was taken and is of no use. */
  onInvalid: (agentId: number, taskId: number, wrong: WrongOutput) => void;
  /** A second result that differs from the one that stands. */
  onDuplicate: (agentId: number, taskId: number) => void;
  /** A ladder task left the queue: time to make the next one ahead. */
  onClaimed: (agentId: number, work: ClaimedWork) => void;
  /** A hand-over broke off: another poll of the agent may have the task. */
  onBrokenOff: (agentId: number) => void;
}

const params = z.object({ agent_id: z.string() });
const NO_STORE = "no-store";

/** The two calls of the pull API (pull document). Their order of refusals is that of TX-RES-4. */
export function addPullRoutes(app: FastifyInstance, options: PullRouteOptions): void {
  const { db, records } = options;

  app.get<{ Params: { agent_id: string }; Querystring: Record<string, unknown> }>(
    "/api/agents/:agent_id/work/next",
    {
      config: { auth: "agent", dialect: "tesserax" },
      // Its headers tell browsers what a page may do; runners read none of them.
      helmet: false,
      schema: {
        summary: "Fetch the next piece of work, waiting for it if there is none",
        tags: ["pull"],
        params,
        querystring: z.looseObject({ wait: z.string().optional().describe("seconds to wait; clamped to the longest") }),
      },
    },
    async (request, reply) => {
      reply.header("cache-control", NO_STORE);
      const { agentId, secretHash } = credentials(request);
      const waitSeconds = await afterGate(agentId, secretHash, () =>
        readWait(request.query.wait, options.waitMaxSeconds),
      );
      const response = watchResponse(reply.raw);
      const holding = await readHolding(agentId, request.headers[HOLDING_HEADER] as string | undefined);
      const outcome = await options.nextWork({ agentId, secretHash, holding, waitSeconds, response });
      if (outcome.work === undefined) return answerNothing(reply, outcome);
      watchDelivery(reply, response, agentId, outcome.work);
      if (outcome.work.isNew) options.onClaimed(agentId, outcome.work);
      // Written out here: a serializer per schema would cost more than all the rest of this route.
      return reply.type("application/json; charset=utf-8").send(JSON.stringify(toWork(outcome.work)));
    },
  );

  app.post<{ Params: { agent_id: string; work_id: string }; Body: Buffer | undefined }>(
    "/api/agents/:agent_id/work/:work_id/result",
    {
      config: { auth: "agent", dialect: "tesserax", rawBody: true },
      helmet: false,
      schema: {
        summary: "Submit the answer to a piece of work, or why there is none",
        tags: ["pull"],
        params: params.extend({ work_id: z.string() }),
      },
    },
    async (request, reply) => {
      reply.header("cache-control", NO_STORE);
      const { agentId, secretHash } = credentials(request);
      const { work, result } = await afterGate(agentId, secretHash, () => readReport(request));
      const recorded = await record(agentId, secretHash, work, result, request.arrivedAt);
      return reply
        .type("application/json; charset=utf-8")
        .send(JSON.stringify(answerRecorded(recorded, request.params.work_id, result.error !== undefined)));
    },
  );

  async function record(
    agentId: number,
    secretHash: string,
    work: WorkId,
    result: AcceptedResult,
    arrivedAt: number,
  ): Promise<RecordResult> {
    const task = typeof work.id === "number" ? { id: work.id } : await findRunTask(agentId, secretHash, work.id);
    const judged = "candidate_id" in task ? judgeRunResult(work.kind as RunKind, task.candidate_id, result) : result;
    const recorded = await records.add({
      agentId,
      secretHash,
      taskId: task.id,
      kind: work.kind,
      response: judged.response === undefined ? undefined : cleanText(judged.response),
      error: judged.error === undefined ? undefined : cleanText(judged.error),
      invalid: "wrong" in judged,
      latencyMs: result.latencyMs,
      arrivedAt,
    });
    if (recorded.gate !== "open") throw refusal(recorded.gate);
    if (recorded.recorded) options.onRecorded(agentId, recorded.state, work.kind);
    else if (isDuplicate(recorded)) options.onDuplicate(agentId, task.id);
    if (recorded.recorded && "wrong" in judged) options.onInvalid(agentId, task.id, judged.wrong);
    return recorded;
  }

  async function findRunTask(agentId: number, secretHash: string, uuid: string) {
    const [task] = await findRunTasks(db, agentId, [uuid]);
    if (task !== undefined) return task;
    await requireOpenGate(agentId, secretHash);
    throw notHandedOut();
  }

  async function readHolding(agentId: number, header: string | undefined): Promise<number[]> {
    const held = parseHolding(header).map((text) => parseWorkId(text)?.id);
    const uuids = held.filter((id) => typeof id === "string");
    const ids = held.filter((id) => typeof id === "number");
    // Without a run task in hand, which is the rule, no query.
    return uuids.length === 0 ? ids : [...ids, ...(await findRunTasks(db, agentId, uuids)).map((task) => task.id)];
  }

  async function requireOpenGate(agentId: number, secretHash: string): Promise<void> {
    const gate = await loadGate(db, agentId, secretHash);
    if (gate !== "open") throw refusal(gate);
  }

  /** Reads a request. A fault in it is named only to whom the agent's gate is open: 404, 403 and 409 come first. */
  async function afterGate<Result>(agentId: number, secretHash: string, read: () => Result): Promise<Result> {
    try {
      return read();
    } catch (fault) {
      await requireOpenGate(agentId, secretHash);
      throw fault;
    }
  }

  /** Work whose response closes before it was written out is free for a poll that is parked. */
  function watchDelivery(reply: FastifyReply, response: ResponseWatch, agentId: number, work: ClaimedWork): void {
    const onClosed = () => {
      if (response.finished) return;
      markUndelivered(db, work.taskId).then(
        () => options.onBrokenOff(agentId),
        (error) => reply.log.error({ err: error }, "a broken hand-over was not noted; the next poll gets the task"),
      );
    };
    if (response.closed) onClosed();
    else response.onClose = onClosed;
  }
}

function credentials(request: FastifyRequest<{ Params: { agent_id: string } }>) {
  const secret = request.headers[TESSERAX_SECRET_HEADER];
  return {
    agentId: /^[1-9]\d{0,9}$/.test(request.params.agent_id) ? toInt4(Number(request.params.agent_id)) : 0,
    secretHash: typeof secret === "string" ? hashSecret(secret) : "",
  };
}

/** Beyond the column's range no agent exists, and the database would refuse the number itself. */
function toInt4(id: number): number {
  return id <= 2_147_483_647 ? id : 0;
}

function readWait(wait: unknown, mostSeconds: number): number {
  if (wait === undefined) return 0;
  const seconds = typeof wait === "string" && /^-?\d+(\.\d+)?(e\d+)?$/i.test(wait) ? Number(wait) : Number.NaN;
  if (!Number.isNaN(seconds)) return Math.min(Math.max(seconds, 0), mostSeconds);
  const detail = "wait has to be one number of seconds, such as wait=25";
  throw new ProblemError("unprocessable", detail, { errors: [{ field: "wait", detail }] });
}

function readReport(request: FastifyRequest<{ Params: { work_id: string }; Body: Buffer | undefined }>): {
  work: WorkId;
  result: AcceptedResult;
} {
  const work = parseWorkId(request.params.work_id);
  if (work === undefined) {
    const detail = `"${truncateUtf8(request.params.work_id, 80, "…")}" is no work id; pass back the work_id of work/next unchanged`;
    throw new ProblemError("malformed_work_id", detail);
  }
  const result = toResult(parseJsonBody(request.body));
  if (result.ok) return { work, result };
  throw new ProblemError(result.code, result.detail, { errors: [{ field: result.field, detail: result.detail }] });
}

function answerNothing(reply: FastifyReply, outcome: PollOutcome): FastifyReply {
  if (outcome.retryAfterSeconds !== undefined) reply.header("retry-after", String(outcome.retryAfterSeconds));
  return reply.code(204).send();
}

/** The wire form of work handed out, as in the pull document. */
function toWork({ kind, taskId, prompt, dispatch, secondsLeft }: ClaimedWork) {
  if (dispatch !== undefined) {
    const task = JSON.parse(dispatch.payload) as DispatchPayload;
    return {
      kind,
      work_id: toWorkId(kind, dispatch.uuid),
      prompt_id: dispatch.uuid,
      // Whole it is in the task; a runner that puts it into the environment of a command dies of a longer one.
      prompt: truncateUtf8(task.messages.map((each) => each.content).join("\n\n"), PROMPT_MAX_BYTES, " … (cut)"),
      category: task.launchpadName,
      deadline_seconds: secondsLeft,
      task,
    };
  }
  return {
    kind,
    work_id: toWorkId(kind, taskId),
    prompt_id: String(prompt?.id),
    prompt: prompt?.text,
    category: prompt?.category,
    deadline_seconds: secondsLeft,
  };
}

/** The response to a run task is its output as JSON text, and is judged like that of a pushed one. */
function judgeRunResult(
  kind: RunKind,
  candidateId: string | null,
  { response, error }: AcceptedResult,
): { response?: string | undefined; error?: string | undefined; wrong?: WrongOutput } {
  if (response === undefined) return { error };
  const verdict = judgeOutput(parseText(response), {}, { kind, candidateId });
  if (verdict.outcome === "completed") return { response: verdict.response };
  return { error: `${verdict.detail} ${verdict.advice}`, wrong: verdict };
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function answerRecorded(result: RecordResult, workId: string, isError: boolean) {
  if (result.state === undefined) throw notHandedOut();
  if (!result.recorded && !isError) {
    if (result.state === "cancelled") throw new ProblemError("work_cancelled", "work cancelled");
    if (result.state === "timeout" || result.state === "running")
      throw new ProblemError("deadline_passed", "deadline passed");
  }
  return { work_id: workId, recorded: true, ...(isDuplicate(result) ? { duplicate: true } : {}) };
}

/** A second result for a task that has one, with other content. */
function isDuplicate(result: RecordResult): boolean {
  return !result.recorded && result.differs && (result.state === "completed" || result.state === "failed");
}

function notHandedOut(): ProblemError {
  return new ProblemError("work_not_found", "work not found");
}
