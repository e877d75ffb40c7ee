import { describe, expect, it } from "vitest";
import { parseRetryAfter } from "../src/retry-after.ts";

const NOW = Date.parse("2026-03-04T12:00:00Z");

describe("parseRetryAfter", () => {
  it.each([
    ["0", 0],
    ["7", 7_000],
    [" 30 ", 30_000],
    ["9999999999", 300_000],
    ["99999999999999999999999999999999", 300_000],
    ["Wed, 04 Mar 2026 12:00:30 GMT", 30_000],
    ["Wed, 04 Mar 2099 12:00:30 GMT", 300_000],
  ])("%j is a wait of %d ms", (header, milliseconds) => {
    expect(parseRetryAfter(header, NOW)).toBe(milliseconds);
  });

  it.each([
    null,
    "",
    "-5",
    "2.5",
    "1e9",
    "NaN",
    "soon",
    "Wed, 99 Foo 2026",
    "Wed, 99 Foo 2026 12:00:30 GMT",
    "Wed, 04 Mar 2026 11:59:59 GMT",
  ])("%j says nothing", (header) => {
    expect(parseRetryAfter(header, NOW)).toBeUndefined();
  });
});
