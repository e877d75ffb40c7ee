import type { Work } from "@agon/protocol";
import { type AgentOutcome, runAnswer } from "./agent-outcome.ts";
import type { Answer } from "./answer.ts";
import { createAnswerMemory } from "./answer-memory.ts";
import { createSlots } from "./slots.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** A prompt that a caller waits for. */
export interface Awaited {
  readonly outcome: Promise<AgentOutcome>;
  /** The caller is gone. When nobody waits any more the work is given up: its answer could reach no one. */
  leave(): void;
}

/** The prompts of a webhook server, each of them run once. */
export interface WebhookTasks {
  /** Begins a prompt, or joins it to the same one in hand, or finds its answer. */
  take(work: Work, messageId: string | undefined): Awaited;
  /** Work ids in hand. */
  holding(): string[];
  /** Gives everything in hand up. */
  abort(reason: Error): void;
  /** Prompts answered and failed so far. */
  counts(): { answered: number; failed: number };
}

/** How {@link createWebhookTasks} runs prompts. */
export interface WebhookTasksOptions {
  readonly answer: Answer;
  readonly concurrency: number;
  readonly now: () => number;
  readonly emit: (event: WebhookEvent) => void;
}

/** Prompts that wait for their turn; an arena that sends more than its own limit allows is told so. */
const WAITING_MAX = 100;

const STORED_MAX = 1_000;
const STORED_MAX_CHARACTERS = 16 * 1024 * 1024;

interface InHand {
  readonly work: Work;
  readonly outcome: Promise<AgentOutcome>;
  readonly messageIds: Set<string>;
  readonly limit: AbortController;
  callers: number;
}

/**
 * Makes {@link WebhookTasks}. Answers are kept for repeats, errors are not: an arena offers a prompt of the gym again that
 * went wrong. A repeat is told by what was signed. Where that is a message id, the same prompt under a new id is a new
 * task, such as its owner's test, and runs; where it is the body alone, the prompt id decides.
 */
export function createWebhookTasks(options: WebhookTasksOptions): WebhookTasks {
  const { answer, now, emit } = options;
  const inHand = new Map<string, InHand>();
  const stored = createAnswerMemory(STORED_MAX, STORED_MAX_CHARACTERS);
  const slots = createSlots(options.concurrency);
  const counts = { answered: 0, failed: 0 };

  const inTurn: Answer = async (work, context) => {
    const begun = now();
    await slots.take(context.signal);
    try {
      return await answer(work, { ...context, deadlineMs: context.deadlineMs - (now() - begun) });
    } finally {
      slots.release();
    }
  };

  const forget = (task: InHand) => {
    if (inHand.get(task.work.prompt_id) === task) inHand.delete(task.work.prompt_id);
  };

  const run = async (work: Work, messageIds: ReadonlySet<string>, abortSignal: AbortSignal): Promise<AgentOutcome> => {
    const deadlineMs = work.deadline_seconds * 1_000;
    emit({ type: "received", work, deadlineMs });
    const log = (line: string) => emit({ type: "log", work, line });
    const outcome = await runAnswer(inTurn, work, { deadlineMs, abortSignal, now, log });
    if ("response" in outcome) {
      counts.answered += 1;
      stored.set(`prompt ${work.prompt_id}`, outcome.response);
      for (const id of messageIds) stored.set(`message ${id}`, outcome.response);
      emit({ type: "answered", work, latencyMs: outcome.latencyMs, response: outcome.response });
    } else {
      counts.failed += 1;
      const { latencyMs, error, isTimeout } = outcome;
      emit({ type: "failed", work, latencyMs, error, isTimeout });
    }
    return outcome;
  };

  const begin = (work: Work): InHand => {
    const limit = new AbortController();
    const messageIds = new Set<string>();
    // A turn later, so that whoever hears of it finds it in hand.
    const outcome = Promise.resolve()
      .then(() => run(work, messageIds, limit.signal))
      .finally(() => forget(task));
    const task: InHand = { work, outcome, messageIds, limit, callers: 0 };
    inHand.set(work.prompt_id, task);
    return task;
  };

  return {
    take(work, messageId) {
      const name = messageId === undefined ? `prompt ${work.prompt_id}` : `message ${messageId}`;
      const response = stored.get(name);
      if (response !== undefined) {
        emit({ type: "repeated", work, answer: "stored" });
        return { outcome: Promise.resolve({ response, latencyMs: 0 }), leave: () => {} };
      }
      const known = inHand.get(work.prompt_id);
      if (known === undefined && slots.waiting >= WAITING_MAX) {
        const error = `the agent has ${WAITING_MAX} prompts waiting already`;
        return { outcome: Promise.resolve({ error, isTimeout: false, latencyMs: 0 }), leave: () => {} };
      }
      if (known !== undefined) emit({ type: "repeated", work, answer: "in-hand" });
      const task = known ?? begin(work);
      if (messageId !== undefined) task.messageIds.add(messageId);
      task.callers += 1;
      return {
        outcome: task.outcome,
        leave() {
          task.callers -= 1;
          if (task.callers > 0) return;
          task.limit.abort(new Error("the arena closed the connection"));
          forget(task); // whoever asks again is not to get this end of it
        },
      };
    },
    holding: () => [...inHand.values()].map((task) => task.work.work_id),
    abort(reason) {
      for (const task of inHand.values()) task.limit.abort(reason);
    },
    counts: () => ({ ...counts }),
  };
}
