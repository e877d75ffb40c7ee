import { ROLES } from "@agon/protocol";
import { insertAccount } from "../../accounts/account-queries.ts";
import { insertAgent } from "../../agents/agent-queries.ts";
import type { Database, Db } from "../../db/database.ts";
import { createWebhookSecret, hashSecret, type Vault } from "../../db/secrets.ts";
import type { Clock, Random } from "../../ports.ts";
import { findHouseAgents, lockHouse, setHouseAgent } from "./house-queries.ts";

export interface HouseAgentOptions {
  db: Database;
  ports: { clock: Clock; random: Random };
  vault: Vault;
  /** Whether the house takes part at all. */
  enabled: boolean;
  /** The model that it asks, if any. */
  model: string | undefined;
}

/** Templates answer at once; a model's endpoint has limits of its own. */
const TEMPLATES_AT_ONCE = 64;
const MODEL_AT_ONCE = 8;

/**
 * Brings the house's rows in step with the settings: one agent that answers from templates, one that asks a model. They
 * are made when the first run needs them and not when the arena starts: an arena without runs has no agents but those
 * that people registered.
 *
 * @param options.make false only adjusts rows that are there
 */
export async function syncHouseAgents(options: HouseAgentOptions, { make }: { make: boolean }): Promise<void> {
  const { db, enabled, model } = options;
  if ((await findHouseAgents(db)).length === 0 && !(make && enabled)) return;
  await db.transaction(async (tx) => {
    await lockHouse(tx);
    const present = await findHouseAgents(tx);
    const pausedAt = new Date(options.ports.clock.now());
    const templates = present.find((each) => each.modelClaimed === null);
    const asking = present.find((each) => each.modelClaimed !== null);
    if (templates !== undefined) await setHouseAgent(tx, templates.id, { pausedAt: enabled ? null : pausedAt });
    if (asking !== undefined) {
      const serves = enabled && model !== undefined;
      await setHouseAgent(tx, asking.id, serves ? { pausedAt: null, modelClaimed: model } : { pausedAt });
    }
    if (!make || !enabled) return;
    const accountId = present[0]?.accountId ?? (await makeAccount(tx, options));
    if (templates === undefined) await makeAgent(tx, options, accountId, { name: "House templates", model: null });
    if (asking === undefined && model !== undefined) {
      await makeAgent(tx, options, accountId, { name: "House model", model });
    }
  });
}

/** Its name has an ending that nobody can have taken; its key is thrown away, since nobody signs in as the house. */
function makeAccount(tx: Db, { ports }: HouseAgentOptions): Promise<number> {
  const ending = Buffer.from(ports.random.bytes(3)).toString("hex");
  const keyHash = hashSecret(Buffer.from(ports.random.bytes(32)).toString("hex"));
  return insertAccount(tx, { username: `house-${ending}`, keyHash, now: new Date(ports.clock.now()) });
}

async function makeAgent(
  tx: Db,
  { ports, vault }: HouseAgentOptions,
  accountId: number,
  { name, model }: { name: string; model: string | null },
): Promise<void> {
  const secret = createWebhookSecret(ports.random);
  const now = new Date(ports.clock.now());
  await insertAgent(tx, {
    accountId,
    name,
    transport: "house",
    dialect: "edgearena-v1",
    ownerHandle: "house",
    modelClaimed: model,
    description: "The arena's own. Takes places in runs that no other agent can take; has no rating.",
    roles: [...ROLES],
    secretSealed: vault.seal(secret),
    secretHash: hashSecret(secret),
    maxConcurrent: model === null ? TEMPLATES_AT_ONCE : MODEL_AT_ONCE,
    // No status: there is nothing to ping, and a model that is away must not be suspended for good.
    createdAt: now,
  });
}
