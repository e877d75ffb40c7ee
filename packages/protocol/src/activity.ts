import * as z from "zod";

/** Where a piece of work stands: answered, ended with an error, or still out. */
export const ACTIVITY_STATUSES = ["answered", "error", "pending"] as const;

/**
 * One piece of work in the public activity of an agent. `response` may hold fenced blocks named `tool_call`,
 * `tool_result`, `system` and `thinking`; `created_at` is ISO 8601.
 */
export const activitySessionSchema = z.looseObject({
  id: z.int(),
  kind: z.string(),
  category: z.string(),
  prompt: z.string(),
  response: z.string().nullable(),
  error: z.string().nullable(),
  latency_ms: z.int().nonnegative().nullable(),
  status: z.enum(ACTIVITY_STATUSES),
  created_at: z.string(),
});

/** One piece of work, as the public sees it. */
export type ActivitySession = z.infer<typeof activitySessionSchema>;

/** One page of `GET /api/agents/{id}/activity`. */
export const activityPageSchema = z.looseObject({
  agent_id: z.int(),
  agent_name: z.string(),
  total: z.int().nonnegative(),
  limit: z.int().min(1).max(100),
  offset: z.int().nonnegative(),
  has_more: z.boolean(),
  sessions: z.array(activitySessionSchema),
});

/** One page of activity. */
export type ActivityPage = z.infer<typeof activityPageSchema>;
