import { PHASE_ROLE, type Phase } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import { queueRunTask } from "../tasks/run-task-inserts.ts";
import type { Launchpad } from "./launchpad-file.ts";
import { loadMaterial } from "./materials.ts";
import { buildMessages } from "./messages.ts";
import type { QueuedAgent, RunPass, RunStepOptions } from "./run-options.ts";
import { type Choice, chooseAgent, type Eligible, type Place } from "./selection.ts";
import { loadRoleAgents, lockFreeAgent } from "./selection-queries.ts";
import {
  type CandidateRow,
  loadCandidates,
  loadSlotTasks,
  loadTaskAccounts,
  type RunRow,
  type SlotRow,
  type SlotTask,
  updateSlot,
} from "./step-queries.ts";

/** A pull agent takes part in runs while a poll of it is parked, or ended so short a time ago. */
const POLL_FRESH_MS = 5_000;

/** Gives waiting slots to agents, as far as there are any. Returns who has a task queued now. */
export async function assignSlots(
  tx: Db,
  options: RunPass,
  run: RunRow,
  slots: readonly SlotRow[],
): Promise<QueuedAgent[]> {
  const waiting = slots.filter((slot) => slot.state === "waiting");
  if (waiting.length === 0) return [];
  const phase = run.status as Phase;
  const eligible = await loadEligible(tx, options, phase);
  const tasks = await loadSlotTasks(
    tx,
    waiting.map((slot) => slot.id),
  );
  const candidates = new Map((await loadCandidates(tx, run.id)).map((each) => [each.id, each]));
  const judges = phase === "VERIFY" || phase === "CRITIQUE";
  const authors = judges ? await loadAuthors(tx, [...candidates.values()]) : new Map<string, number[]>();
  const given = new Map(slots.map((slot) => [slot.id, slot.state === "waiting" ? undefined : slot.agentId]));
  const queued: QueuedAgent[] = [];
  for (const slot of waiting) {
    const candidate = slot.candidateId === null ? undefined : candidates.get(slot.candidateId);
    const ownAccounts = new Set(candidate === undefined ? [] : authors.get(candidate.id));
    const place = toPlace({ options, slot, slots, given, tasks, ownAccounts });
    const choice = await takeAgent(tx, options, eligible, place);
    if (choice === undefined) continue;
    const { agentId, transport } = choice.agent;
    const taskId = await queueRunTask(tx, options.ports, options.settings, {
      agentId,
      slotId: slot.id,
      runId: run.id,
      phase,
      candidateId: slot.candidateId,
      goal: run.goal,
      launchpadName: packOf(run).title,
      messages: buildMessages(
        {
          goal: run.goal,
          launchpad: packOf(run),
          phase,
          place: { position: slot.position, of: run.scouts },
          material: candidate === undefined ? undefined : await loadMaterial(tx, candidate, phase),
        },
        options.ports.random,
      ),
    });
    await updateSlot(tx, slot.id, { state: "working", taskId, agentId, ownAccount: choice.ownAccount });
    given.set(slot.id, agentId);
    queued.push({ agentId, transport });
  }
  return queued;
}

export function packOf(run: RunRow): Launchpad {
  return run.pack as Launchpad;
}

/** The accounts that a candidate and its plan come from. */
async function loadAuthors(tx: Db, candidates: readonly CandidateRow[]): Promise<Map<string, number[]>> {
  const planners = await loadTaskAccounts(
    tx,
    candidates.flatMap((each) => each.planTaskId ?? []),
  );
  return new Map(
    candidates.map(({ id, accountId, planTaskId }) => {
      const planner = planTaskId === null ? undefined : planners.get(planTaskId);
      return [id, planner === undefined ? [accountId] : [accountId, planner]];
    }),
  );
}

/** Who serves a phase, as this pass saw it first. */
export async function loadEligible(tx: Db, pass: RunPass, phase: Phase): Promise<Eligible[]> {
  const role = PHASE_ROLE[phase];
  const known = pass.eligible.get(role);
  if (known !== undefined) return known;
  const now = pass.ports.clock.now();
  const eligible = (await loadRoleAgents(tx, role, now)).flatMap(({ polledAt, ...agent }) => {
    const polled = Math.max(polledAt ?? 0, pass.polledAt(agent.agentId) ?? 0);
    if (agent.transport === "pull" && now - polled > POLL_FRESH_MS) return [];
    return [{ ...agent, isHouse: agent.transport === "house" }];
  });
  pass.eligible.set(role, eligible);
  return eligible;
}

function toPlace(context: {
  options: RunStepOptions;
  slot: SlotRow;
  slots: readonly SlotRow[];
  given: ReadonlyMap<number, number | null | undefined>;
  tasks: readonly SlotTask[];
  ownAccounts: ReadonlySet<number>;
}): Place {
  const { slot, slots, given, ownAccounts } = context;
  const own = context.tasks.filter((task) => task.slot_id === slot.id);
  const isUnclaimed = (task: SlotTask) => task.state === "cancelled" && !task.started;
  const panel = slots.filter((each) => each.id !== slot.id && each.candidateId === slot.candidateId);
  const had = [
    ...own.filter((task) => !isUnclaimed(task)).map((task) => task.agent_id),
    ...panel.flatMap((each) => given.get(each.id) ?? []),
  ];
  return {
    waitedMs: context.options.ports.clock.now() - slot.waitingSince.getTime(),
    had: new Set(had),
    unclaimed: new Set(own.filter(isUnclaimed).map((task) => task.agent_id)),
    ownAccounts,
  };
}

/** Chooses until one of the chosen is still free when its row is locked. */
async function takeAgent(
  tx: Db,
  options: RunStepOptions,
  eligible: readonly Eligible[],
  place: Place,
): Promise<Choice | undefined> {
  const settings = {
    newcomerShare: options.settings.newcomerShare,
    houseAfterMs: options.settings.houseAfterSeconds * 1000,
    ownAccountAfterMs: (options.settings.slotWaitSeconds * 1000) / 2,
  };
  for (;;) {
    const choice = chooseAgent(eligible, place, settings, () => drawNumber(options));
    if (choice === undefined) return undefined;
    if (await lockFreeAgent(tx, choice.agent, options.ports.clock.now())) return choice;
    choice.agent.isFree = false;
  }
}

function drawNumber({ ports }: RunStepOptions): number {
  return Buffer.from(ports.random.bytes(6)).readUIntBE(0, 6) / 2 ** 48;
}
