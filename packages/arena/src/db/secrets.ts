import { createCipheriv, createDecipheriv, hash, hkdfSync } from "node:crypto";
import type { Random } from "../ports.ts";

/** SHA-256 of a key or secret, hex: what the database holds to recognise it. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** A new webhook secret of the tesserax dialect: `whsec_` and base64 of 32 random bytes. */
export function createWebhookSecret(random: Random): string {
  return `whsec_${Buffer.from(random.bytes(32)).toString("base64")}`;
}

/** A new key of edgearena-v1: `sa_` and base64url of 32 random bytes. */
export function createEdgearenaKey(random: Random): string {
  return `sa_${Buffer.from(random.bytes(32)).toString("base64url")}`;
}

/** Seals secrets that the arena must be able to use again (to sign), unlike keys that it only recognises. */
export interface Vault {
  seal(secret: string): string;
  /** @throws when the text was sealed under another key or changed since */
  open(sealed: string): string;
}

const SEALED = "v1.";
/** Opened secrets that are kept at hand: those of the agents that are called most, at some 300 bytes each. */
const OPENED_KEPT = 4_096;
const GCM = { authTagLength: 16 };

/**
 * AES-256-GCM under a key derived from the operator's, which may be any text of 32 characters or more.
 * A sealed text is `v1.` and base64 of nonce (12 bytes), tag (16), ciphertext.
 */
export function createVault(secretKey: string, random: Random): Vault {
  // Derivation would take an empty key without complaint, and everybody could open what is sealed under it.
  if (secretKey.length < 32) throw new Error("the key that seals secrets has to have 32 characters or more");
  const key = Buffer.from(hkdfSync("sha256", secretKey, "", "agon agent secrets", 32));
  // Of a call to an agent, opening its secret would otherwise cost more than all the signing.
  const opened = new Map<string, string>();
  return {
    seal(secret) {
      const nonce = random.bytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, GCM);
      const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return `${SEALED}${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64")}`;
    },
    open(text) {
      const known = opened.get(text);
      if (known !== undefined) return known;
      if (!text.startsWith(SEALED)) throw new Error("this text was not sealed here");
      const bytes = Buffer.from(text.slice(SEALED.length), "base64");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), GCM);
      decipher.setAuthTag(bytes.subarray(12, 28));
      const secret = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
      if (opened.size >= OPENED_KEPT) opened.delete(opened.keys().next().value as string);
      opened.set(text, secret);
      return secret;
    },
  };
}
