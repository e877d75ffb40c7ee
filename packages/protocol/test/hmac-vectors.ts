import { readFileSync } from "node:fs";

/** One digest made by another implementation. Scheme `body` hashes the body alone and has neither timestamp nor URL. */
export type HmacVector = {
  name: string;
  scheme: "canonical" | "body";
  key: string;
  timestamp: string | null;
  url: string | null;
  canonical: string | null;
  body?: string;
  bodyRepeat?: { text: string; times: number };
  bodyBytes: number;
  signature: string;
};

const vectors: HmacVector[] = JSON.parse(readFileSync(new URL("hmac-vectors.json", import.meta.url), "utf8"));

/** All vectors of one scheme, each with its body written out. */
export function loadVectors(scheme: HmacVector["scheme"]) {
  return vectors
    .filter((vector) => vector.scheme === scheme)
    .map((vector) => ({ ...vector, body: vector.body ?? vector.bodyRepeat!.text.repeat(vector.bodyRepeat!.times) }));
}

/** A body with characters of one to four bytes, 27 bytes in all, and its digests in both schemes. */
export const sharedVector = {
  key: "test-secret-0001",
  timestamp: "1700000000",
  now: 1_700_000_000,
  url: "https://agents.example.com/hook",
  body: '{"task":"café 😀","n":1}',
  edgearena: "sha256=f76ca9d3499a0264e5ba1fe635bc8019ab319c59ca23bfc9e2b71f2e94de908e",
  tesserax: "d345246fb2449d9f5670df7caf798191a8d0981f75c70e8c413954c6d90fe21e",
};
