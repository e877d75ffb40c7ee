import { type Database, violatedConstraint } from "../db/database.ts";
import { hashSecret } from "../db/secrets.ts";
import type { Clock, Random } from "../ports.ts";
import { deleteKey, findByUsername, insertAccount, insertKey } from "./account-queries.ts";

/** A new API key: `agon_` and 32 random bytes. */
export function createApiKey(random: Random): string {
  return `agon_${Buffer.from(random.bytes(32)).toString("base64url")}`;
}

/** How the names of the accounts begin that the arena makes for its own sample agents. */
export const SAMPLE_PREFIX = "sample-";

/** Makes an account with a username of its own, or the given one, and its first key, which is not kept. */
export async function registerAccount(
  db: Database,
  ports: { clock: Clock; random: Random },
  username?: string,
): Promise<{ accountId: number; username: string; apiKey: string }> {
  const apiKey = createApiKey(ports.random);
  for (let attempt = 1; ; attempt += 1) {
    const name = username ?? `player-${Buffer.from(ports.random.bytes(5)).toString("hex")}`;
    try {
      const accountId = await db.transaction((tx) =>
        insertAccount(tx, { username: name, keyHash: hashSecret(apiKey), now: new Date(ports.clock.now()) }),
      );
      return { accountId, username: name, apiKey };
    } catch (error) {
      const taken = violatedConstraint(error) !== undefined;
      if (!taken || username !== undefined || attempt === 5) throw error;
    }
  }
}

/**
 * Lends a key to the account of a sample agent, which is made on first use. With it a sample registers and is activated
 * like anybody's agent; afterwards nobody has a key to that account.
 */
export async function withSampleAccount<Result>(
  db: Database,
  ports: { clock: Clock; random: Random },
  name: string,
  use: (apiKey: string) => Promise<Result>,
): Promise<Result> {
  const username = `${SAMPLE_PREFIX}${name}`;
  const accountId = (await findByUsername(db, username)) ?? (await registerAccount(db, ports, username)).accountId;
  const apiKey = createApiKey(ports.random);
  const keyId = await insertKey(db, { accountId, keyHash: hashSecret(apiKey), now: new Date(ports.clock.now()) });
  try {
    return await use(apiKey);
  } finally {
    await deleteKey(db, accountId, keyId);
  }
}
