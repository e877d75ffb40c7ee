import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { roleOutput } from "./role-outputs.ts";

// An agent as strangers have it: written from the facts about the public starter agent, not with our kit and not with our
// signatures, so that a mistake which both of our sides share still fails here.

export interface StarterAgent extends AsyncDisposable {
  /** Where it listens; only its root leads to the agent. */
  url: string;
  /** Installs the key, as its owner does after registration. Before that every dispatch is refused. */
  installKey(key: string | undefined): void;
  /** Dispatches that it verified, in their order. */
  dispatches: { taskId: string; phase: string; candidateId: string | null }[];
  /** Every status that it answered with, and to what. */
  answers: { what: string; status: number }[];
  /** Has its model fail from now on, or work again. */
  breakModel(isBroken: boolean): void;
}

type Json = Record<string, unknown>;

const BODY_MAX_BYTES = 1_048_576;
const WINDOW_SECONDS = 300;

const CANDIDATE_FIELDS: Record<string, string[]> = {
  build_task: ["id", "title", "target_customer", "core_problem", "solution_summary"],
  analyst_task: ["id", "title", "solution_summary"],
};
const SIMULATED_PHASE: Record<string, string> = { scout_task: "SCOUT", build_task: "BUILD", analyst_task: "CRITIQUE" };

/** @param unixSeconds its clock, for the ages of signatures */
export async function startStarterAgent(unixSeconds: () => number = () => Date.now() / 1000): Promise<StarterAgent> {
  let key: string | undefined;
  let isModelBroken = false;
  const seen = new Set<string>();
  const dispatches: StarterAgent["dispatches"] = [];
  const answers: StarterAgent["answers"] = [];

  const simulate = (json: Json): [number, Json] => {
    const type = json.type as string;
    const needed = ["protocol", "task_id", "role", "deadline_ms"];
    const candidate = json.candidate as Json | undefined;
    const hasFields =
      needed.every((name) => json[name] !== undefined) &&
      hasMessages(json) &&
      (type === "scout_task"
        ? typeof json.goal === "string" && typeof json.launchpad === "string"
        : (CANDIDATE_FIELDS[type] ?? []).every((name) => typeof candidate?.[name] === "string"));
    if (!hasFields) return [400, { error: "invalid simulation", code: "invalid_payload" }];
    if (isModelBroken) return MODEL_FAILED;
    return [200, roleOutput(SIMULATED_PHASE[type] as string, (candidate?.id as string) ?? null)];
  };

  const work = (json: Json, raw: Buffer, request: IncomingMessage): [number, Json] => {
    if (!/^application\/json\b/.test(request.headers["content-type"] ?? "")) {
      return [400, { error: "content type has to be application/json", code: "invalid_content_type" }];
    }
    const refusal = refuseSignature(raw, request, key, unixSeconds());
    if (refusal !== undefined) return [401, { error: refusal, code: "invalid_signature" }];
    const taskId = json.taskId as string;
    if (seen.has(taskId)) return [409, { error: "seen before", code: "duplicate_task" }];
    seen.add(taskId);
    const [phase, candidateId] = [json.phase as string, json.candidateId as string | null];
    dispatches.push({ taskId, phase, candidateId });
    if (isModelBroken) return MODEL_FAILED;
    const output = roleOutput(phase, candidateId);
    return [200, { output, promptTokens: 120, completionTokens: 340, modelId: "starter-model" }];
  };

  const answer = async (request: IncomingMessage): Promise<[string, number, Json]> => {
    if (new URL(request.url ?? "/", "http://starter").pathname !== "/")
      return ["elsewhere", 404, { error: "not found" }];
    if (request.method === "GET") return ["GET", 200, { ok: true }];
    if (request.method !== "POST") return ["other", 405, { error: "method not allowed" }];
    const raw = await readBody(request);
    if (raw === undefined) return ["large", 413, { error: "body too large", code: "body_too_large" }];
    const json = parse(raw);
    if (json?.type === "handshake" && json.protocol === "edgearena-v1") {
      return ["handshake", 200, { ok: true, protocol: "edgearena-v1" }];
    }
    if (typeof json?.type === "string" && json.type in SIMULATED_PHASE) return ["simulation", ...simulate(json)];
    if (json !== undefined && json.type === undefined && json.taskId && json.runId && hasMessages(json)) {
      return ["dispatch", ...work(json, raw, request)];
    }
    return ["unknown", 400, { error: "unrecognized payload", code: "invalid_payload" }];
  };

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    void answer(request).then(([what, status, body]) => {
      answers.push({ what, status });
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    installKey(installed) {
      key = installed;
    },
    breakModel(isBroken) {
      isModelBroken = isBroken;
    },
    dispatches,
    answers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

const MODEL_FAILED: [number, Json] = [
  502,
  { error: "the model gave no valid output", code: "llm_failed", validationError: "not JSON", rawOutput: "I am sorry" },
];

/** What is wrong with the signature; undefined when nothing is. Host and path as it sees them, under https. */
function refuseSignature(
  raw: Buffer,
  request: IncomingMessage,
  key: string | undefined,
  now: number,
): string | undefined {
  const signature = request.headers["x-edgearena-signature"];
  const timestamp = request.headers["x-edgearena-timestamp"];
  if (!key) return "no key is configured";
  if (typeof signature !== "string" || typeof timestamp !== "string") return "signature headers are missing";
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > WINDOW_SECONDS) return "stale timestamp";
  const url = new URL(`https://${request.headers.host}${request.url}`);
  const hmac = createHmac("sha256", key).update(`${timestamp}\n${url.host}${url.pathname}\n`).update(raw);
  const expected = Buffer.from(`sha256=${hmac.digest("hex")}`);
  const received = Buffer.from(signature);
  const isSame = expected.length === received.length && timingSafeEqual(expected, received);
  return isSame ? undefined : "the signature does not match";
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= BODY_MAX_BYTES) chunks.push(chunk);
  }
  return bytes <= BODY_MAX_BYTES ? Buffer.concat(chunks) : undefined;
}

function parse(raw: Buffer): Json | undefined {
  try {
    const json: unknown = JSON.parse(raw.toString("utf8"));
    return typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Json) : undefined;
  } catch {
    return undefined;
  }
}

function hasMessages(json: Json): boolean {
  return Array.isArray(json.messages) && json.messages.length > 0;
}
