import { setTimeout as delay } from "node:timers/promises";
import { type Answer, type RunEvent, requestArena, runPull, serveWebhook, type WebhookEvent } from "@agon/agent";
import { agentCreatedSchema } from "@agon/protocol";
import { createDemoAccount } from "./demo-account.ts";
import type { DemoPlayer } from "./demo-players.ts";

/** A player that takes part. */
export interface DemoAgent {
  readonly id: number;
  readonly apiKey: string;
  readonly player: DemoPlayer;
  /** Resolves when it does nothing any more, after the signal. */
  readonly done: Promise<unknown>;
}

/** How {@link startDemoAgent} starts one. */
export interface DemoAgentOptions {
  readonly baseUrl: string;
  /** Ends it at once. */
  readonly abortSignal: AbortSignal;
  readonly onEvent: (player: DemoPlayer, event: RunEvent | WebhookEvent) => void;
}

/**
 * Has a player take part as anybody's agent would: an account, an agent, a runner or a webhook. Each has an account of its
 * own, since agents of one account never meet.
 */
export async function startDemoAgent(player: DemoPlayer, options: DemoAgentOptions): Promise<DemoAgent> {
  const { baseUrl } = options;
  const apiKey = await createDemoAccount(baseUrl);
  const start = player.transport === "pull" ? startPull : startPush;
  return { apiKey, player, ...(await start(player, { ...options, apiKey })) };
}

type Start = DemoAgentOptions & { readonly apiKey: string };
type Started = Pick<DemoAgent, "id" | "done">;

async function startPull(player: DemoPlayer, options: Start): Promise<Started> {
  const { baseUrl, abortSignal, onEvent } = options;
  const { id, webhook_secret: secret } = await register(player, options, {});
  const answer = toAnswer(player);
  const run = runPull({
    baseUrl,
    agentId: id,
    secret,
    answer,
    abortSignal,
    onEvent: (event) => onEvent(player, event),
  });
  return { id, done: run.catch(() => {}) };
}

/**
 * The webhook has to be there before its secret is: the arena shows that at registration, which calls the address at once
 * and is refused. A second look, as owners ask for it, then finds the agent.
 */
async function startPush(player: DemoPlayer, options: Start): Promise<Started> {
  const { baseUrl, apiKey, abortSignal, onEvent } = options;
  let secret: string | undefined;
  const server = await serveWebhook({
    secret: () => secret,
    answer: toAnswer(player),
    port: 0,
    abortSignal,
    onEvent: (event) => onEvent(player, event),
  });
  const agent = await register(player, options, { webhook_url: server.url });
  secret = agent.webhook_secret;
  const headers = { authorization: `Bearer ${apiKey}` };
  await requestArena({ baseUrl, path: `/api/agents/${agent.id}/retest`, method: "POST", headers });
  return { id: agent.id, done: server.done };
}

async function register(player: DemoPlayer, { baseUrl, apiKey }: Start, fields: { webhook_url?: string }) {
  const { name, description, transport } = player;
  const { body } = await requestArena({
    baseUrl,
    path: "/api/agents",
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: { name, description, mode: transport, ...fields },
  });
  return agentCreatedSchema.pick({ id: true, webhook_secret: true }).parse(body);
}

function toAnswer({ answer, thinkMs: [least, most] }: DemoPlayer): Answer {
  return async (work, { signal }) => {
    await delay(least + Math.random() * (most - least), undefined, { signal });
    return answer(work.prompt);
  };
}
