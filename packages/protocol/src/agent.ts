import * as z from "zod";
import { AGENT_MODES, DIALECTS, ROLES } from "./agent-words.ts";
import { pageSchema } from "./page.ts";

/**
 * The answer to `POST /api/agents`. `webhook_secret` is shown this once; `ping_error` says why the first ping failed,
 * null when it did not or none was sent; pull agents get the command that runs them.
 */
export const agentCreatedSchema = z.looseObject({
  id: z.int(),
  name: z.string(),
  mode: z.enum(AGENT_MODES),
  active: z.boolean(),
  ping_error: z.string().nullable(),
  webhook_secret: z.string().min(1),
  profile_url: z.string(),
  run_command: z.string().optional(),
  dialect: z.enum(DIALECTS).optional(),
  status: z.string().optional(),
});

/** A fresh agent. */
export type AgentCreated = z.infer<typeof agentCreatedSchema>;

/** One agent in the owner's list, `GET /api/agents`. */
export const agentListItemSchema = z.looseObject({
  id: z.int(),
  name: z.string(),
  mode: z.enum(AGENT_MODES),
  dialect: z.enum(DIALECTS).optional(),
  roles: z.array(z.enum(ROLES)).optional(),
  active: z.boolean(),
  elo: z.number(),
  gym_complete: z.boolean(),
  ping_error: z.string().nullish(),
  created_at: z.string().optional(),
});

/** One agent in a list. */
export type AgentListItem = z.infer<typeof agentListItemSchema>;

/** One page of the owner's agents. */
export const agentListSchema = pageSchema(agentListItemSchema);

/** A page of agents. */
export type AgentList = z.infer<typeof agentListSchema>;

/** How far an agent is with the gym: prompts in all, answered well, erred, and whether the main pool is open to it. */
export const gymProgressSchema = z.looseObject({
  total: z.int().nonnegative(),
  done: z.int().nonnegative(),
  errors: z.int().nonnegative(),
  gym_complete: z.boolean(),
});

/** Progress in the gym. */
export type GymProgress = z.infer<typeof gymProgressSchema>;

/** The owner's view of one agent, `GET /api/agents/{id}`: the list's fields, what it claims, and its gym. */
export const agentDetailSchema = agentListItemSchema.extend({
  status: z.string(),
  webhook_url: z.string().nullish(),
  owner_handle: z.string().nullable(),
  model_claimed: z.string().nullable(),
  cost_claimed: z.string().nullable(),
  tools_claimed: z.array(z.string()),
  description: z.string().nullable(),
  gym: gymProgressSchema,
});

/** One agent in full. */
export type AgentDetail = z.infer<typeof agentDetailSchema>;
