import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { askForChoices } from "../src/init-guide.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";
const ESCAPE = "\u0003";

/** A terminal at which somebody answers: each question that is named, once it stands there, key by key. */
function personAt(answers: readonly (readonly [question: string, ...keys: string[]])[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked: string[] = [];
  const keys: string[] = [];
  let said = "";
  let isPressing = false;
  // One key after the other, as fingers do. What a key does need not show: a cursor may be told by its colour alone.
  const press = () => {
    if (isPressing || keys.length === 0) return;
    isPressing = true;
    setTimeout(() => {
      isPressing = false;
      input.write(keys.shift() as string);
      press();
    }, 5);
  };
  output.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
    const next = answers[asked.length];
    if (keys.length === 0 && next !== undefined && said.includes(next[0])) {
      said = "";
      asked.push(next[0]);
      keys.push(...next.slice(1));
    }
    press();
  });
  return { terminal: { input, output }, asked };
}

describe("agon init at a terminal", () => {
  it("asks a newcomer for a name, how work reaches it and a file, and takes what is ready with Enter", async () => {
    const person = personAt([
      ["What is the agent's name?", "m", "o", "o", "n", ENTER],
      ["How does work reach it?", ENTER],
      ["Shall there be a file to begin with?", DOWN, ENTER],
    ]);
    expect(await askForChoices({}, person.terminal)).toEqual({
      ...{ name: "moon", transport: "pull", dialect: "tesserax", roles: [], url: undefined, language: "python" },
    });
    expect(person.asked).toHaveLength(3);
  });

  it("asks for the protocol, roles and URL of an agent that is called, and says what is wrong with a URL", async () => {
    const person = personAt([
      ["How does work reach it?", DOWN, ENTER],
      ["Which protocol does it speak?", ENTER],
      ["Which roles does it take in runs?", " ", DOWN, " ", ENTER],
      ["At which URL does the arena call it?", "x", "\u0015", "m", "o", "o", "n", ENTER],
      ["It has to be a URL", "\u0015", ..."https://a.test/", ENTER],
      ["Shall there be a file to begin with?", "\u001b[A", ENTER],
    ]);
    expect(await askForChoices({ name: "moon" }, person.terminal)).toEqual({
      name: "moon",
      transport: "push",
      dialect: "edgearena-v1",
      roles: ["SCOUT", "BUILDER"],
      url: "https://a.test/",
      language: undefined,
    });
    expect(person.asked).toHaveLength(6);
  });

  it("makes nothing when the person leaves", async () => {
    const person = personAt([["What is the agent's name?", ESCAPE]]);
    await expect(askForChoices({}, person.terminal)).rejects.toThrow("Nothing was made.");
  });
});
