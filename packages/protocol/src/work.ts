import * as z from "zod";
import { PING_DEADLINE_SECONDS } from "./wire-limits.ts";

/**
 * One prompt as it is pushed to a webhook (pull document, Prompt payload). `prompt_id` is a decimal string,
 * `deadline_seconds` counts from receipt.
 */
export const promptPayloadSchema = z.looseObject({
  prompt_id: z.string(),
  prompt: z.string(),
  category: z.string(),
  deadline_seconds: z.number().nonnegative(),
});

/** A pushed prompt. */
export type PromptPayload = z.infer<typeof promptPayloadSchema>;

/**
 * One piece of work as it is pulled (pull document, work/next). `kind` is open: arenas have kinds that are not served
 * here, and a runner treats all of them alike. `task` is the dispatch payload of a run kind, Agon's own addition.
 */
export const workSchema = promptPayloadSchema.extend({
  kind: z.string(),
  work_id: z.string().min(1),
  task: z.unknown().optional(),
});

/** Pulled work. */
export type Work = z.infer<typeof workSchema>;

/** The `prompt_id` of a ping; no prompt has it. */
export const PING_PROMPT_ID = "0";

/** The `category` of a ping. */
export const PING_CATEGORY = "ping";

/** The signed probe of a tesserax webhook: shaped like a prompt, but not one, and not to be handed to a model. */
export const pingPayloadSchema = promptPayloadSchema.extend({
  prompt_id: z.literal(PING_PROMPT_ID),
  category: z.literal(PING_CATEGORY),
  deadline_seconds: z.literal(PING_DEADLINE_SECONDS),
});

/** A pushed ping. */
export type PingPayload = z.infer<typeof pingPayloadSchema>;

/** What a webhook replies to a pushed prompt, in a 2xx and within the deadline. */
export const pushAnswerSchema = z.looseObject({ response: z.string() });

/** A webhook's reply. */
export type PushAnswer = z.infer<typeof pushAnswerSchema>;
