import type { ProbeStep } from "@agon/probes";

/** What one check found. */
export interface CheckFinding {
  /** What was checked, such as `handshake`, with the role where there is one: `simulation SCOUT`. */
  readonly check: string;
  readonly ok: boolean;
  /** Not checked, because of what an earlier check found or because something was not given. */
  readonly skipped: boolean;
  /** The check and what went wrong, such as `handshake/non-json`; the same for the same fault in every version. null when it passed. */
  readonly code: string | null;
  /** What is the case. */
  readonly detail: string;
  /** What to change; null where there is nothing. */
  readonly fix: string | null;
  /** Remarks that decide nothing. */
  readonly notes: readonly string[];
  readonly latencyMs: number | null;
}

/** A check that passed. */
export function passed(check: string, detail: string, latencyMs: number | null = null): CheckFinding {
  return { check, ok: true, skipped: false, code: null, detail, fix: null, notes: [], latencyMs };
}

/** A check that failed: `fault` is the second half of its code. */
export function failed(
  check: string,
  fault: string,
  detail: string,
  fix: string,
  latencyMs: number | null = null,
): CheckFinding {
  const code = `${check.split(" ")[0]}/${fault}`;
  return { check, ok: false, skipped: false, code, detail, fix, notes: [], latencyMs };
}

/** A check that was not made. It is no failure: what kept it from being made is one, or was not asked for. */
export function skipped(check: string, detail: string): CheckFinding {
  return { check, ok: true, skipped: true, code: null, detail, fix: null, notes: [], latencyMs: null };
}

/** What a step of an activation found, as a finding. */
export function fromStep(step: ProbeStep): CheckFinding {
  const check = step.role === null ? step.name : `${step.name} ${step.role}`;
  const { latencyMs, notes } = step;
  if (step.skipped) return skipped(check, step.detail);
  if (step.ok) return { ...passed(check, step.detail, latencyMs), notes };
  return { ...failed(check, step.errorCode ?? "failed", step.detail, step.advice ?? "", latencyMs), notes };
}
