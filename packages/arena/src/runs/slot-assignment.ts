import { PHASE_ROLE, type Phase } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import { queueRunTask } from "../tasks/run-task-inserts.ts";
import type { Launchpad } from "./launchpad-file.ts";
import { type CandidateWork, loadCandidateWork } from "./materials.ts";
import { buildMessages } from "./messages.ts";
import type { QueuedAgent, RunStepOptions } from "./run-options.ts";
import { type Choice, chooseAgent, type Eligible, type Place } from "./selection.ts";
import { loadRoleAgents, lockFreeAgent } from "./selection-queries.ts";
import { loadCandidates, loadSlotTasks, type RunRow, type SlotRow, type SlotTask, updateSlot } from "./step-queries.ts";

/** A pull agent takes part in runs while a poll of it is parked, or ended so short a time ago. */
const POLL_FRESH_MS = 5_000;

/** Gives waiting slots to agents, as far as there are any. Returns who has a task queued now. */
export async function assignSlots(
  tx: Db,
  options: RunStepOptions,
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
  const candidates = phase === "SCOUT" ? [] : await loadCandidates(tx, run.id);
  const works = new Map((await loadCandidateWork(tx, candidates)).map((work) => [work.candidate.id, work]));
  const given = new Map(slots.map((slot) => [slot.id, slot.state === "waiting" ? undefined : slot.agentId]));
  const queued: QueuedAgent[] = [];
  for (const slot of waiting) {
    const work = slot.candidateId === null ? undefined : works.get(slot.candidateId);
    const place = toPlace({ options, slot, slots, given, tasks, work });
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
          material: work === undefined ? undefined : toMaterial(work),
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

function toMaterial(work: CandidateWork) {
  return {
    candidateId: work.candidate.id,
    found: work.scout.output,
    plan: work.plan?.output,
    verifications: work.verifications.map((each) => each.output),
  };
}

async function loadEligible(tx: Db, options: RunStepOptions, phase: Phase): Promise<Eligible[]> {
  const now = options.ports.clock.now();
  const agents = await loadRoleAgents(tx, PHASE_ROLE[phase], now);
  return agents.flatMap(({ polledAt, ...agent }) => {
    const polled = Math.max(polledAt ?? 0, options.polledAt(agent.agentId) ?? 0);
    if (agent.transport === "pull" && now - polled > POLL_FRESH_MS) return [];
    return [{ ...agent, isHouse: agent.transport === "house" }];
  });
}

function toPlace(context: {
  options: RunStepOptions;
  slot: SlotRow;
  slots: readonly SlotRow[];
  given: ReadonlyMap<number, number | null | undefined>;
  tasks: readonly SlotTask[];
  work: CandidateWork | undefined;
}): Place {
  const { slot, slots, given, work } = context;
  const own = context.tasks.filter((task) => task.slot_id === slot.id);
  const isUnclaimed = (task: SlotTask) => task.state === "cancelled" && !task.started;
  const panel = slots.filter((each) => each.id !== slot.id && each.candidateId === slot.candidateId);
  const had = [
    ...own.filter((task) => !isUnclaimed(task)).map((task) => task.agent_id),
    ...panel.flatMap((each) => given.get(each.id) ?? []),
  ];
  const judges = slot.phase === "VERIFY" || slot.phase === "CRITIQUE";
  const authors =
    work === undefined ? [] : [work.scout.accountId, ...(work.plan === undefined ? [] : [work.plan.accountId])];
  return {
    waitedMs: context.options.ports.clock.now() - slot.waitingSince.getTime(),
    had: new Set(had),
    unclaimed: new Set(own.filter(isUnclaimed).map((task) => task.agent_id)),
    ownAccounts: new Set(judges ? authors : []),
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
