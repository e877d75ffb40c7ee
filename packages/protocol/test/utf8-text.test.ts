import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { cleanText, truncateUtf8, utf8Length } from "../src/index.ts";

fc.configureGlobal({ seed: 1_700_000_000, numRuns: 500 });

/** Any UTF-16, halves of pairs and NUL among it. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units));
const properText = fc.string({ unit: "binary" });

describe("cleanText", () => {
  test.each([
    ["plain é 😀", "plain é 😀"],
    ["a\u0000b", "a\uFFFDb"],
    ["\ud83d", "\uFFFD"],
    ["x\ude00y", "x\uFFFDy"],
    ["\ude00\ud83d", "\uFFFD\uFFFD"],
    ["\u0001\t\n\u007f\ufeff", "\u0001\t\n\u007f\ufeff"],
    ["", ""],
  ])("makes %j into %j", (text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it("leaves nothing to clean, keeps the length and proper text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const cleaned = cleanText(text);
        expect(cleaned.isWellFormed() && !cleaned.includes("\0")).toBe(true);
        expect(cleaned).toHaveLength(text.length);
        if (text.isWellFormed() && !text.includes("\0")) expect(cleaned).toBe(text);
      }),
    );
  });
});

it("utf8Length counts bytes, and three for a lone surrogate", () => {
  expect(["", "a", "é", "€", "😀", "\ud83d"].map(utf8Length)).toEqual([0, 1, 2, 3, 4, 3]);
});

describe("truncateUtf8", () => {
  test.each([
    ["short", 5, "…", "short"],
    ["longer", 5, "…", "lo…"],
    ["longer", 5, undefined, "longe"],
    ["a😀b", 4, undefined, "a"],
    ["a😀b", 5, undefined, "a😀"],
    ["😀😀", 3, undefined, ""],
    ["€€", 4, "…", "…"],
    ["longer", 2, "…", "lo"],
    ["longer", 0, "…", ""],
    ["longer", -1, "…", ""],
    ["", 0, "…", ""],
  ])("%j at %i bytes with mark %j is %j", (text, maxBytes, mark, expected) => {
    expect(truncateUtf8(text, maxBytes, mark)).toBe(expected);
  });

  it("does not halve a pair where cutting by UTF-16 units would", () => {
    const text = `${"x".repeat(239)}😀tail`;
    expect(text.slice(0, 240).isWellFormed()).toBe(false);
    expect(truncateUtf8(text, 240)).toBe("x".repeat(239));
  });

  it("fits, starts as the text does, and is as long as it can be", () => {
    fc.assert(
      fc.property(fc.oneof(properText, anyText), fc.nat(60), fc.constantFrom("", "…", " [cut]"), (text, max, mark) => {
        const cut = truncateUtf8(text, max, mark);
        expect(utf8Length(cut)).toBeLessThanOrEqual(max);
        if (utf8Length(text) <= max) {
          expect(cut).toBe(text);
          return;
        }
        const used = utf8Length(mark) <= max ? mark : "";
        const kept = cut.slice(0, cut.length - used.length);
        expect(cut).toBe(kept + used);
        expect(text.startsWith(kept)).toBe(true);
        if (text.isWellFormed()) expect(cut.isWellFormed()).toBe(true);
        const next = String.fromCodePoint(text.codePointAt(kept.length) as number);
        expect(utf8Length(kept + next + used)).toBeGreaterThan(max);
      }),
    );
  });
});
