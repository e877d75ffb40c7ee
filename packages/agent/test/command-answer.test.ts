import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CommandAnswerOptions, commandAnswer } from "../src/command-answer.ts";
import { isGone } from "./processes.ts";
import { makeContext, makeWork } from "./work.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "agon-command-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

function sh(script: string, options: Partial<CommandAnswerOptions> = {}) {
  return commandAnswer({ command: ["sh", "-c", script], ...options });
}

/** Environment for commands: the test's own, so that PATH is there, and a folder to leave notes in. */
function env(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, NOTES: folder, ...more };
}

function readPid(name: string): number {
  return Number(readFileSync(join(folder, name), "utf8"));
}

async function reasonOf(answer: Promise<string>): Promise<string> {
  return answer.then(
    (text) => Promise.reject(new Error(`answered ${JSON.stringify(text)}`)),
    (error: Error) => error.message,
  );
}

describe("what a command is given", () => {
  it("[TX-KIT-1] the whole work is on stdin as JSON, fields unknown here included", async () => {
    const work = makeWork({ task: { taskId: "t" }, prompt: "naïve 😀\nsecond line", extra: [1, null] });
    const text = await sh("cat")(work, makeContext());
    expect(JSON.parse(text)).toEqual(work);
  });

  it("the JSON is one whole line, for programs that read lines", async () => {
    const text = await sh('read -r line && printf %s "$line"')(makeWork({ prompt: "a\nb" }), makeContext());
    expect(JSON.parse(text).prompt).toBe("a\nb");
  });

  it("[TX-KIT-2] prompt, prompt id, category and deadline are in the environment", async () => {
    const script =
      'printf "%s|%s|%s|%s" "$TESSERAX_PROMPT" "$TESSERAX_PROMPT_ID" "$TESSERAX_CATEGORY" "$TESSERAX_DEADLINE_SECONDS"';
    const text = await sh(script)(
      makeWork({ prompt: 'say "hi" & $HOME\nthen é', deadline_seconds: 12.5 }),
      makeContext(),
    );
    expect(text).toBe('say "hi" & $HOME\nthen é|42|astronomy|12.5');
  });

  it("the owner's own variables are passed on, the arena's credentials and forced colours are not", async () => {
    const own = { OPENAI_API_KEY: "sk-own", AGON_BASE_URL: "http://a.example", HTTPS_PROXY: "http://p.example" };
    const withheld = {
      AGON_API_KEY: "k",
      AGON_AGENT_SECRET: "s",
      AGON_ADMIN_KEY: "a",
      AGON_SECRET_KEY: "z",
      AGON_DATABASE_URL: "postgres://u:p@h/d",
      TESSERAX_WEBHOOK_SECRET: "w",
      MY_COPY: "prefix whsec_0123456789",
      FORCE_COLOR: "1",
      CLICOLOR_FORCE: "1",
      TESSERAX_PROMPT: "of another task",
    };
    const answer = commandAnswer({
      command: ["env", "-0"],
      env: env({ ...own, ...withheld }),
      secrets: ["whsec_0123456789", "", "1"],
    });
    const seen = Object.fromEntries(
      (await answer(makeWork(), makeContext())).split("\0").map((line) => line.split(/=(.*)/s).slice(0, 2)),
    );
    expect(seen).toMatchObject({ ...own, TESSERAX_PROMPT: "Name two moons." });
    for (const name of Object.keys(withheld)) {
      if (name !== "TESSERAX_PROMPT") expect(seen).not.toHaveProperty(name);
    }
  });

  it("a prompt of 131,055 bytes is still in the environment", async () => {
    const text = await sh('printf %s "$TESSERAX_PROMPT" | wc -c')(
      makeWork({ prompt: "x".repeat(131_055) }),
      makeContext(),
    );
    expect(text).toBe("131055");
  });

  it.each([
    ["of one byte more", "x".repeat(131_056)],
    ["that is too long by its bytes, not by its characters", "é".repeat(65_528)],
    ["of a megabyte", "x".repeat(1_048_576)],
    ["with a NUL", "a\u0000b"],
  ])("a prompt %s is on stdin alone", async (_name, prompt) => {
    const context = makeContext();
    const work = makeWork({ prompt });
    const text = await sh("printenv TESSERAX_PROMPT || cat")(work, context);
    expect(JSON.parse(text)).toEqual(work);
    expect(context.lines).toEqual(["TESSERAX_PROMPT did not fit the environment; the work is on stdin."]);
  });

  it("an environment that is too big as a whole goes without the copies", async () => {
    const own = Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`OWN_${n}`, "x".repeat(125_000)]));
    const work = makeWork({ prompt: "x".repeat(120_000) });
    const text = await sh("printenv TESSERAX_PROMPT || cat", { env: env(own) })(work, makeContext());
    expect(JSON.parse(text)).toEqual(work);
  });
});

