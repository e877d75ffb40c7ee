import { createHmac, timingSafeEqual } from "node:crypto";
import { Agent, createServer, request as httpRequest } from "node:http";

// The floor: an agent by hand on node:http that does what the kit does and nothing else. It verifies, reads and checks
// the dispatch, keeps answers for repeats, asks the model within a time, checks what that made, and answers.
const [port, modelUrl = "", key = ""] = process.argv.slice(2);
const connections = new Agent({ keepAlive: true });
const DEADLINE_MS = 59_500;
const BODY_MAX_BYTES = 1_048_576;
const STORED_MAX = 2_000;

type Json = Record<string, unknown>;

const TEXTS = ["candidate_title", "target_customer", "core_problem", "proposed_solution", "why_now"];
const isText = (value: unknown) => typeof value === "string" && value.trim() !== "";
const isList = (value: unknown, fields: string[]) =>
  Array.isArray(value) && value.every((item: Json) => fields.every((field) => isText(item?.[field])));

function isDispatch(json: Json): boolean {
  const { taskId, runId, phase, role, goal, launchpadName, candidateId, messages } = json;
  if (![taskId, runId, role].every(isText) || phase !== "SCOUT") return false;
  if (typeof goal !== "string" || typeof launchpadName !== "string") return false;
  if (candidateId !== null && typeof candidateId !== "string") return false;
  const isMessage = ({ role, content }: Json) => (role === "system" || role === "user") && typeof content === "string";
  return Array.isArray(messages) && messages.every(isMessage);
}

function isOutput(json: Json): boolean {
  return (
    TEXTS.every((field) => isText(json[field])) &&
    isList(json.claims, ["type", "text"]) &&
    isList(json.evidence, ["kind", "summary"])
  );
}

function ask(
  messages: unknown,
  signal: AbortSignal,
): Promise<{ content: string; usage: { prompt_tokens: number; completion_tokens: number }; model: string }> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ model: "stub", messages, response_format: { type: "json_object" } });
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const call = httpRequest(
      `${modelUrl}/chat/completions`,
      { method: "POST", agent: connections, headers, signal },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          try {
            const { choices, usage, model } = JSON.parse(Buffer.concat(chunks).toString());
            resolve({ content: choices[0].message.content, usage, model });
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    call.on("error", reject).end(body);
  });
}

const stored = new Map<string, string>();
const inHand = new Set<string>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const answer = (status: number, body: string) => {
    response
      .writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
      .end(body);
  };
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= BODY_MAX_BYTES) chunks.push(chunk);
  });
  request.on("end", async () => {
    if (bytes > BODY_MAX_BYTES) return answer(413, "{}");
    const raw = Buffer.concat(chunks);
    const timestamp = String(request.headers["x-edgearena-timestamp"]);
    const signature = Buffer.from(String(request.headers["x-edgearena-signature"]));
    const { host, pathname } = new URL(`http://${request.headers.host}${request.url}`);
    const hmac = createHmac("sha256", key).update(`${timestamp}\n${host}${pathname}\n`).update(raw);
    const expected = Buffer.from(`sha256=${hmac.digest("hex")}`);
    const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
    if (!isFresh || signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
      return answer(401, "{}");
    }
    let taskId = "";
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), DEADLINE_MS);
    response.on("close", () => limit.abort());
    try {
      const dispatch = JSON.parse(raw.toString());
      if (!isDispatch(dispatch)) return answer(400, "{}");
      const known = stored.get(dispatch.taskId);
      if (known !== undefined) return answer(200, known);
      if (inHand.has(dispatch.taskId)) return answer(409, "{}");
      taskId = dispatch.taskId;
      inHand.add(taskId);
      const { content, usage, model } = await ask(dispatch.messages, limit.signal);
      const output = JSON.parse(content);
      if (!isOutput(output)) return answer(502, "{}");
      const counts = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
      const body = JSON.stringify({ output, ...counts, modelId: model });
      stored.set(taskId, body);
      if (stored.size > STORED_MAX) stored.delete(stored.keys().next().value as string);
      answer(200, body);
    } catch {
      if (!response.headersSent) answer(502, "{}");
    } finally {
      inHand.delete(taskId);
      clearTimeout(timer);
    }
  });
});
server.listen(Number(port), "127.0.0.1", 4_096, () => process.send?.("ready"));
