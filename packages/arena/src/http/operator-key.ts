import { createHash, timingSafeEqual } from "node:crypto";

/** Compares digests: the keys themselves may differ in length, which must not show in the time taken. */
export function isOperatorKey(given: string, adminKey: string | undefined): boolean {
  if (adminKey === undefined) return false;
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(adminKey));
}