describe("what a command answers", () => {
  it("[TX-KIT-3] stdout is the answer, trimmed at both ends only", async () => {
    expect(await sh("printf '\\n  two  moons \\r\\n\\r\\nand more\\t\\n'")(makeWork(), makeContext())).toBe(
      "two  moons \r\n\r\nand more",
    );
  });

  it("[TX-KIT-3] a failing exit is an error with its code and the end of stderr", async () => {
    const script = 'echo "an answer"; echo "early" >&2; echo "no such model" >&2; exit 3';
    expect(await reasonOf(sh(script)(makeWork(), makeContext()))).toBe("exit code 3: early\nno such model");
  });

  it("only the end of a long stderr is kept, and all of it is drained", async () => {
    const script = 'i=0; while [ $i -lt 20000 ]; do echo "line $i of noise" >&2; i=$((i+1)); done; exit 1';
    const reason = await reasonOf(sh(script)(makeWork(), makeContext()));
    expect(reason).toMatch(/line 19999 of noise$/);
    expect(reason.length).toBeLessThan(2_100);
  });

  it("stderr is passed on line by line to the owner, without colours", async () => {
    const context = makeContext();
    await sh("printf 'one\\n\\033[31mtwo\\033[0m\\nthree' >&2; echo ok")(makeWork(), context);
    expect(context.lines).toEqual(["one", "two", "three"]);
  });

  it("a credential in stderr does not reach the arena", async () => {
    const answer = sh("echo 'bad key whsec_0123456789' >&2; exit 1", { secrets: ["whsec_0123456789"] });
    expect(await reasonOf(answer(makeWork(), makeContext()))).toBe("exit code 1: bad key ***");
  });

  it("a death by signal is an error, whatever was printed before it", async () => {
    expect(await reasonOf(sh('printf \'{"answer":"ok"}\'; kill -9 $$')(makeWork(), makeContext()))).toBe(
      "ended by signal SIGKILL",
    );
  });

  it("an empty stdout is an error", async () => {
    expect(await reasonOf(sh("printf ' \\n'")(makeWork(), makeContext()))).toBe("the command printed no answer");
  });

  it.each([
    [["no-such-command-anywhere"], "command not found: no-such-command-anywhere"],
    [["/etc/passwd"], "command is not executable: /etc/passwd"],
  ])("%j cannot be started, and the reason says so", async (command, reason) => {
    const answer = commandAnswer({ command });
    expect(await reasonOf(answer(makeWork({ prompt: "x".repeat(100_000) }), makeContext()))).toBe(reason);
  });

  it("a shell that does not find its command says the same", async () => {
    const reason = await reasonOf(sh("no-such-command-anywhere")(makeWork(), makeContext()));
    expect(reason).toMatch(/^command not found \(exit code 127\): .*no-such-command-anywhere/);
  });

  it("an argument no program can get is a reason too", async () => {
    const answer = commandAnswer({ command: ["echo", "a\u0000b"] });
    expect(await reasonOf(answer(makeWork(), makeContext()))).toMatch(/^command could not be started: echo/);
  });

  it("a command that never reads its input answers all the same", async () => {
    const work = makeWork({ prompt: "x".repeat(1_048_576) });
    expect(await sh('echo \'{"answer":"ok"}\'; exit 0')(work, makeContext())).toBe('{"answer":"ok"}');
  });

  it("a character that arrives in two pieces is one character", async () => {
    expect(await sh("printf 'caf\\303'; sleep 0.05; printf '\\251'")(makeWork(), makeContext())).toBe("café");
  });

  it("bytes that are not UTF-8 are an error, not replacement characters", async () => {
    const reason = await reasonOf(sh('printf \'{"answer":"\\317\\360"}\'')(makeWork(), makeContext()));
    expect(reason).toBe("output is not UTF-8");
  });

  it("a byte order mark and a Windows line end are no part of the answer", async () => {
    expect(await sh('printf \'\\357\\273\\277{"answer":"x"}\\r\\n\'')(makeWork(), makeContext())).toBe(
      '{"answer":"x"}',
    );
  });

  it("colour codes are no part of the answer", async () => {
    const answer = sh('printf \'\\033[1m{\\033[m"answer":"ok"}\\033]8;;http://a.example\\007 link\\033]8;;\\007\'');
    expect(await answer(makeWork(), makeContext())).toBe('{"answer":"ok"} link');
  });

  it("an answer of exactly the limit is taken", async () => {
    const answer = sh("head -c 1048577 /dev/zero | tr '\\0' a", { maxOutputBytes: 1_048_577 });
    expect((await answer(makeWork(), makeContext())).length).toBe(1_048_577);
  });

  it("an answer over the limit is an error, and the command is ended", async () => {
    const answer = sh('echo $$ > "$NOTES/flood"; exec cat /dev/zero', { maxOutputBytes: 1_000_000, env: env() });
    expect(await reasonOf(answer(makeWork(), makeContext()))).toBe("output too large: more than 1000000 bytes");
    expect(await isGone(readPid("flood"))).toBe(true);
  });

  it("an answer over the limit is an error, though the command ended well", async () => {
    const answer = sh("head -c 1001 /dev/zero", { maxOutputBytes: 1_000 });
    expect(await reasonOf(answer(makeWork(), makeContext()))).toBe("output too large: more than 1000 bytes");
  });
});

