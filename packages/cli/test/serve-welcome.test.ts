import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { serveWelcome, type Welcome } from "../src/serve-welcome.ts";

const EMBEDDED: Welcome = {
  url: "http://127.0.0.1:4600",
  version: "1.2.3",
  dataDirectory: "data",
  samples: undefined,
  hasPages: true,
  newAdminKey: undefined,
  isAdminKeySet: false,
};
const linesOf = (change: Partial<Welcome>) =>
  stripVTControlCharacters(serveWelcome({ ...EMBEDDED, ...change }))
    .split("\n")
    .map((line) => line.trim());

describe("the welcome of agon serve", () => {
  it("names the ladder, the reference that people read, and the desk", () => {
    expect(linesOf({})).toEqual(
      expect.arrayContaining([
        "Open       http://127.0.0.1:4600  the ladder, judging, connecting an agent",
        "http://127.0.0.1:4600/docs/api  every call, with examples",
        "Operate    http://127.0.0.1:4600/operator  with the key in data/admin.key",
      ]),
    );
  });

  it.each<[string, Partial<Welcome>, string[]]>([
    [
      "alone in its line when it is new",
      { newAdminKey: "admin_x" },
      [
        "Operate    http://127.0.0.1:4600/operator  with this key, shown this once and kept in data/admin.key",
        "admin_x",
      ],
    ],
    [
      "by its setting, whatever the folder holds",
      { isAdminKeySet: true },
      ["Operate    http://127.0.0.1:4600/operator  with the key in AGON_ADMIN_KEY"],
    ],
    [
      "as missing on PostgreSQL without the setting",
      { dataDirectory: undefined },
      ["Operate    nobody can: set AGON_ADMIN_KEY and start again"],
    ],
  ])("names the operator's key %s", (_how, change, expected) => {
    const lines = linesOf(change);
    const at = lines.findIndex((line) => line.startsWith("Operate"));
    expect(lines.slice(at, at + expected.length)).toEqual(expected);
    expect(lines[at + expected.length]).toMatch(/^Watch /);
  });

  it("names no page where none are built", () => {
    const text = linesOf({ hasPages: false }).join("\n");
    expect(text).toContain("http://127.0.0.1:4600/api/reference  every call; npm run build makes the pages");
    expect(text).not.toMatch(/\/operator|\/docs/);
  });

  it("adds the address to commands only where it is not the usual one", () => {
    expect(linesOf({}).join("\n")).not.toContain("--base-url");
    expect(linesOf({ url: "http://127.0.0.1:9" })).toContain(
      "Watch      npx agon leaderboard --base-url http://127.0.0.1:9",
    );
  });
});
