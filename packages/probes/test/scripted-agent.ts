import { verifyEdgearena } from "@agon/protocol";
import type { ProbeExchange, ProbeFailureCode, ProbePorts, ProbeRequest } from "../src/index.ts";

export const URL_ = "https://agents.example.com/hook?tenant=7";
export const KEY = "sa_test-0001";
export const NOW = 1_700_000_000_500;

/** What an agent says to one request: a status and a body, or a failure of the network. */
export type Reply =
  | { status: number; body?: string | Uint8Array; headers?: Record<string, string>; ms?: number }
  | { fails: ProbeFailureCode; status?: number; cause?: "timeout" | "unreachable" | "invalid" | "arena" };

/** Ports over a function that plays the agent; everything that was sent is kept. */
export function scriptedPorts(play: (request: ProbeRequest) => Reply): ProbePorts & { sent: ProbeRequest[] } {
  const sent: ProbeRequest[] = [];
  let ids = 0;
  return {
    sent,
    newId: () => `0192f4a9-1be4-7123-b21d-${String(++ids).padStart(12, "0")}`,
    now: () => NOW,
    fetch: async (request) => {
      sent.push(request);
      return toExchange(play(request));
    },
  };
}

export function toExchange(reply: Reply): ProbeExchange {
  if ("fails" in reply) {
    const { fails: code, cause = code === "timeout" ? "timeout" : "unreachable" } = reply;
    const status = reply.status === undefined ? {} : { status: reply.status };
    return { ok: false, code, cause, detail: `It failed: ${code}.`, timings: { total: 12 }, ...status };
  }
  const { status, body = "", headers = {}, ms = 12.4 } = reply;
  return { ok: true, status, headers, body: Buffer.from(body), timings: { total: ms } };
}

/** The output of each role, whole. */
export const OUTPUTS: Record<string, object> = {
  SCOUT: {
    candidate_title: "Invoices",
    target_customer: "Plumbers",
    core_problem: "Paper",
    proposed_solution: "A tool",
    why_now: "Now",
    claims: [],
    evidence: [],
  },
  BUILDER: {
    candidate_id: "as dispatched",
    execution: { objective: "o", first_milestone: "m", success_check: "s", phases: ["p"] },
    claims: [],
  },
  ANALYST: {
    candidate_id: "as dispatched",
    strengths: ["s"],
    weaknesses: [],
    score_adjustments: {},
    penalty_points: 0,
    verdict: "pass",
    fatal_flaw: false,
  },
};
const ROLE_OF: Record<string, string> = { SCOUT: "SCOUT", BUILD: "BUILDER", CRITIQUE: "ANALYST" };

/** An agent that does everything right. */
export function goodAgent(request: ProbeRequest, key: string | undefined = KEY): Reply {
  if (request.method === "GET") return { status: 200 };
  const body = JSON.parse(request.body ?? "null");
  if (body.type === "handshake") return { status: 200, body: '{"ok":true,"protocol":"edgearena-v1"}' };
  const output = (role: string, id: unknown) => ({
    ...OUTPUTS[role],
    ...(role === "SCOUT" ? {} : { candidate_id: id }),
  });
  if (body.type !== undefined) return { status: 200, body: JSON.stringify(output(body.role, body.candidate?.id)) };
  const proof = verifyEdgearena({
    key,
    url: request.url,
    timestamp: request.headers["x-edgearena-timestamp"],
    signature: request.headers["x-edgearena-signature"],
    body: request.body ?? "",
    now: NOW / 1000,
  });
  if (!proof.ok) return { status: 401, body: JSON.stringify({ error: proof.detail }) };
  const made = output(ROLE_OF[body.phase] as string, body.candidateId);
  return {
    status: 200,
    body: JSON.stringify({ output: made, promptTokens: 1, completionTokens: 1, modelId: "m" }),
  };
}
