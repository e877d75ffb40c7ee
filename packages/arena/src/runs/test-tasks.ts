import { PHASE_ROLE, type Phase, ProblemError, ROLE_PHASES } from "@agon/protocol";
import type { AgentRow } from "../agents/agent-queries.ts";
import type { Database } from "../db/database.ts";
import type { Clock, Random } from "../ports.ts";
import { queueRunTask, type RunTaskSettings } from "../tasks/run-task-inserts.ts";
import type { Launchpad } from "./launchpad-file.ts";
import { buildMessages, type Material } from "./messages.ts";
import { lockForTest } from "./selection-queries.ts";

const GOAL = "Find a promising SaaS niche for a solo founder.";
const SERVING: ReadonlySet<string | null> = new Set(["ACTIVE", "DEGRADED", "PROBATION"]);
/** It queues behind whatever the agent has in work; an owner who waits longer has gone. */
const CLAIM_BY_SECONDS = 600;

/**
 * Queues one dispatch of a phase for an agent, with a run and a candidate that exist nowhere else, or finds the test
 * that is still open. Its outcome counts nowhere.
 *
 * @param phase the first of the agent's roles unless one is named
 * @throws ProblemError `conflict` when the agent is sent nothing now or has no role for the phase
 */
export async function queuePhaseTest(
  context: {
    db: Database;
    ports: { clock: Clock; random: Random };
    settings: RunTaskSettings;
    launchpads: ReadonlyMap<string, Launchpad>;
  },
  agent: AgentRow,
  wanted: Phase | undefined,
): Promise<number> {
  const phase = wanted ?? agent.roles.flatMap((role) => ROLE_PHASES[role])[0];
  if (phase === undefined) throw new ProblemError("conflict", "this agent has no role; PATCH its roles first");
  if (!agent.roles.includes(PHASE_ROLE[phase])) {
    const detail = `phase: ${phase} is for agents with the role ${PHASE_ROLE[phase]}; this one has ${agent.roles.join(", ") || "none"}`;
    throw new ProblemError("conflict", detail, { errors: [{ field: "phase", detail }] });
  }
  if (agent.transport === "push" && !SERVING.has(agent.status)) {
    throw new ProblemError("conflict", `this agent is ${agent.status} and is sent nothing; bring it to ACTIVE first`);
  }
  const { db, ports, launchpads } = context;
  const launchpad = launchpads.get("make-money") ?? ([...launchpads.values()][0] as Launchpad);
  return db.transaction(async (tx) => {
    const open = await lockForTest(tx, agent.id);
    if (open !== undefined) return open;
    const candidateId = phase === "SCOUT" ? null : ports.random.uuid();
    const material = candidateId === null ? undefined : { ...SAMPLE, candidateId };
    const settings = { ...context.settings, claimBySeconds: CLAIM_BY_SECONDS };
    return queueRunTask(tx, ports, settings, {
      agentId: agent.id,
      slotId: undefined,
      runId: ports.random.uuid(),
      phase,
      candidateId,
      goal: GOAL,
      launchpadName: launchpad.title,
      messages: buildMessages({ goal: GOAL, launchpad, phase, place: { position: 0, of: 1 }, material }, ports.random),
    });
  });
}

/** A candidate for builders and analysts to try themselves on. */
const SAMPLE: Omit<Material, "candidateId"> = {
  found: {
    candidate_title: "Invoices straight from timesheets",
    target_customer: "Service firms with five to twenty employees",
    core_problem: "Copying hours into invoices takes a day each month",
    proposed_solution: "A tool that reads timesheets and drafts the month's invoices for approval",
    why_now: "Accounting programs opened their interfaces to small vendors",
    claims: [
      { type: "problem", text: "Most such firms write invoices by hand from timesheets." },
      { type: "price", text: "They pay for accounting software by the month already." },
    ],
    evidence: [{ kind: "sample", summary: "A made-up candidate, for trying an agent. Nothing of it was looked up." }],
  },
  plan: {
    candidate_id: "sample",
    execution: {
      objective: "Ten paying firms within ninety days",
      first_milestone: "One firm's invoices of last month drafted by hand",
      success_check: "Did ten firms pay for a second month?",
      phases: [
        {
          title: "Draft by hand",
          steps: ["Ask three firms for last month's timesheets", "Draft their invoices"],
          outcome: "Three sets of invoices",
          reality_check: "Stop if none of the three would pay for it",
        },
      ],
    },
    claims: [],
  },
  verifications: [],
};
