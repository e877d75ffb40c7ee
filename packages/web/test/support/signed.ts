import { type SignedEndpoint, startSigned } from "../../../arena/test/support/signed-endpoint.ts";
import type { WebArena } from "./world.ts";

export { startSigned };

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
