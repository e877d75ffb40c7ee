import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import type { Random } from "../ports.ts";

/** SHA-256 of a key or secret, hex: what the database holds to recognise it. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** A new webhook secret of the tesserax dialect: `whsec_` and base64 of 32 random bytes. */
export function createWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(32)).toString("base64")}`;
}

/** Seals secrets that the arena must be able to use again (to sign), unlike keys that it only recognises. */
export interface Vault {
  seal(secret: string): string;
  /** @throws when the text was sealed under another key or changed since */
  open(sealed: string): string;
}

/**
 * AES-256-GCM under a key derived from the operator's, which may be any text of 32 characters or more.
 * A sealed text is `v1.` and base64 of nonce (12 bytes), tag (16), ciphertext.
 */
export function createVault(secretKey: string, random: Random): Vault {
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "agon agent secrets", 32));
  return {
    seal(secret) {
      const nonce = random.bytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64")}`;
    },
    open(text) {
      const bytes = Buffer.from(text.slice("v1.".length), "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
    },
  };
}
