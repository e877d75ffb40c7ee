import { ArenaError, requestArena } from "@agon/agent";
import { agentDetailSchema } from "@agon/protocol";

/** Whose webhook it is, and where the arena knows it. */
export interface WebhookOwner {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly agentId: string;
  /** Gives the calls up. */
  readonly signal?: AbortSignal;
}

/** Where the arena calls an agent, and why that does not work, if it does not. */
export interface WebhookAddress {
  readonly url: string;
  readonly pingError: string | undefined;
}

const detailSchema = agentDetailSchema.pick({ mode: true, webhook_url: true, ping_error: true });

/**
 * Tells the arena where an agent is reached, when `url` is given and new, and has it look whether the agent answers there,
 * when it did not before. The agent has to be listening.
 *
 * @throws ArenaError when the arena does not do it; Error when the agent is one that is not called
 */
export async function bringWebhookAddress(owner: WebhookOwner, url: string | undefined): Promise<WebhookAddress> {
  const path = `/api/agents/${encodeURIComponent(owner.agentId)}`;
  const known = await call(owner, "GET", path);
  if (known.mode !== "push") throw new Error(`Agent ${owner.agentId} fetches its work: agon run is what runs it.`);
  const isNew = url !== undefined && !isSameUrl(url, known.webhook_url ?? "");
  const changed = isNew ? await call(owner, "PATCH", path, { webhook_url: url }) : known;
  // A changed address is looked at by itself; one that failed before is not, until somebody asks.
  const tested = changed.ping_error && !isNew ? await call(owner, "POST", `${path}/retest`) : changed;
  return { url: tested.webhook_url ?? url ?? "", pingError: tested.ping_error ?? undefined };
}

async function call(owner: WebhookOwner, method: "GET" | "POST" | "PATCH", path: string, body?: unknown) {
  const { baseUrl, apiKey, signal } = owner;
  const answer = await requestArena({
    baseUrl,
    path,
    method,
    signal,
    headers: { authorization: `Bearer ${apiKey}` },
    ...(body === undefined ? {} : { body }),
  });
  const detail = detailSchema.safeParse(answer.body);
  if (detail.success) return detail.data;
  throw new ArenaError("not-arena", `${baseUrl} answered, but not with an agent`);
}

function isSameUrl(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).href === new URL(b).href;
}
