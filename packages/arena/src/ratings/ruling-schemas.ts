import { codePoints } from "@agon/protocol";
import { z } from "zod";

/** Which votes a ruling is about: those for which all that is given holds. */
export const choiceSchema = z
  .strictObject({
    numbers: z.array(z.int().positive()).min(1).max(10_000).optional().describe("of votes in the log"),
    battle_ids: z.array(z.int().positive()).min(1).max(10_000).optional(),
    answer_id: z.int().positive().optional().describe("votes on every battle of this answer"),
    prompt_id: z.int().positive().optional(),
    agent_id: z.int().positive().optional(),
    from: z.int().positive().optional().describe("from this number of the log on"),
    to: z.int().positive().optional().describe("up to this number"),
    judge: z
      .strictObject({
        kind: z.enum(["account", "check", "anonymous", "model"]),
        id: z.string().min(1).max(200).optional().describe("an account's id, a model's name; all of that kind without"),
      })
      .optional(),
    ruling_id: z.int().positive().optional().describe("release: the ruling that is lifted"),
  })
  .refine((choice) => Object.keys(choice).length > 0, "say which votes: a ruling on the whole log is none");

export type RulingChoice = z.infer<typeof choiceSchema>;

export const rulingKinds = ["void", "rejudge", "quarantine", "release"] as const;
export type RulingKind = (typeof rulingKinds)[number];

export const rulingBodySchema = z
  .strictObject({
    kind: z
      .enum(rulingKinds)
      .describe(
        "void: these votes count no more. rejudge: that, and their battles are judged again. quarantine: nor do later ones of this judge. release: lifts a ruling",
      ),
    choice: choiceSchema,
    reason: codePoints(1_000).default("").describe("published with the ruling; a preview needs none"),
    apply: z.boolean().default(false).describe("false: say what would move, and change nothing"),
  })
  .refine((body) => !body.apply || body.reason.trim().length >= 3, {
    path: ["reason"],
    error: "is published with the ruling: at least 3 characters",
  })
  .refine((body) => body.kind !== "quarantine" || body.choice.judge?.id !== undefined, {
    path: ["choice", "judge"],
    error: "a quarantine is of one judge: give kind and id",
  })
  .refine((body) => (body.kind === "release") === (body.choice.ruling_id !== undefined), {
    path: ["choice", "ruling_id"],
    error: "goes with release, and release with it",
  });

const count = z.int();
export const rulingOutcomeSchema = z.object({
  applied: z.boolean(),
  ruling_id: z.int().nullable(),
  votes: count.describe("votes in the log that it is about"),
  counted: count.describe("those of them that move ratings"),
  battles: count,
  judged_again: count.describe("battles that are open to judges again, or were decided anew by their check"),
  agents: z
    .array(
      z.object({
        agent: z.object({ id: z.int(), name: z.string() }),
        elo_before: z.number(),
        elo_after: z.number(),
        rating_before: z.number().nullable(),
        rating_after: z.number().nullable(),
        battles_before: count,
        battles_after: count,
      }),
    )
    .describe("whose ratings move, the farthest first, 100 at most"),
  agents_moved: count,
});
export type RulingOutcome = z.infer<typeof rulingOutcomeSchema>;

export const rulingSchema = z.object({
  id: z.int(),
  kind: z.enum(rulingKinds),
  reason: z.string(),
  decided_by: z.string(),
  decided_at: z.string(),
  position: z.int().describe("the last vote of the log at that time"),
  votes: count,
  lifted_by: z.int().nullable().describe("the release that took it back"),
});
