import { describe, expect, it } from "vitest";
import { formatDuration } from "../src/duration.ts";
import { drawInterval } from "../src/interval-bar.ts";
import { toOneLine } from "../src/output.ts";
import { cutText, padText, textWidth } from "../src/text-width.ts";

describe("formatDuration", () => {
  it.each([
    [0, "0 ms"],
    [842.4, "842 ms"],
    [999.6, "1.0 s"],
    [12_400, "12.4 s"],
    [59_960, "1 min"],
    [90_000, "1.5 min"],
    [180_000, "3 min"],
    [1_800_000, "30 min"],
    [7_200_000, "2 h"],
  ])("%d ms are %s", (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});

describe("texts in columns", () => {
  it.each([
    ["plain", 5],
    ["café", 4],
    ["cafe\u0301", 4],
    ["月-bot", 6],
    ["한국", 4],
    ["🙂", 2],
    ["👩‍🚀", 2],
    ["❯❮", 2],
    ["", 0],
  ])("%s takes %d columns", (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it("are padded on the side that is asked for", () => {
    expect([padText("月", 4), padText("月", 4, "right"), padText("abc", 2)]).toEqual(["月  ", "  月", "abc"]);
  });

  it.each([
    ["short", 5, "short"],
    ["longer", 5, "long…"],
    ["two words", 5, "two…"],
    ["月月月", 4, "月…"],
    ["x", 0, ""],
  ])("%j cut to %d is %j", (text, width, cut) => {
    expect(cutText(text, width)).toBe(cut);
  });

  it("hold one line and nothing that a terminal obeys", () => {
    expect(toOneLine(" a\r\nb\tc \u001b[31mred\u001b[0m \u001b]0;title\u0007\u0000\u009b2J\u202edrow ")).toBe(
      "a b c red drow",
    );
  });
});

describe("drawInterval", () => {
  it.each([
    [{ low: 1_400, value: 1_500, high: 1_600 }, "─────●─────"],
    [{ low: 1_440, value: 1_500, high: 1_560 }, "  ───●───  "],
    [{ low: 1_600, value: 1_600, high: 1_600 }, "          ●"],
  ])("%j on a scale from 1400 to 1600", (interval, bar) => {
    expect(drawInterval(interval, { from: 1_400, to: 1_600, width: 11 })).toBe(bar);
  });

  it("one value alone needs no scale", () => {
    expect(drawInterval({ low: 5, value: 5, high: 5 }, { from: 5, to: 5, width: 3 })).toBe("●  ");
  });
});
