import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentNames, namesItself } from "../../src/judging/names-itself.ts";

const NAMES: AgentNames = {
  agent: "River Solver 2",
  username: "hydrologist",
  displayName: "Ada Müller",
  ownerHandle: "ada.m",
  model: "openai/gpt-4o-2024-08-06",
};

const FOUND: [text: string, names?: Partial<AgentNames>][] = [
  ["I am River Solver 2 and this is my answer."],
  ["river-solver-2 says: the Nile"],
  ["RIVERSOLVER2"],
  ["signed: **River_Solver_2**"],
  ["river solver\u00a02's answer"],
  ["Riv\u200ber Solver 2"],
  ["ＲＩＶＥＲ Solver ２"],
  ["by hydrologist"],
  ["(Hydrologist)"],
  ["written by ada müller"],
  ["written by Ada Mu\u0308ller"],
  ["written by ADA MULLER"],
  ["ask Ada M. about it"],
  ["As openai/gpt-4o-2024-08-06 I cannot"],
  ["as GPT-4o-2024-08-06"],
  ["As GPT-4o, I cannot"],
  ["as gpt 4o I cannot"],
  ["As GPT4o I cannot"],
  ["I run on llama3.", { model: "llama3:8b" }],
  ["I run on Llama 3", { model: "llama3:8b" }],
  ["this is Claude 3.5 Sonnet", { model: "anthropic/claude-3-5-sonnet-latest" }],
  ["我是文心一言。", { model: "文心一言" }],
  ["Я — Решатель, агент", { agent: "решатель" }],
  ["저는 물박사입니다", { displayName: "저는 물박사입니다" }],
  ["Bot", { agent: "bot" }],
  ["first line\nbot\nlast line", { agent: "bot" }],
];

const NOT_FOUND: [text: string, names?: Partial<AgentNames>][] = [
  [""],
  ["The Nile is the longest river; a solver is not needed."],
  ["River Solver 20 is somebody else"],
  ["River Solver"],
  ["River. Then there were many others. Solver 2"],
  ["hydrologists disagree"],
  ["palaeohydrologist"],
  ["Canada m"],
  ["As GPT-4 I cannot"],
  ["as gpt-4o1 I cannot"],
  ["robots and bottles", { agent: "bot" }],
  ["A1 is the answer, and AI as well", { agent: "A1", username: "ai", displayName: "4242", ownerHandle: "x-9" }],
  ["4242", { displayName: "4242" }],
  ["Agenten", { agent: "agent" }],
  ["решателями", { agent: "решатель" }],
];

describe("an answer that names itself", () => {
  it("tells agents apart whose names are the same when they are put one after another", () => {
    const rest = { ownerHandle: "basalt", model: null };
    const long = { ...rest, agent: "Zebulon\nquartz", username: "marble", displayName: "granite" };
    const short = { ...rest, agent: "Zebulon", username: "quartz", displayName: "marble\ngranite" };
    expect(namesItself("I am Zebulon, and the answer is 4.", long)).toBe(false);
    expect(namesItself("I am Zebulon, and the answer is 4.", short)).toBe(true);
  });

  it.each(FOUND)("is found: %j %j", (text, names) => {
    expect(namesItself(text, { ...NAMES, ...names })).toBe(true);
  });

  it.each(NOT_FOUND)("is not seen in %j %j", (text, names) => {
    expect(namesItself(text, { ...NAMES, ...names })).toBe(false);
  });

  it("is found wherever the name stands, and however it is written", () => {
    const text = fc.string({ unit: "binary", maxLength: 200 });
    const name = fc.string({ unit: fc.constantFrom(..."abcdefgh"), minLength: 3, maxLength: 12 });
    fc.assert(
      fc.property(text, name, text, fc.boolean(), (before, agent, after, upper) => {
        const said = upper ? agent.toUpperCase() : agent;
        expect(namesItself(`${before} ${said} ${after}`, { ...NAMES, agent })).toBe(true);
      }),
    );
  });

  it("is looked for in a mebibyte of near misses without delay", () => {
    const nearMisses = "river solver. ".repeat(75_000) + "river---".repeat(10_000);
    const begun = performance.now();
    expect(namesItself(nearMisses, NAMES)).toBe(false);
    // Not a measurement: a pattern that backtracks over the whole text would take minutes.
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
