import {
  BODY_MAX_BYTES,
  COMPLETE_URL_HEADER,
  EDGEARENA_PROTOCOL,
  EDGEARENA_SIGNATURE_HEADER,
  TESSERAX_SIGNATURE_HEADER,
} from "@agon/protocol";
import { agentAnswer } from "./agent-answer.ts";
import { type AgentCall, type AgentReply, toReply } from "./agent-call.ts";
import type { Agent } from "./agent-definition.ts";
import { completeTask } from "./complete-task.ts";
import { readEdgearenaCall } from "./edgearena-call.ts";
import type { RoleTask } from "./role-task.ts";
import { createRoleTasks, toReport } from "./role-tasks.ts";
import { listWork, type RoleResult } from "./role-work.ts";
import { readWebhookBody, type WebhookCall, type WebhookRefusal } from "./webhook-body.ts";
import type { WebhookEvent, WebhookSummary } from "./webhook-event.ts";
import { createWebhookTasks } from "./webhook-tasks.ts";

/** A text, or a function that is asked at each request, for one that is replaced while the agent runs. */
export type Secret = string | undefined | (() => string | undefined);

/** How an agent is handled, whatever serves it. */
export interface HandlerOptions {
  /** The agent's edgearena-v1 key, `sa_…`. Without it every dispatch is refused with 401. */
  readonly key?: Secret;
  /** The agent's tesserax `webhook_secret`. Without it every prompt is refused with 401. */
  readonly secret?: Secret;
  /**
   * The URL by which the arena calls this agent, exactly as registered. Needed behind a proxy that changes Host or path:
   * both are signed, and what a forwarded header says about them may be anybody's.
   */
  readonly publicUrl?: string;
  /**
   * Acknowledges dispatches with 202 and sends their answers by a call of its own, for platforms that cut long requests
   * off. A text is where to, with `{taskId}` in it, for arenas that do not say; true takes only arenas that do.
   */
  readonly answerLater?: boolean | string;
  /** Keeps the platform from stopping before a later answer is out; `context.waitUntil` of Workers and others. */
  readonly waitUntil?: (work: Promise<unknown>) => void;
  /** How many prompts of the ladder are worked on at a time; 1 by default. */
  readonly concurrency?: number;
  /** Hears everything that happens. What it throws is dropped. */
  readonly onEvent?: (event: WebhookEvent) => void;
  /** Milliseconds of a clock that only goes forward; `performance.now` unless given. */
  readonly now?: () => number;
  /** Unix seconds, against which signatures are checked; the system's unless given. */
  readonly unixSeconds?: () => number;
}

/** An agent behind one URL. */
export interface AgentHandler {
  handle(call: AgentCall): Promise<AgentReply>;
  /** Takes no new work from now on. */
  stop(): void;
  /** Gives everything in hand up. */
  abort(): void;
  holding(): string[];
  /** Resolves when no run task is in hand; prompts are in hand of their callers. */
  idle(): Promise<void>;
  counts(): WebhookSummary;
}

/** A later answer is tried again until the dispatch's deadline, less what its last try takes. */
const LATER_MARGIN_MS = 1_000;

/**
 * Makes an {@link AgentHandler}. One URL serves everything: GET shows that the agent is there, without its model;
 * handshake, simulations and dispatches of edgearena-v1 and the webhooks of tesserax come by POST. Other methods get
 * 405, other bodies 400, larger ones 413, compressed ones 415; 401 comes before any work.
 *
 * @throws TypeError for a publicUrl that is none
 */
