import { requestArena } from "@agon/agent";
import { agentCreatedSchema, agentListSchema } from "@agon/protocol";
import * as z from "zod";
import type { ServedSample } from "./signed-samples.ts";

const secretSchema = z.object({ webhook_secret: z.string() });
const activationSchema = z.object({ status: z.string().nullable() });

/**
 * Brings a served sample into an arena as its owner would: registers it, or gives the one of last time its new address and
 * a new key, installs that, and has it activated.
 *
 * @returns the agent's id, and its status: ACTIVE when all went well
 */
export async function enterSample(
  baseUrl: string,
  apiKey: string,
  sample: ServedSample,
  signal?: AbortSignal,
): Promise<{ id: number; status: string }> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const call = async (method: "GET" | "POST" | "PATCH", path: string, body?: unknown) => {
    const request = { baseUrl, path, method, headers, signal, timeoutMs: 60_000 };
    return (await requestArena(body === undefined ? request : { ...request, body })).body;
  };
  const { name, description, roles, url } = sample;
  const known = agentListSchema.parse(await call("GET", "/api/agents")).items.find((agent) => agent.name === name);
  const made =
    known === undefined
      ? await call("POST", "/api/agents", {
          ...{ name, description, mode: "push", dialect: "edgearena-v1", roles, endpoint_url: url },
        })
      : undefined;
  const id = known?.id ?? agentCreatedSchema.pick({ id: true }).parse(made).id;
  if (known !== undefined) await call("PATCH", `/api/agents/${id}`, { webhook_url: url });
  const secret = secretSchema.parse(made ?? (await call("POST", `/api/agents/${id}/regenerate-secret`)));
  sample.installKey(secret.webhook_secret);
  const { status } = activationSchema.parse(await call("POST", `/api/agents/${id}/activate?wait=50`));
  return { id, status: status ?? "PENDING" };
}
