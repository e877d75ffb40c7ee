import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentStatus, isServed, type StatusEvent, type StatusState, stepStatus } from "../../src/agents/status.ts";

const at = (status: AgentStatus, more: Partial<StatusState> = {}): StatusState => ({
  status,
  since: 100,
  failures: 0,
  successes: 0,
  ...more,
});
const outcome = (ok: boolean, begunAt = 100): StatusEvent => ({ type: "outcome", ok, begunAt });
const after = (state: StatusState, events: StatusEvent[]) =>
  events.reduce((each, event) => stepStatus(each, event, 200), state);
/** Of exchanges that begin after whatever the one before led to. */
const times = (count: number, ok: boolean): StatusEvent[] => Array.from({ length: count }, () => outcome(ok, 200));

describe("the status of an edgearena-v1 agent", () => {
  it.each<[string, StatusState, StatusEvent[], AgentStatus]>([
    ["waits for activation", at("PENDING"), times(20, false), "PENDING"],
    ["is active once activated", at("PENDING"), [{ type: "activated" }], "ACTIVE"],
    ["stays active with two failures in a row", at("ACTIVE"), times(2, false), "ACTIVE"],
    ["is degraded by the third", at("ACTIVE"), times(3, false), "DEGRADED"],
    [
      "is not degraded when a success lies between",
      at("ACTIVE"),
      [...times(2, false), ...times(1, true), ...times(2, false)],
      "ACTIVE",
    ],
    ["is still degraded by the ninth failure in a row", at("ACTIVE"), times(9, false), "DEGRADED"],
    ["is suspended by the tenth", at("ACTIVE"), times(10, false), "SUSPENDED"],
    ["is still degraded after one success", at("DEGRADED", { failures: 3 }), times(1, true), "DEGRADED"],
    ["is active again after two in a row", at("DEGRADED", { failures: 3 }), times(2, true), "ACTIVE"],
    ["is on probation when verified while suspended", at("SUSPENDED"), [{ type: "verified" }], "PROBATION"],
    ["is not changed by a verify while active", at("ACTIVE"), [{ type: "verified" }], "ACTIVE"],
    ["has to succeed three times on probation", at("PROBATION"), times(2, true), "PROBATION"],
    ["is active after three", at("PROBATION"), times(3, true), "ACTIVE"],
    ["is suspended by any failure on probation", at("PROBATION"), times(1, false), "SUSPENDED"],
    ["can be paused while it is served", at("DEGRADED"), [{ type: "paused" }], "PAUSED"],
    ["cannot be paused while suspended", at("SUSPENDED"), [{ type: "paused" }], "SUSPENDED"],
    ["resumes on probation", at("PAUSED"), [{ type: "resumed" }], "PROBATION"],
    ["is pending after a new key from anywhere", at("SUSPENDED"), [{ type: "revised" }], "PENDING"],
  ])("%s", (_title, state, events, status) => {
    expect(after(state, events).status).toBe(status);
  });

  it("counts neither way what began before the present status", () => {
    const degraded = at("DEGRADED", { since: 150, failures: 3 });
    expect(stepStatus(degraded, outcome(true, 149), 200)).toBe(degraded);
    expect(stepStatus(degraded, outcome(false, 149), 200)).toBe(degraded);
    expect(stepStatus(degraded, outcome(true, 150), 200)).not.toBe(degraded);
  });

  it("makes only the transitions of the diagram, whatever happens in whatever order", () => {
    const legal = new Set([
      "PENDING>ACTIVE",
      "ACTIVE>DEGRADED",
      "DEGRADED>ACTIVE",
      "DEGRADED>SUSPENDED",
      "SUSPENDED>PROBATION",
      "PROBATION>ACTIVE",
      "PROBATION>SUSPENDED",
      "ACTIVE>PAUSED",
      "DEGRADED>PAUSED",
      "PROBATION>PAUSED",
      "PAUSED>PROBATION",
      ...["ACTIVE", "DEGRADED", "PROBATION", "SUSPENDED", "PAUSED"].map((from) => `${from}>PENDING`),
    ]);
    const event: fc.Arbitrary<{ event: StatusEvent; passed: number; age: number }> = fc.record({
      event: fc.oneof(
        { weight: 6, arbitrary: fc.boolean().map((ok): StatusEvent => ({ type: "outcome", ok, begunAt: 0 })) },
        {
          weight: 2,
          arbitrary: fc.constantFrom<StatusEvent>(
            { type: "activated" },
            { type: "paused" },
            { type: "resumed" },
            { type: "verified" },
          ),
        },
        { weight: 1, arbitrary: fc.constant<StatusEvent>({ type: "revised" }) },
      ),
      passed: fc.nat(10),
      age: fc.nat(12),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state: StatusState = at("PENDING", { since: 0 });
        let now = 0;
        let failures = 0;
        for (const each of events) {
          now += each.passed;
          const begunAt = now - each.age;
          const sent = each.event.type === "outcome" ? { ...each.event, begunAt } : each.event;
          const next = stepStatus(state, sent, now);
          const counts = sent.type === "outcome" && isServed(state.status) && begunAt >= state.since;
          if (sent.type === "outcome" && !counts) expect(next).toBe(state);
          if (counts && sent.type === "outcome") failures = sent.ok ? 0 : failures + 1;
          if (next.status !== state.status) {
            expect(legal).toContain(`${state.status}>${next.status}`);
            expect([next.since, next.successes]).toEqual([now, 0]);
            // Ten in a row are needed from ACTIVE, one on probation.
            if (next.status === "SUSPENDED" && state.status === "DEGRADED") expect(failures).toBe(10);
            if (next.status !== "DEGRADED") failures = 0;
          } else if (next !== state && sent.type !== "revised") expect(next.since).toBe(state.since);
          if (isServed(next.status)) expect(next.failures).toBe(failures);
          state = next;
        }
      }),
      { numRuns: 10_000 },
    );
  });
});
