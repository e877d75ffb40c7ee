/**
 * The status of an edgearena-v1 agent, as a pure function over its state and what happened.
 *
 * ```
 *            activated            3 failures in a row
 *  PENDING ───────────► ACTIVE ◄──────────────────────► DEGRADED
 *     ▲                  ▲  │     2 successes in a row     │
 *     │ new URL, key     │  │                              │ 10 failures in a row
 *     │ or role, from    │  │ paused           paused      ▼
 *     │ anywhere         │  ▼                           SUSPENDED
 *     └─────             │ PAUSED ◄── (served ones)       │  ▲
 *                        │    │ resumed                   │  │ any failure
 *        3 successes     │    ▼                  verified │  │
 *        in a row        └── PROBATION ◄──────────────────┘──┘
 * ```
 *
 * ACTIVE, DEGRADED and PROBATION are served and pinged; PENDING, SUSPENDED and PAUSED are neither, so that outcomes
 * change nothing there. Failures in a row are counted on from ACTIVE to DEGRADED: the third degrades, the tenth suspends.
 * An exchange that began before the present status counts neither way, as it says nothing about it.
 */
export const AGENT_STATUSES = ["PENDING", "ACTIVE", "DEGRADED", "PROBATION", "SUSPENDED", "PAUSED"] as const;

export type AgentStatus = (typeof AGENT_STATUSES)[number];

export interface StatusState {
  status: AgentStatus;
  /** When it came to this status, in ms since the epoch. */
  since: number;
  failures: number;
  successes: number;
}

export type StatusEvent =
  /** Activation passed with the URL, key and roles that the agent has. */
  | { type: "activated" }
  /** There is a new URL, key or role, and nobody knows yet whether it works. */
  | { type: "revised" }
  | { type: "paused" }
  | { type: "resumed" }
  /** The owner's one-shot probe got a 2xx. */
  | { type: "verified" }
  /** A health ping, or the outcome of a dispatch that counts; `begunAt` in ms since the epoch. */
  | { type: "outcome"; ok: boolean; begunAt: number };

const DEGRADED_AFTER = 3;
const SUSPENDED_AFTER = 10;
const RECOVERED_AFTER = 2;
const PROVEN_AFTER = 3;

/** Whether tasks are dispatched to an agent of this status. */
export function isServed(status: AgentStatus): boolean {
  return status === "ACTIVE" || status === "DEGRADED" || status === "PROBATION";
}

/** The state after one event; the very same object when the event changes nothing. */
export function stepStatus(state: StatusState, event: StatusEvent, now: number): StatusState {
  const enter = (status: AgentStatus, failures = 0): StatusState => ({ status, since: now, failures, successes: 0 });
  switch (event.type) {
    case "revised":
      // Also from PENDING: outcomes of what was sent to the URL before must not count for the new one.
      return enter("PENDING");
    case "activated":
      return state.status === "PENDING" ? enter("ACTIVE") : state;
    case "paused":
      return isServed(state.status) ? enter("PAUSED") : state;
    case "resumed":
      return state.status === "PAUSED" ? enter("PROBATION") : state;
    case "verified":
      return state.status === "SUSPENDED" ? enter("PROBATION") : state;
    case "outcome":
      if (!isServed(state.status) || event.begunAt < state.since) return state;
      return event.ok ? succeed(state, enter) : fail(state, enter);
  }
}

type Enter = (status: AgentStatus, failures?: number) => StatusState;

function succeed(state: StatusState, enter: Enter): StatusState {
  const successes = state.successes + 1;
  if (state.status === "PROBATION" && successes >= PROVEN_AFTER) return enter("ACTIVE");
  if (state.status === "DEGRADED" && successes >= RECOVERED_AFTER) return enter("ACTIVE");
  if (state.status === "ACTIVE") return state.failures === 0 ? state : { ...state, failures: 0 };
  return { ...state, failures: 0, successes };
}

function fail(state: StatusState, enter: Enter): StatusState {
  const failures = state.failures + 1;
  if (state.status === "PROBATION" || failures >= SUSPENDED_AFTER) return enter("SUSPENDED");
  if (state.status === "ACTIVE" && failures >= DEGRADED_AFTER) return enter("DEGRADED", failures);
  return { ...state, failures, successes: 0 };
}
