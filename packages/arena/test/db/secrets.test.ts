import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createVault, createWebhookSecret, hashSecret } from "../../src/db/secrets.ts";

const random = { bytes: (length: number) => randomBytes(length), uuid: () => crypto.randomUUID() };
const KEY = "a key of thirty-two characters!!";
const vault = createVault(KEY, random);

describe("sealed secrets", () => {
  it("come back as they were, whatever they hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (secret) => {
        const sealed = vault.seal(secret);
        expect(sealed).toMatch(/^v1\.[A-Za-z0-9+/]+=*$/);
        expect(vault.open(sealed)).toBe(secret.toWellFormed());
      }),
    );
  });

  it("look different each time", () => {
    const seals = Array.from({ length: 50 }, () => vault.seal("the same"));
    expect(new Set(seals).size).toBe(50);
  });

  it("open under the same key on another node, and under no other", () => {
    const sealed = vault.seal("whsec_x");
    expect(createVault(KEY, random).open(sealed)).toBe("whsec_x");
    for (const key of [`${KEY} `, KEY.toUpperCase(), "another key of thirty-two letters"]) {
      expect(() => createVault(key, random).open(sealed)).toThrow();
    }
  });

  it("do not open when one bit of them changed, when they are cut, or when they are no seal", () => {
    const sealed = vault.seal("whsec_x");
    const bytes = Buffer.from(sealed.slice(3), "base64");
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(() => vault.open(`v1.${changed.toString("base64")}`)).toThrow();
    }
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => vault.open(`v1.${bytes.subarray(0, length).toString("base64")}`)).toThrow();
    }
    for (const text of ["", "v1.", "whsec_x", sealed.slice(3), sealed.replace("v1.", "v2."), `v1.${"A".repeat(40)}`]) {
      expect(() => vault.open(text)).toThrow();
    }
  });

  it("are not made under an empty key or a short one", () => {
    for (const key of ["", " ", "undefined", "k".repeat(31)]) {
      expect(() => createVault(key, random)).toThrow("32 characters");
    }
    expect(() => createVault("k".repeat(32), random)).not.toThrow();
  });
});

describe("a webhook secret", () => {
  it("is its prefix and 32 random bytes in base64, another each time", () => {
    const secrets = Array.from({ length: 20 }, () => createWebhookSecret(random));
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_/);
      expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    }
    expect(new Set(secrets).size).toBe(20);
  });

  it("is recognised by its SHA-256 in hex", () => {
    expect(hashSecret("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});
