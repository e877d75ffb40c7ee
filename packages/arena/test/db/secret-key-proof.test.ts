import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { facts } from "../../src/db/schema.ts";
import { proveSecretKey, WrongSecretKeyError } from "../../src/db/secret-key-proof.ts";
import { createVault } from "../../src/db/secrets.ts";
import { describeOnBoth, openTestDatabase, type TestDatabase } from "../support/open-databases.ts";

const random = { bytes: (length: number) => randomBytes(length), uuid: () => crypto.randomUUID() };
const vaultOf = (letter: string) => createVault(letter.repeat(32), random);

describeOnBoth("the proof of the sealing key", (kind) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database.close());
  beforeEach(() => database.db.orm.delete(facts));

  it("is left by the first start and holds for every later one with the same key", async () => {
    for (let start = 0; start < 3; start += 1) await proveSecretKey(database.db, vaultOf("a"));
    expect(await database.db.orm.select().from(facts)).toHaveLength(1);
  });

  it("stops a start with another key, and leaves the right key in force", async () => {
    await proveSecretKey(database.db, vaultOf("a"));
    await expect(proveSecretKey(database.db, vaultOf("b"))).rejects.toBeInstanceOf(WrongSecretKeyError);
    await proveSecretKey(database.db, vaultOf("a"));
  });

  it("lets only one of two keys through when two nodes make the first start at once", async () => {
    const starts = await Promise.allSettled(["a", "b"].map((key) => proveSecretKey(database.db, vaultOf(key))));
    expect(starts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  it("fails when somebody changed it", async () => {
    await proveSecretKey(database.db, vaultOf("a"));
    for (const value of ["", "v1.AAAA", vaultOf("a").seal("something else")]) {
      await database.db.orm.update(facts).set({ value }).where(eq(facts.name, "secret key proof"));
      await expect(proveSecretKey(database.db, vaultOf("a"))).rejects.toThrow("AGON_SECRET_KEY");
    }
  });
});
