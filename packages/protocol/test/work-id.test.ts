import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseHolding, parseWorkId, RUN_KINDS, toWorkId, WORK_KINDS } from "../src/index.ts";

fc.configureGlobal({ seed: 1_700_000_000, numRuns: 300 });

const uuid = "0192f4a9-1be4-7123-b21d-0a55f00d4c8e";

describe("parseWorkId", () => {
  it("reads a decimal id for the ladder and a UUID for a run", () => {
    expect(parseWorkId("main-42")).toEqual({ kind: "main", id: 42 });
    expect(parseWorkId("gym-9007199254740991")).toEqual({ kind: "gym", id: Number.MAX_SAFE_INTEGER });
    for (const kind of RUN_KINDS) expect(parseWorkId(`${kind}-${uuid}`)).toEqual({ kind, id: uuid });
  });

  test.each([
    "",
    "main",
    "main-",
    "-42",
    "42",
    "main-042",
    "main-00",
    "main--1",
    "main-+1",
    "main-1.0",
    "main-1e3",
    "main-0x1",
    "main-٤٢",
    "main-42 ",
    " main-42",
    "main-42\n",
    "MAIN-42",
    "main-9007199254740992",
    "main-99999999999999999999",
    `main-${uuid}`,
    `gym-${uuid}`,
    "scout-42",
    `scout-${uuid.toUpperCase()}`,
    `scout-{${uuid}}`,
    `scout-${uuid.replaceAll("-", "")}`,
    `scout-${uuid}0`,
    "sandbox-42",
    "ping-0",
    "main-42/../43",
    "main-42-43",
    "__proto__-1",
    "constructor-1",
  ])("does not read %j", (text) => {
    expect(parseWorkId(text)).toBeUndefined();
  });

  it("does not read what is no text", () => {
    for (const other of [undefined, null, 42, {}, ["main-42"]]) expect(parseWorkId(other as string)).toBeUndefined();
  });

  it("never throws and reads only what toWorkId writes", () => {
    const shaped = fc.tuple(
      fc.constantFrom(...WORK_KINDS, "x"),
      fc.oneof(fc.string(), fc.nat().map(String), fc.uuid()),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          shaped.map((parts) => parts.join("-")),
        ),
        (text) => {
          const parsed = parseWorkId(text);
          if (parsed !== undefined) expect(toWorkId(parsed.kind, parsed.id)).toBe(text);
        },
      ),
    );
  });

  it("gives back every kind and id", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.uuid(), (number, id) => {
        for (const kind of WORK_KINDS) {
          const value = kind === "gym" || kind === "main" ? number : id;
          expect(parseWorkId(toWorkId(kind, value))).toEqual({ kind, id: value });
        }
      }),
    );
  });
});

describe("parseHolding", () => {
  it("reads the ids in order, each once", () => {
    expect(parseHolding(`main-1, gym-2,scout-${uuid} ,main-1`)).toEqual(["main-1", "gym-2", `scout-${uuid}`]);
  });

  it("drops what is no work id", () => {
    expect(parseHolding("main-1,,main-01, x ,main-2;main-3,main-4")).toEqual(["main-1", "main-4"]);
  });

  it("reads nothing from nothing", () => {
    for (const empty of [undefined, "", " ", ",,,"]) expect(parseHolding(empty)).toEqual([]);
    expect(parseHolding(["main-1"] as unknown as string)).toEqual([]);
  });

  it("stops at 64", () => {
    const many = Array.from({ length: 200 }, (_, index) => `main-${index}`);
    expect(parseHolding(many.join(","))).toEqual(many.slice(0, 64));
  });
});
