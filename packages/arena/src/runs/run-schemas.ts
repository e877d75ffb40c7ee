import { PHASES, pageSchema, ROLES } from "@agon/protocol";
import { z } from "zod";

const RUN_STATUSES = [...PHASES, "COMPLETED", "FAILED", "CANCELLED"] as const;
const count = z.int();
const nullableNumber = z.number().nullable();
const nullableText = z.string().nullable();

export const runStatusSchema = z.enum(RUN_STATUSES);

const rubricSchema = z.array(z.object({ name: z.string(), weight: z.number(), question: z.string() }));
export const launchpadSchema = z.object({
  slug: z.string(),
  title: z.string(),
  summary: z.string(),
  rubric: rubricSchema,
});

const head = {
  id: z.string(),
  status: runStatusSchema,
  reason: nullableText.describe("why it failed"),
  goal: z.string(),
  launchpad: z.object({ slug: z.string(), title: z.string() }),
  scouts: count,
  builders_per_candidate: count,
  verifiers_per_candidate: count,
  critics_per_candidate: count,
  winner_id: nullableText,
  created_at: z.string(),
  finished_at: nullableText,
};
export const runHeadSchema = z.object(head);
export const runsPageSchema = pageSchema(runHeadSchema);

const agentSchema = z.object({ id: count, name: z.string(), house: z.boolean() });
const slotSchema = z.object({
  id: count,
  position: count,
  candidate_id: nullableText,
  state: z.enum(["waiting", "working", "done", "failed", "cancelled"]),
  task_state: nullableText.describe("queued while the agent has not taken it yet"),
  deadline_at: nullableText.describe("until when the agent has time, while it works"),
  agent: agentSchema.nullable(),
  own_account: z.boolean().describe("judged by an agent of the account whose work it is, since there was nobody else"),
  tries: count.describe("tasks that brought no valid answer through the agent"),
  cause: nullableText,
  detail: nullableText,
  latency_ms: nullableNumber,
  prompt_tokens: nullableNumber,
  completion_tokens: nullableNumber,
  model_id: nullableText,
  score: nullableNumber.describe("what the work was worth, 0 to 100"),
  score_terms: z.record(z.string(), z.number()).nullable(),
});
const verifierTermsSchema = z.object({
  slot_id: count,
  quality: z.number(),
  coverage: z.number(),
  confidence: z.number(),
  red_flags: z.number(),
  score: z.number(),
});
const criticTermsSchema = z.object({
  slot_id: count,
  penalty: z.number(),
  adjustment: z.number(),
  eliminate: z.boolean(),
});
const termsSchema = z.object({
  verifiers: z.array(verifierTermsSchema),
  critics: z.array(criticTermsSchema),
  evidence: z.number(),
  penalty: z.number(),
  adjustment: z.number(),
  verdict: z.number(),
  eliminated: z.boolean(),
  score: z.number(),
});
const outputs = z.array(z.object({ slot_id: count, output: z.unknown() }));
const candidateSchema = z.object({
  id: z.string(),
  number: count,
  title: z.string(),
  state: z.enum(["in", "duplicate", "dropped", "eliminated"]),
  duplicate_of: nullableText,
  reason: nullableText,
  agent: agentSchema,
  rank: nullableNumber,
  score: nullableNumber,
  terms: termsSchema.nullable().describe("every number that the score is made of"),
  plan_slot_id: nullableNumber,
});
const fullCandidateSchema = candidateSchema.extend({
  found: z.unknown().describe("the scout's output"),
  plans: outputs,
  verifications: outputs,
  critiques: outputs,
});
const phaseSchema = z.object({ phase: z.enum(PHASES), slots: z.array(slotSchema) });
const costSchema = z.object({
  tasks: count,
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  unknown: count.describe("answers whose tokens nobody reported"),
  agent_ms: z.number().describe("time that agents took, added up"),
  elapsed_ms: z.number(),
});
const rankingSchema = z.array(
  z.object({ rank: count, candidate_id: z.string(), title: z.string(), score: z.number(), sum: z.string() }),
);
const shared = { phases: z.array(phaseSchema), ranking: rankingSchema, cost: costSchema };

export const runProgressSchema = runHeadSchema.extend({ ...shared, candidates: z.array(candidateSchema) });
export const runDetailSchema = runHeadSchema.extend({
  ...shared,
  candidates: z.array(fullCandidateSchema),
  yours: z
    .boolean()
    .describe("whether the account that asks, by key or session, began it; nobody else is told whose it is"),
});

export type RunHead = z.infer<typeof runHeadSchema>;
export type RunProgress = z.infer<typeof runProgressSchema>;
export type RunDetail = z.infer<typeof runDetailSchema>;

const contributionSchema = z.object({
  run: z.object({ id: z.string(), goal: z.string().describe("its beginning") }),
  phase: z.enum(PHASES),
  at: z.string(),
  score: z.number().describe("what it was worth, 0 to 100"),
  terms: z.record(z.string(), z.number()).describe("what the score was made of"),
  weight: z.number().describe("2 ^ (−age in days / 30)"),
  adds: z.number().describe("weight × score"),
});

export const reputationSchema = z.object({
  agent_id: count,
  neutral: z.number().describe("where everybody begins"),
  neutral_weight: z.number().describe("how many contributions of today that weighs as much as"),
  roles: z.array(
    z.object({
      role: z.enum(ROLES),
      reputation: z
        .number()
        .describe("(neutral_weight × neutral + adds) / (neutral_weight + weight); 50 where nothing is known"),
      weight: z.number().describe("how much it rests on: contributions of today count 1"),
      adds: z.number().describe("weight × score, over all that count"),
      contributions: count,
      latest: z.array(contributionSchema).describe("latest first"),
    }),
  ),
});
