import { verifyEdgearena } from "@agon/protocol";
import { roleAnswer } from "./role-outputs.ts";
import { sendJson, startWebhook, type Webhook } from "./webhook.ts";

/** What answers for an edgearena-v1 agent: well, unless one of its virtues is taken from it. */
export interface SignedEndpoint {
  hook: Webhook;
  key: string | undefined;
  /** Else it takes whatever comes, tampered with or not. */
  checks: boolean;
  /** Else it answers each POST with a page. */
  speaksJson: boolean;
}

export async function startSigned(): Promise<SignedEndpoint> {
  const endpoint: Omit<SignedEndpoint, "hook"> = { key: undefined, checks: true, speaksJson: true };
  const hook: Webhook = await startWebhook((push, response) => {
    if (push.method === "POST" && !endpoint.speaksJson) {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<h1>It works</h1>");
      return;
    }
    const signature = push.headers["x-edgearena-signature"] as string | undefined;
    const { ok } = verifyEdgearena({
      key: endpoint.key,
      url: hook.url,
      timestamp: push.headers["x-edgearena-timestamp"] as string,
      signature,
      body: push.body,
      now: Date.now() / 1000,
    });
    if (endpoint.checks && signature !== undefined && !ok) sendJson(response, { error: "bad signature" }, 401);
    else sendJson(response, roleAnswer(push.json as unknown as Record<string, unknown> | undefined));
  });
  return Object.assign(endpoint, { hook });
}
