import { eq } from "drizzle-orm";
import type { Db } from "./database.ts";
import { facts } from "./schema.ts";
import type { Vault } from "./secrets.ts";

const NAME = "secret key proof";
const PROOF = "sealed with the right key";

/** The key given is not the one this database's secrets are sealed with. */
export class WrongSecretKeyError extends Error {
  override name = "WrongSecretKeyError";
}

/**
 * Makes sure that this is the key under which the secrets in this database are sealed: a node that starts with another
 * would work until it has to sign something, and then fail for every agent. The first start leaves the proof.
 *
 * @throws WrongSecretKeyError
 */
export async function proveSecretKey(db: Db, vault: Vault): Promise<void> {
  await db.orm
    .insert(facts)
    .values({ name: NAME, value: vault.seal(PROOF) })
    .onConflictDoNothing();
  const [proof] = await db.orm.select().from(facts).where(eq(facts.name, NAME));
  try {
    if (proof !== undefined && vault.open(proof.value) === PROOF) return;
  } catch {
    // Falls through: a seal that cannot be opened is the wrong key.
  }
  throw new WrongSecretKeyError(
    "AGON_SECRET_KEY is not the key that this database's secrets are sealed with; start with the first one",
  );
}
