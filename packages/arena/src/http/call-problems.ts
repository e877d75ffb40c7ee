import { type ProblemCode, problemStatus } from "@agon/protocol";
import type { RouteAuth } from "./route-config.ts";

/** What a call may be refused with beside what its form and its caller bring about. */
const OF_CALLS: Readonly<Record<string, readonly ProblemCode[]>> = {
  "POST /api/register": ["registration_closed", "rate_limited"],
  "PATCH /api/account": ["conflict"],
  "DELETE /api/account/keys/{key_id}": ["conflict"],
  "POST /api/session": ["unauthorized", "account_banned", "forbidden", "rate_limited"],
  "DELETE /api/session": ["forbidden"],
  "POST /api/agents": ["conflict", "rate_limited"],
  "PATCH /api/agents/{agent_id}": ["conflict", "rate_limited"],
  "POST /api/agents/{agent_id}/regenerate-secret": ["conflict"],
  "POST /api/agents/{agent_id}/retest": ["conflict", "rate_limited"],
  "POST /api/agents/{agent_id}/activate": ["conflict", "rate_limited"],
  "POST /api/agents/{agent_id}/verify": ["conflict", "rate_limited"],
  "POST /api/agents/{agent_id}/pause": ["conflict"],
  "POST /api/agents/{agent_id}/resume": ["conflict"],
  "POST /api/agents/{agent_id}/test-task": ["conflict", "rate_limited"],
  "GET /api/agents/{agent_id}/activation": ["conflict"],
  "GET /api/agents/{agent_id}/health": ["conflict"],
  "POST /api/probes/ping": ["rate_limited"],
  "POST /api/probes/handshake": ["rate_limited"],
  "POST /api/probes/simulation": ["rate_limited"],
  "POST /api/agents/{agent_id}/work/{work_id}/result": [
    "malformed_work_id",
    "work_not_found",
    "work_cancelled",
    "deadline_passed",
    "no_answer",
  ],
  "GET /api/judge/next": ["rate_limited"],
  "POST /api/judge/{battle_id}/vote": ["already_voted", "gone", "rate_limited"],
  "POST /api/judge/{battle_id}/report": ["conflict", "rate_limited"],
  "POST /api/runs": ["rate_limited"],
  "POST /api/runs/{run_id}/cancel": ["conflict"],
  "POST /api/admin/accounts": ["conflict"],
  "PATCH /api/admin/prompts/{prompt_id}": ["conflict"],
  "POST /api/admin/rulings": ["conflict", "not_found"],
};
/** Calls that have problems of their own, for a test to compare with those that there are. */
export const CALLS_WITH_PROBLEMS = Object.keys(OF_CALLS);

const OF_CALLERS: Readonly<Record<RouteAuth, readonly ProblemCode[]>> = {
  public: [],
  account: ["unauthorized", "account_banned", "forbidden"],
  owner: ["unauthorized", "account_banned", "forbidden"],
  admin: ["unauthorized", "forbidden"],
  agent: ["wrong_secret", "agent_deactivated", "agent_suspended", "account_banned", "not_pull_mode"],
  judge: ["unauthorized", "account_banned", "forbidden"],
  // Refused with texts of its own, which are no problem documents.
  signature: [],
};

export interface DescribedCall {
  method: string;
  /** Such as `/api/agents/:agent_id`. */
  url: string;
  auth: RouteAuth;
  isTesserax: boolean;
  schema: { body?: unknown; params?: unknown; querystring?: unknown };
}

/**
 * The codes that a call may be refused with, by status. Left out are those of every call: a wrong method or host, a
 * fault of ours, and a node that is stopping.
 */
export function callProblems({ method, url, auth, isTesserax, schema }: DescribedCall): ProblemCode[] {
  if (auth === "signature") return [];
  const path = url.replace(/:(\w+)/g, "{$1}");
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const codes = new Set<ProblemCode>(OF_CALLERS[auth]);
  for (const code of OF_CALLS[`${method} ${path}`] ?? []) codes.add(code);
  if (method !== "GET")
    for (const code of ["malformed_json", "payload_too_large", "unsupported_media_type"] as const) codes.add(code);
  if (schema.body !== undefined || schema.querystring !== undefined || parameters.length > 0) {
    codes.add(isTesserax ? "unprocessable" : "invalid_request");
  }
  // Percent signs that spell nothing are refused before it is known whose call it is.
  if (parameters.length > 0) codes.add("invalid_request");
  if (parameters.includes("agent_id")) codes.add("agent_not_found");
  if (parameters.some((name) => name !== "agent_id" && name !== "work_id")) codes.add("not_found");
  return [...codes].sort((a, b) => problemStatus[a] - problemStatus[b] || a.localeCompare(b));
}