export function createAgentHandler(agent: Agent, options: HandlerOptions = {}): AgentHandler {
  const { publicUrl, answerLater = false, now = () => performance.now() } = options;
  const { unixSeconds = () => Date.now() / 1000 } = options;
  if (publicUrl !== undefined && !URL.canParse(publicUrl)) throw new TypeError("publicUrl has to be an absolute URL");
  const emit = (event: WebhookEvent) => {
    try {
      options.onEvent?.(event);
    } catch {}
  };
  const roleTasks = createRoleTasks({ agent, now, emit: options.onEvent === undefined ? undefined : emit });
  const prompts = createWebhookTasks({ answer: agentAnswer(agent), concurrency: options.concurrency ?? 1, now, emit });
  const about = toAbout(agent);
  let isStopping = false;

  const handlePost = async (call: AgentCall): Promise<AgentReply> => {
    const encoding = call.header("content-encoding")?.toLowerCase() ?? "identity";
    const body = await call.readBody();
    if (body === undefined)
      return refuse(413, `the body is larger than ${BODY_MAX_BYTES} bytes`, { connection: "close" });
    if (encoding !== "identity")
      return refuse(415, `the body is ${encoding}-encoded; send it without Content-Encoding`);
    const seconds = unixSeconds();
    const readWebhook = () =>
      readWebhookBody(body, call.header, { secret: readSecret(options.secret), unixSeconds: seconds });
    if (call.header(TESSERAX_SIGNATURE_HEADER) !== undefined && call.header(EDGEARENA_SIGNATURE_HEADER) === undefined) {
      return handleWebhook(readWebhook(), call.gone);
    }
    const proof = { key: readSecret(options.key), url: publicUrl ?? call.url, unixSeconds: seconds };
    const asked = readEdgearenaCall(body, call.header, proof);
    if (asked.type === "refused") return toRefusal(asked);
    if (asked.type === "prompt") return handleWebhook(readWebhook(), call.gone);
    if (asked.type === "handshake") {
      emit({ type: "handshake" });
      return toReply(200, { ok: true, protocol: EDGEARENA_PROTOCOL });
    }
    if (isStopping) return toReply(503, { error: "the agent is stopping", code: "stopped" });
    const { task, isSigned } = asked;
    const url = task.isSimulation ? undefined : laterUrl(task, call);
    if (url !== undefined) return roleTasks.answerLater(task, (result) => deliver(task, url, result));
    return roleTasks.answer(task, { isSigned, gone: call.gone });
  };

  const handleWebhook = async (call: WebhookCall | WebhookRefusal, gone: AbortSignal): Promise<AgentReply> => {
    if (call.type === "refused") return toRefusal(call);
    if (call.type === "ping") {
      emit({ type: "ping" });
      return toReply(200, { response: "pong" });
    }
    if (isStopping) return toReply(503, { error: "the agent is stopping" });
    if (agent.prompt === undefined) {
      return refuse(422, `this agent answers no prompts; it has ${listWork(agent)}`);
    }
    const { outcome, leave } = prompts.take(call.work, call.messageId);
    gone.addEventListener("abort", leave, { once: true });
    const made = await outcome;
    gone.removeEventListener("abort", leave);
    const reply = "response" in made ? toReply(200, { response: made.response }) : toReply(502, { error: made.error });
    return { ...reply, outcome: { work: call.work, result: "response" in made ? "response" : "error" } };
  };

  /** Where the answer goes by a later call; undefined when it goes back at once. */
  const laterUrl = (task: RoleTask, call: AgentCall): string | undefined => {
    if (answerLater === false) return undefined;
    const told = call.header(COMPLETE_URL_HEADER);
    if (typeof answerLater === "string") return answerLater.replaceAll("{taskId}", encodeURIComponent(task.taskId));
    return told !== undefined && URL.canParse(told) ? told : undefined;
  };

  const deliver = (task: RoleTask, url: string, { output, usage }: RoleResult): Promise<void> => {
    const key = readSecret(options.key) ?? "";
    const { promptTokens, completionTokens, modelId } = toReport(agent, usage);
    const retryMs = task.deadlineMs - LATER_MARGIN_MS;
    const { taskId } = task;
    return completeTask({ url, key, taskId, output, promptTokens, completionTokens, modelId, retryMs, unixSeconds });
  };

  const toRefusal = ({ status, reason, code }: WebhookRefusal): AgentReply => {
    emit({ type: "refused", status, reason });
    return toReply(status, { error: reason, ...(code === undefined ? {} : { code }) });
  };
  const refuse = (status: number, reason: string, headers?: Readonly<Record<string, string>>): AgentReply => {
    emit({ type: "refused", status, reason });
    return toReply(status, { error: reason }, headers);
  };

  return {
    async handle(call) {
      const { method } = call;
      if (method === "GET" || method === "HEAD") return about;
      if (method !== "POST") return refuse(405, `${method} is not served here`, { allow: "GET, HEAD, POST" });
      const reply = await handlePost(call);
      if (reply.status === 202) options.waitUntil?.(roleTasks.idle());
      return reply;
    },
    stop() {
      isStopping = true;
    },
    abort() {
      isStopping = true;
      roleTasks.abort();
      prompts.abort(new Error("the agent was stopped"));
    },
    holding: () => [...roleTasks.holding(), ...prompts.holding()],
    idle: () => roleTasks.idle(),
    counts() {
      const [runs, ladder] = [roleTasks.counts(), prompts.counts()];
      return { answered: runs.answered + ladder.answered, failed: runs.failed + ladder.failed };
    },
  };
}

function toAbout(agent: Agent): AgentReply {
  const { name } = agent;
  const phases = Object.keys(agent.roles);
  return toReply(200, { ok: true, name, protocol: EDGEARENA_PROTOCOL, phases, prompts: agent.prompt !== undefined });
}

/** A key that is pasted comes with spaces and line ends around it. */
function readSecret(secret: Secret): string | undefined {
  return (typeof secret === "function" ? secret() : secret)?.trim();
}
