import { ArenaError, requestArena } from "@agon/agent";
import { agentDetailSchema, eligibilitySchema, TESSERAX_SECRET_HEADER } from "@agon/protocol";
import type { StoredAgent } from "../config-file.ts";
import { bad, type Finding, good, warn } from "./finding.ts";

const CALL_MS = 10_000;

/** Gates that no waiting opens. The others are warned of, but for the one that says it is at work. */
const SHUT = new Set(["deactivated", "banned", "suspended"]);

const detailSchema = agentDetailSchema.pick({ ping_error: true, webhook_url: true });

/**
 * Whether the arena takes an agent's secret and what keeps work from it.
 *
 * @param apiKey of the account that owns it; without, the arena says nothing of the latter
 */
export async function checkAgent(baseUrl: string, agent: StoredAgent, apiKey: string | undefined): Promise<Finding[]> {
  const about = `Agent ${agent.id}`;
  const secret = await checkSecret(baseUrl, agent, about);
  if (secret !== undefined) return [secret];
  const name = agent.name === "" ? "its secret is valid" : `${agent.name}: its secret is valid`;
  if (apiKey === undefined) return [good(about, name)];
  const call = (path: string) =>
    requestArena({
      baseUrl,
      path: `/api/agents/${encodeURIComponent(agent.id)}${path}`,
      headers: { authorization: `Bearer ${apiKey}` },
      timeoutMs: CALL_MS,
    });
  try {
    const findings = [
      ...checkPing((await call("")).body, about),
      ...checkGates((await call("/eligibility")).body, about),
    ];
    return findings.length === 0 ? [good(about, `${name}, and it gets work`)] : findings;
  } catch (error) {
    // Not every arena says why work stays away; and an agent may be another account's.
    if (error instanceof ArenaError && error.status === 404) return [good(about, name)];
    return [good(about, name), warn(about, error instanceof Error ? error.message : String(error))];
  }
}

/**
 * Tries a secret without touching any work: the arena looks at the secret first and then refuses the work id, which is
 * none. A poll would do too, but it would take a task along.
 */
async function checkSecret(baseUrl: string, agent: StoredAgent, about: string): Promise<Finding | undefined> {
  try {
    await requestArena({
      baseUrl,
      path: `/api/agents/${encodeURIComponent(agent.id)}/work/none/result`,
      method: "POST",
      headers: { [TESSERAX_SECRET_HEADER]: agent.secret },
      body: {},
      timeoutMs: CALL_MS,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ArenaError)) return bad(about, (error as Error).message);
    const { status, detail, kind } = error;
    // 409: a push agent, whose secret was right.
    if (status === 400 || status === 409 || status === 422) return undefined;
    if (kind !== "refused") return warn(about, `it could not be looked at: ${error.message}`);
    if (status === 404)
      return bad(about, `the arena has no such agent: ${detail}`, "Make one: agon init --name my-agent");
    return bad(
      about,
      `the arena does not let it in: ${detail}`,
      `Its secret can be made anew in the arena, or a new agent: agon init`,
    );
  }
}

function checkPing(body: unknown, about: string): Finding[] {
  const detail = detailSchema.safeParse(body);
  if (!detail.success || !detail.data.ping_error) return [];
  const { ping_error, webhook_url } = detail.data;
  const advice = "Run it where that address leads: agon push -- COMMAND. It has the arena look again.";
  return [bad(about, `the arena does not reach it at ${webhook_url ?? "its address"}: ${ping_error}`, advice)];
}

function checkGates(body: unknown, about: string): Finding[] {
  const eligibility = eligibilitySchema.safeParse(body);
  if (!eligibility.success) return [];
  return eligibility.data.gates
    .filter(({ gate }) => gate !== "at_capacity")
    .map(({ gate, detail, until }) => {
      const text = until === null ? detail : `${detail} Until ${until}.`;
      return SHUT.has(gate) ? bad(about, text) : warn(about, text);
    });
}
