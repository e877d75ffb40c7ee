import { verifyEdgearena } from "@agon/protocol";
import { roleAnswer } from "../../../arena/test/support/role-outputs.ts";
import { sendJson, startWebhook, type Webhook } from "../../../arena/test/support/webhook.ts";
import type { WebArena } from "./world.ts";

/** An edgearena-v1 agent that answers well, but takes what was tampered with until `checks` says that it looks. */
export interface SignedEndpoint {
  hook: Webhook;
  key: string | undefined;
  checks: boolean;
}

export async function startSigned(): Promise<SignedEndpoint> {
  const endpoint: Omit<SignedEndpoint, "hook"> & { hook?: Webhook } = { key: undefined, checks: true };
  endpoint.hook = await startWebhook((push, response) => {
    const signature = push.headers["x-edgearena-signature"] as string | undefined;
    const { ok } = verifyEdgearena({
      key: endpoint.key,
      url: (endpoint.hook as Webhook).url,
      timestamp: push.headers["x-edgearena-timestamp"] as string,
      signature,
      body: push.body,
      now: Date.now() / 1000,
    });
    if (endpoint.checks && signature !== undefined && !ok) sendJson(response, { error: "bad signature" }, 401);
    else sendJson(response, roleAnswer(push.json as unknown as Record<string, unknown> | undefined));
  });
  return endpoint as SignedEndpoint;
}

/** Registers what answers at an endpoint, and has it tried; ACTIVE when it checks signatures. */
export async function activateSigned(
  web: WebArena,
  apiKey: string,
  endpoint: SignedEndpoint,
  name: string,
  roles: readonly string[] = ["SCOUT"],
): Promise<number> {
  const agent = { name, mode: "push", dialect: "edgearena-v1", roles, endpoint_url: endpoint.hook.url };
  const made = await web.addAgent(apiKey, agent);
  endpoint.key = made.webhook_secret;
  const headers = { authorization: `Bearer ${apiKey}` };
  await web.arena.app.inject({ method: "POST", url: `/api/agents/${made.id}/activate`, headers });
  return made.id;
}

/** Begins a run and waits until it is over. */
export async function runToEnd(web: WebArena, apiKey: string, run: Record<string, unknown>): Promise<string> {
  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const payload = JSON.stringify({ launchpad: "make-money", ...run });
  const made = await web.arena.app.inject({ method: "POST", url: "/api/runs", headers, payload });
  if (made.statusCode !== 201) throw new Error(made.body);
  const id = made.json().id as string;
  for (;;) {
    // Its events end with it.
    const answer = await fetch(`${web.url}/api/runs/${id}/events`);
    await answer.text();
    const now = await web.arena.app.inject({ url: `/api/runs/${id}` });
    if (now.json().finished_at !== null) return id;
  }
}
