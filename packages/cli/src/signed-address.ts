import { ArenaError, requestArena } from "@agon/agent";
import * as z from "zod";
import type { WebhookOwner } from "./webhook-address.ts";

const detailSchema = z.object({
  dialect: z.string().optional(),
  status: z.string(),
  webhook_url: z.string().nullish(),
});
const stepSchema = z.object({
  name: z.string(),
  role: z.string().nullable(),
  ok: z.boolean(),
  skipped: z.boolean(),
  detail: z.string(),
  advice: z.string().nullable(),
});
const activationSchema = z.object({ state: z.string(), status: z.string().nullable(), steps: z.array(stepSchema) });

/** One step of an activation, as far as a person needs it. */
export type ActivationStep = z.infer<typeof stepSchema>;

/** Where the arena calls an agent, and how its activation went; no steps when it was active already. */
export interface SignedAddress {
  readonly url: string;
  readonly status: string;
  readonly steps: readonly ActivationStep[];
}

const ACTIVATION_WAIT_SECONDS = 50;
/** All roles with slow models take several minutes. */
const ACTIVATION_LOOKS = 12;

/**
 * Tells the arena where a signed agent is reached, when `url` is given, and has it tried until it is active or what keeps
 * it from that is known. The agent has to be listening.
 *
 * @throws ArenaError when the arena does not do it
 */
export async function bringSignedAddress(owner: WebhookOwner, url: string | undefined): Promise<SignedAddress> {
  const path = `/api/agents/${encodeURIComponent(owner.agentId)}`;
  const known = detailSchema.parse(await call(owner, "GET", path));
  const isNew = url !== undefined && new URL(url).href !== new URL(known.webhook_url ?? url).href;
  const changed =
    isNew || (url !== undefined && !known.webhook_url)
      ? detailSchema.parse(await call(owner, "PATCH", path, { webhook_url: url }))
      : known;
  const address = changed.webhook_url ?? url ?? "";
  if (changed.status !== "PENDING") return { url: address, status: changed.status, steps: [] };
  for (let look = 0; look < ACTIVATION_LOOKS; look++) {
    const answer = await call(owner, "POST", `${path}/activate?wait=${ACTIVATION_WAIT_SECONDS}`);
    const { state, status, steps } = activationSchema.parse(answer);
    if (state !== "running") return { url: address, status: status ?? "PENDING", steps };
  }
  throw new ArenaError("timeout", "the activation goes on; look at it in the arena");
}

/** What has to be changed; steps that were left out for another's failure say nothing by themselves. */
export function failedSteps(
  steps: readonly ActivationStep[],
): { name: string; detail: string; advice: string | null }[] {
  return steps
    .filter(({ ok, skipped }) => !ok && !skipped)
    .map(({ name, role, detail, advice }) => ({ name: role === null ? name : `${name} ${role}`, detail, advice }));
}

async function call(owner: WebhookOwner, method: "GET" | "POST" | "PATCH", path: string, body?: unknown) {
  const { baseUrl, apiKey, signal } = owner;
  const { body: answer } = await requestArena({
    baseUrl,
    path,
    method,
    signal,
    headers: { authorization: `Bearer ${apiKey}` },
    timeoutMs: (ACTIVATION_WAIT_SECONDS + 20) * 1_000,
    ...(body === undefined ? {} : { body }),
  });
  return answer;
}
