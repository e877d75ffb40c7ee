import { codePoints } from "@agon/protocol";
import { z } from "zod";

export const battleParams = z.object({
  // Any text: what is no id of ours names no battle, and that is the answer that a stranger's id gets too.
  battle_id: z.string().describe("the battle_id of the showing"),
});

const side = z.object({ response: z.string() });
export const showingSchema = z.object({
  battle_id: z.uuid().describe("this showing's own id; nobody else can use it"),
  prompt: z.string(),
  category: z.string(),
  a: side,
  b: side,
  expires_at: z.string().describe("until when a vote is taken"),
});

export const voteBodySchema = z.object({
  choice: z.enum(["a", "b", "tie", "both_bad", "skip"]).describe("skip: no vote, and not shown to you again"),
});

const revealedSide = z.object({
  agent: z.object({ id: z.int(), name: z.string() }),
  model_claimed: z.string().nullable(),
  elo_before: z.number(),
  elo_after: z.number(),
});
/** What follows a vote. After a skip there are only `choice` and `counted`. */
export const voteAnswerSchema = z.object({
  choice: voteBodySchema.shape.choice,
  counted: z.boolean(),
  reason: z
    .enum(["judge", "names_itself", "hidden", "prompt_closed"])
    .optional()
    .describe(
      "why it does not count: votes of this judge, or this kind of judge, do not, or an answer or the prompt was taken out",
    ),
  number: z.int().optional().describe("of the vote in the log"),
  a: revealedSide.optional(),
  b: revealedSide.optional(),
});

export const reportBodySchema = z.object({
  side: z.enum(["a", "b"]),
  reason: z.enum(["spam", "harm", "names_itself"]),
  comment: codePoints(1_000).optional(),
});
