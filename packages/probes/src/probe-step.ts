import {
  EDGEARENA_SIGNATURE_HEADER,
  type HandshakeErrorCode,
  type Role,
  type SimulationCheckName,
} from "@agon/protocol";
import { toExcerpt } from "./json-object.ts";
import type { ProbeExchange, ProbeFailureCode, ProbeHeaders, ProbeRequest } from "./probe-port.ts";

/**
 * What a probe found, beyond the five codes of a handshake:
 * - `required-fields`, `timing` the check of that name failed
 * - `no-envelope` a 2xx to a dispatch that holds no `output`
 * - `key-missing` the agent refused a rightly signed dispatch with 401
 * - `tampered-accepted` it did not refuse a forged one · `tampered-status` it answered that with something else than 4xx
 * - `arena` the fault is on this side, and nothing was learnt
 */
export type ProbeErrorCode =
  | HandshakeErrorCode
  | "required-fields"
  | "timing"
  | "no-envelope"
  | "key-missing"
  | "tampered-accepted"
  | "tampered-status"
  | "arena";

/** The steps of an activation, in their order; the two simulations come once for each role. */
export type ProbeStepName =
  | "ping"
  | "liveness"
  | "handshake"
  | "simulation"
  | "signed-simulation"
  | "dispatch"
  | "tampered-dispatch";

/** One of a simulation's five checks. `ok` is null for what could not be looked at, since an earlier check failed. */
export interface ProbeCheck {
  name: SimulationCheckName;
  ok: boolean | null;
  detail: string;
}

/** What one step sent, what came back, and what its owner can do about it. Plain JSON, to be stored and shown. */
export interface ProbeStep {
  name: ProbeStepName;
  /** The role that is simulated, or whose dispatch is; null for steps without one. */
  role: Role | null;
  ok: boolean;
  /** Not sent, because of what an earlier step found. */
  skipped: boolean;
  sent: { method: string; url: string; headers: Record<string, string>; body: string | null } | null;
  /** null when nothing came back. `excerpt` is there for JSON objects only: other bodies may be of a host that is no agent. */
  received: { status: number; headers: Record<string, string>; excerpt: string | null } | null;
  latencyMs: number | null;
  errorCode: ProbeErrorCode | null;
  /** What the network said, where it is to blame. */
  failureCode: ProbeFailureCode | null;
  checks: ProbeCheck[];
  /** What happened. */
  detail: string;
  /** One sentence on what to change; null when there is nothing. */
  advice: string | null;
  /** Remarks that decide nothing. */
  notes: string[];
  /** When it ended, in ms since the epoch. */
  at: number;
}

/** What a step's judge says about an exchange. */
export interface Finding {
  ok: boolean;
  errorCode?: ProbeErrorCode;
  detail: string;
  advice?: string;
  checks?: ProbeCheck[];
  notes?: string[];
}

/** Headers that help an owner; others of a stranger's answer are nobody's business. */
const SHOWN_HEADERS = [
  "allow",
  "content-length",
  "content-type",
  "location",
  "retry-after",
  "server",
  "via",
  "www-authenticate",
];
const HEADER_MAX_CHARACTERS = 200;

/** Puts request, exchange and finding together into a step. */
export function toStep(
  about: { name: ProbeStepName; role?: Role; at: number },
  request: ProbeRequest,
  exchange: ProbeExchange,
  finding: Finding,
): ProbeStep {
  const { method, url, headers, body = null } = request;
  return {
    name: about.name,
    role: about.role ?? null,
    ok: finding.ok,
    skipped: false,
    sent: { method, url, headers: maskSent(headers), body },
    received: toReceived(exchange),
    latencyMs: Math.round(exchange.timings.total),
    errorCode: finding.errorCode ?? null,
    failureCode: exchange.ok ? null : exchange.code,
    checks: finding.checks ?? [],
    detail: finding.detail,
    advice: finding.advice ?? null,
    notes: finding.notes ?? [],
    at: about.at,
  };
}

/** A step that is not sent, and why. */
export function skippedStep(about: { name: ProbeStepName; role: Role | null; at: number }, reason: string): ProbeStep {
  const { name, role, at } = about;
  return {
    name,
    role,
    ok: false,
    skipped: true,
    sent: null,
    received: null,
    latencyMs: null,
    errorCode: null,
    failureCode: null,
    checks: [],
    detail: reason,
    advice: null,
    notes: [],
    at,
  };
}

/** A signature lets whoever reads it send the same request again for five minutes, so only its beginning is kept. */
function maskSent(headers: Readonly<Record<string, string>>): Record<string, string> {
  const signature = headers[EDGEARENA_SIGNATURE_HEADER];
  return signature === undefined
    ? { ...headers }
    : { ...headers, [EDGEARENA_SIGNATURE_HEADER]: `${signature.slice(0, 15)}…` };
}

function toReceived(exchange: ProbeExchange): ProbeStep["received"] {
  if (exchange.status === undefined) return null;
  const excerpt = exchange.ok ? toExcerpt(exchange.body) : null;
  return { status: exchange.status, headers: pickHeaders(exchange.headers ?? {}), excerpt };
}

function pickHeaders(headers: ProbeHeaders): Record<string, string> {
  return Object.fromEntries(
    SHOWN_HEADERS.flatMap((name) => {
      const value = headers[name];
      if (value === undefined) return [];
      const text = Array.isArray(value) ? value.join(", ") : value;
      return [[name, text.slice(0, HEADER_MAX_CHARACTERS).toWellFormed()]];
    }),
  );
}
