import * as z from "zod";
import { agentUrlFields, readAgentUrl } from "./agent-url.ts";
import { AGENT_MODES, type AgentMode, DIALECTS, type Dialect, ROLES, type Role } from "./agent-words.ts";
import { codePoints, nonBlank } from "./text-field.ts";

const optionalText = (max: number) => codePoints(max).nullish();
const tools = z.array(codePoints(100)).max(50);
const roles = z.array(z.enum(ROLES)).max(ROLES.length);

/** An agent to be made, cleaned: what was blank or null is absent, and the URL stands in `webhook_url`. */
export type AgentCreate = {
  name: string;
  mode: AgentMode;
  dialect: Dialect;
  roles: Role[];
  webhook_url?: string;
  owner_handle?: string;
  model_claimed?: string;
  cost_claimed?: string;
  tools_claimed?: string[];
  description?: string;
};

/**
 * What `POST /api/agents` takes. `mode` is push and `dialect` tesserax unless given. The URL may be called
 * `webhook_url`, `endpoint_url` or `endpointUrl`. A blank or null optional text counts as absent, since the Python
 * kit always sends all of its fields. Push needs a URL; edgearena-v1 is push only and needs a role.
 */
export const agentCreateSchema = z
  .looseObject({
    name: nonBlank(100),
    mode: z.enum(AGENT_MODES).default("push"),
    dialect: z.enum(DIALECTS).default("tesserax"),
    ...agentUrlFields,
    owner_handle: optionalText(100),
    model_claimed: optionalText(200),
    cost_claimed: optionalText(200),
    tools_claimed: tools.nullish(),
    description: optionalText(500),
    roles: roles.nullish(),
  })
  .transform((body, context): AgentCreate => {
    const report = (field: string, message: string) => context.addIssue({ code: "custom", message, path: [field] });
    const url = readAgentUrl(body, report);
    if (body.mode === "push" && url === undefined) report("webhook_url", "a push agent needs a URL to be called at");
    if (body.dialect === "edgearena-v1" && body.mode === "pull") report("mode", "edgearena-v1 agents are push agents");
    if (body.dialect === "edgearena-v1" && !body.roles?.length) report("roles", "an edgearena-v1 agent needs a role");
    const toolNames = (body.tools_claimed ?? []).filter((tool) => tool.trim() !== "");
    return {
      name: body.name.trim(),
      mode: body.mode,
      dialect: body.dialect,
      roles: unique(body.roles ?? []),
      ...(url === undefined ? {} : { webhook_url: url }),
      ...given("owner_handle", body.owner_handle),
      ...given("model_claimed", body.model_claimed),
      ...given("cost_claimed", body.cost_claimed),
      ...given("description", body.description),
      ...(toolNames.length > 0 ? { tools_claimed: toolNames } : {}),
    };
  });

/** A change to an agent, cleaned; a field that is absent stays as it is, null clears it. */
export type AgentPatch = {
  name?: string;
  webhook_url?: string;
  model_claimed?: string | null;
  description?: string | null;
  roles?: Role[];
  paused?: boolean;
  max_concurrent?: number;
  max_tasks_per_day?: number | null;
};

/**
 * What `PATCH /api/agents/{id}` takes. A blank or null claim clears it here, because there is no other way to take
 * one back; an empty URL is none. `max_concurrent` is how many tasks an agent has at once, `max_tasks_per_day` null
 * for no limit.
 */
export const agentPatchSchema = z
  .looseObject({
    name: nonBlank(100).optional(),
    ...agentUrlFields,
    model_claimed: optionalText(200),
    description: optionalText(500),
    roles: roles.optional(),
    paused: z.boolean().optional(),
    max_concurrent: z.int().min(1).max(64).optional(),
    max_tasks_per_day: z.int().min(1).max(1_000_000).nullable().optional(),
  })
  .transform((body, context): AgentPatch => {
    const report = (field: string, message: string) => context.addIssue({ code: "custom", message, path: [field] });
    const url = readAgentUrl(body, report);
    return {
      ...(body.name === undefined ? {} : { name: body.name.trim() }),
      ...(url === undefined ? {} : { webhook_url: url }),
      ...(body.model_claimed === undefined
        ? {}
        : { model_claimed: body.model_claimed?.trim() ? body.model_claimed : null }),
      ...(body.description === undefined ? {} : { description: body.description?.trim() ? body.description : null }),
      ...(body.roles === undefined ? {} : { roles: unique(body.roles) }),
      ...(body.paused === undefined ? {} : { paused: body.paused }),
      ...(body.max_concurrent === undefined ? {} : { max_concurrent: body.max_concurrent }),
      ...(body.max_tasks_per_day === undefined ? {} : { max_tasks_per_day: body.max_tasks_per_day }),
    };
  });

/** The field with its text, or nothing. Spread, because an optional property may not hold undefined here. */
function given<Name extends string>(name: Name, text: string | null | undefined): { [name in Name]?: string } {
  return (text?.trim() ? { [name]: text } : {}) as { [name in Name]?: string };
}

function unique<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
