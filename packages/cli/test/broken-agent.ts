import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

// Agents as people write them by hand, each with one of the faults that people write.

export const KEY = "sa_check-0001";

export type Fault =
  | "no-get"
  | "slow-get"
  | "any-method"
  | "array-handshake"
  | "crash-on-bad-json"
  | "small-body-limit"
  | "no-body-limit"
  | "fenced-simulation"
  | "missing-field"
  | "lazy-schema"
  | "invented-candidate"
  | "enveloped-simulation"
  | "no-key"
  | "no-envelope"
  | "no-verification"
  | "no-window"
  | "past-window-only"
  | "crash-on-short-signature"
  | "reserializes"
  | "reworks-repeats"
  | "forgets-public-url";

type Json = Record<string, unknown>;

export interface BrokenAgent extends AsyncDisposable {
  url: string;
  modelCalls: number;
}

export async function startBrokenAgent(fault?: Fault, publicUrl?: string): Promise<BrokenAgent> {
  const has = (name: Fault) => fault === name;
  const key = has("no-key") ? undefined : KEY;
  const stored = new Map<string, Json>();
  const agent = { url: "", modelCalls: 0 };

  const makeOutput = (phase: unknown, candidateId: unknown): Json => {
    agent.modelCalls += 1;
    const candidate_id = has("invented-candidate") ? "cand-1" : candidateId;
    if (phase === "BUILD") {
      const execution = { objective: "o", first_milestone: "m", success_check: "s", phases: ["p"] };
      return { candidate_id, execution, claims: [] };
    }
    if (phase === "CRITIQUE") {
      const judged = { strengths: ["s"], weaknesses: [], verdict: "pass" };
      return { candidate_id, ...judged, score_adjustments: {}, penalty_points: 0, fatal_flaw: false };
    }
    const scouted = { target_customer: "c", core_problem: "p", proposed_solution: `s${agent.modelCalls}` };
    const title = has("missing-field") ? {} : { candidate_title: "t" };
    return { ...title, ...scouted, why_now: has("lazy-schema") ? "" : "w", claims: [], evidence: [] };
  };

  const refuse = (raw: Buffer, request: IncomingMessage): string | undefined => {
    if (has("no-verification")) return undefined;
    if (key === undefined) return "no key";
    const signature = request.headers["x-edgearena-signature"];
    const timestamp = request.headers["x-edgearena-timestamp"];
    if (typeof signature !== "string" || typeof timestamp !== "string") return "unsigned";
    const age = Date.now() / 1000 - Number(timestamp);
    if (!has("no-window") && (has("past-window-only") ? age : Math.abs(age)) > 300) return "stale";
    const base =
      publicUrl !== undefined && !has("forgets-public-url")
        ? publicUrl
        : `http://${request.headers.host}${request.url}`;
    const { host, pathname } = new URL(base);
    const signed = has("reserializes") ? JSON.stringify(JSON.parse(raw.toString())) : raw;
    const hmac = createHmac("sha256", key).update(`${timestamp}\n${host}${pathname}\n`).update(signed);
    const [expected, received] = [Buffer.from(`sha256=${hmac.digest("hex")}`), Buffer.from(signature)];
    if (expected.length !== received.length && !has("crash-on-short-signature")) return "malformed";
    return timingSafeEqual(expected, received) ? undefined : "mismatch";
  };

  const answer = async (request: IncomingMessage): Promise<[number, unknown]> => {
    if (request.method === "GET") {
      if (has("slow-get")) await new Promise((resolve) => setTimeout(resolve, 1_700));
      return [has("no-get") ? 405 : 200, { ok: true }];
    }
    if (request.method !== "POST" && !has("any-method")) return [405, {}];
    const raw = await read(request);
    if (raw.length > (has("small-body-limit") ? 102_400 : has("no-body-limit") ? 1e9 : 1_048_576)) return [413, {}];
    let json: Json;
    try {
      json = JSON.parse(raw.toString());
    } catch (error) {
      if (has("crash-on-bad-json")) throw error;
      return [400, { error: "not JSON" }];
    }
    if (json.type === "handshake" || has("any-method")) {
      return [200, has("array-handshake") ? ["ok"] : { ok: true, protocol: "edgearena-v1" }];
    }
    const candidate = json.candidate as Json | undefined;
    const phase = { scout_task: "SCOUT", build_task: "BUILD", analyst_task: "CRITIQUE" }[String(json.type)];
    if (phase !== undefined) {
      const output = makeOutput(phase, candidate?.id);
      if (has("fenced-simulation")) return [200, `\`\`\`json\n${JSON.stringify(output)}\n\`\`\``];
      return [200, has("enveloped-simulation") ? { output } : output];
    }
    if (json.taskId === undefined) return [400, { error: "unrecognized" }];
    const refusal = refuse(raw, request);
    if (refusal !== undefined) return [401, { error: refusal }];
    const known = stored.get(json.taskId as string);
    if (known !== undefined && !has("reworks-repeats")) return [200, known];
    const output = makeOutput(json.phase, json.candidateId);
    const made = has("no-envelope") ? output : { output, promptTokens: 1, completionTokens: 1, modelId: "m" };
    stored.set(json.taskId as string, made);
    return [200, made];
  };

  const server = createServer((request, response) => {
    answer(request).then(
      ([status, body]) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(typeof body === "string" ? body : JSON.stringify(body));
      },
      () => response.writeHead(500).end("Internal Server Error"),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  agent.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return Object.assign(agent, {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