describe("when a command ends", () => {
  it("[TX-KIT-4] at the deadline it is ended with all it started, at once, and the reason names the deadline", async () => {
    const begun = performance.now();
    const answer = sh('sleep 60 & echo $! > "$NOTES/child"; sleep 60; echo done', { env: env(), killGraceMs: 20_000 });
    const context = makeContext({ deadlineMs: 200 });
    expect(await reasonOf(answer(makeWork({ deadline_seconds: 0.2 }), context))).toBe("timeout after 0.2s");
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await isGone(readPid("child"))).toBe(true);
  });

  it("[TX-KIT-4] a trapped signal holds the deadline up for the grace and no longer", async () => {
    const begun = performance.now();
    const script = `trap "" TERM; sh -c 'trap "" TERM; echo $$ > "$NOTES/stubborn"; while :; do sleep 1; done' & wait`;
    const answer = sh(script, { env: env(), killGraceMs: 100 });
    expect(await reasonOf(answer(makeWork(), makeContext({ deadlineMs: 200 })))).toBe("timeout after 30s");
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await isGone(readPid("stubborn"))).toBe(true);
  });

  it("[TX-KIT-4] the signal before the end leaves time to clean up", async () => {
    const script = "trap 'echo cleaned > \"$NOTES/cleaned\"; exit 0' TERM; echo started >&2; sleep 60 & wait";
    const giveUp = new AbortController();
    const context = makeContext({ signal: giveUp.signal, log: () => giveUp.abort(new Error("given up")) });
    expect(await reasonOf(sh(script, { env: env() })(makeWork(), context))).toBe("given up");
    expect(readFileSync(join(folder, "cleaned"), "utf8")).toBe("cleaned\n");
  });

  it.runIf(process.platform === "linux")(
    "[TX-KIT-4] what left the process group is ended at the deadline too",
    async () => {
      const script = "setsid sh -c 'echo $$ > \"$NOTES/stray\"; echo ready >&2; exec sleep 60' & wait";
      const giveUp = new AbortController();
      const context = makeContext({ signal: giveUp.signal, log: () => giveUp.abort(new Error("given up")) });
      expect(await reasonOf(sh(script, { env: env() })(makeWork(), context))).toBe("given up");
      expect(await isGone(readPid("stray"))).toBe(true);
    },
  );

  it("children in the background neither hold the answer up nor stay", async () => {
    const begun = performance.now();
    const answer = sh('sleep 60 & echo $! > "$NOTES/background"; echo answer', { env: env() });
    expect(await answer(makeWork(), makeContext())).toBe("answer");
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await isGone(readPid("background"))).toBe(true);
  });

  it("a background child that ignores the signal and holds the pipe does not hold the answer up", async () => {
    const script = `sh -c 'trap "" TERM; echo $$ > "$NOTES/deaf"; while :; do sleep 1; done' & sleep 0.1; echo answer`;
    const answer = sh(script, { env: env(), killGraceMs: 1_000 });
    expect(await answer(makeWork(), makeContext())).toBe("answer");
    expect(process.kill(readPid("deaf"), 0)).toBe(true);
    expect(await isGone(readPid("deaf"))).toBe(true);
  });

  it("the last bytes of a process substitution are waited for", async () => {
    const answer = commandAnswer({ command: ["bash", "-c", "echo answer > >(cat)"] });
    expect(await answer(makeWork(), makeContext())).toBe("answer");
  });

  it("work that is given up before it began starts no command", async () => {
    const signal = AbortSignal.abort(new Error("stopped"));
    const answer = sh('echo started > "$NOTES/unwanted"', { env: env() });
    expect(await reasonOf(answer(makeWork(), makeContext({ signal })))).toBe("stopped");
    expect(() => readFileSync(join(folder, "unwanted"))).toThrow("ENOENT");
  });

  it("nothing is left listening on the process", async () => {
    const before = process.listenerCount("exit");
    const answer = sh("echo ok");
    await Promise.all(Array.from({ length: 12 }, () => answer(makeWork(), makeContext())));
    expect(process.listenerCount("exit")).toBeLessThanOrEqual(before);
  });

  it("an empty command is refused before there is any work", () => {
    expect(() => commandAnswer({ command: [] })).toThrow(TypeError);
  });
});
