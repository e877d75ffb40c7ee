import { describe, expect, it } from "vitest";
import { createAnswerMemory } from "../src/answer-memory.ts";

describe("createAnswerMemory", () => {
  it("keeps the latest answers up to a number of them", () => {
    const memory = createAnswerMemory(2, 1_000);
    for (const name of ["a", "b", "a", "c"]) memory.set(name, name.toUpperCase());
    expect(["a", "b", "c"].map(memory.get)).toEqual(["A", undefined, "C"]);
  });

  it("keeps the latest answers up to a length of all, and none that is longer by itself", () => {
    const memory = createAnswerMemory(100, 10);
    memory.set("a", "12345");
    memory.set("b", "12345");
    expect(memory.get("a")).toBe("12345");
    memory.set("c", "1");
    expect(["a", "b", "c"].map(memory.get)).toEqual([undefined, "12345", "1"]);
    memory.set("d", "x".repeat(11));
    expect(["b", "c", "d"].map(memory.get)).toEqual([undefined, undefined, undefined]);
    memory.set("e", "1234567890");
    expect(memory.get("e")).toBe("1234567890");
  });

  it("is not confused by names of built-in properties", () => {
    expect(createAnswerMemory(1, 1).get("constructor")).toBeUndefined();
  });
});
