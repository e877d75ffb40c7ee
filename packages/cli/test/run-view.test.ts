import type { RunEvent, WebhookEvent } from "@agon/agent";
import { describe, expect, it } from "vitest";
import { createOutput } from "../src/output.ts";
import { toJsonEvent } from "../src/run-json.ts";
import { createRunView } from "../src/run-view.ts";
import { WORK } from "./loopback-arena.ts";

/** A view on a stream that keeps what is written; `columns` makes it a terminal. */
function createView(columns?: number, env: NodeJS.ProcessEnv = {}) {
  let written = "";
  const stream = { isTTY: columns !== undefined, columns, write: (text: string) => (written += text) };
  const stdout = stream as unknown as NodeJS.WriteStream;
  let clock = 0;
  const view = createRunView(createOutput(stdout, stdout, env), { verbose: false, now: () => clock });
  return {
    tell: (...events: (RunEvent | WebhookEvent)[]) => events.forEach(view.onEvent),
    wait: (milliseconds: number) => {
      clock += milliseconds;
    },
    take() {
      const text = written;
      written = "";
      return text;
    },
    end: view.end,
  };
}

const received: RunEvent = { type: "received", work: WORK, deadlineMs: 300_000 };
const answered: RunEvent = { type: "answered", work: WORK, latencyMs: 842, response: "Io,\n\u001b[2JEuropa" };
const reported: RunEvent = { type: "reported", work: WORK, result: "response", attempts: 1 };

describe("the view of a run on a terminal", () => {
  it("has a live line with the time a task took and has, which the task's own line replaces", () => {
    const { tell, wait, take, end } = createView(100, { NO_COLOR: "1" });
    tell(received);
    expect(take()).toBe("\r\u001b[2Kmain-42 running 0 s, 5 min left · 0 completed, 0 failed");
    wait(61_500);
    tell({ type: "polling", holding: ["main-42"] });
    expect(take()).toBe("\r\u001b[2Kmain-42 running 1 min, 4 min left · 0 completed, 0 failed");
    tell(answered, reported);
    const lines = take().split("\r\u001b[2K");
    expect(lines).toContainEqual(
      expect.stringMatching(/ main-42 {5}astronomy {5}completed {4}842 ms {2}Io, Europa\n$/),
    );
    expect(lines.at(-1)).toBe("waiting for work · 1 completed, 0 failed");
    end();
    expect(take()).toBe("\r\u001b[2K");
  });

  it("keeps each line within the terminal", () => {
    const { tell, take, end } = createView(60, { NO_COLOR: "1" });
    tell(received, { ...answered, response: "x".repeat(500) }, reported, {
      type: "retrying",
      call: "next",
      delayMs: 500,
      reason: "y".repeat(500),
    });
    end();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what moves the cursor
    for (const line of take().split(/\r\u001b\[2K|\n/)) expect(line.length).toBeLessThanOrEqual(60);
  });

  it("is coloured, unless NO_COLOR asks for none", () => {
    const coloured = createView(100);
    coloured.tell(received, answered, reported);
    coloured.end();
    expect(coloured.take()).toContain("\u001b[32mcompleted");
    const plain = createView(100, { NO_COLOR: "1" });
    plain.tell(received, answered, reported);
    plain.end();
    expect(plain.take()).not.toContain("\u001b[32m");
  });
});

describe("the view of a run in a pipe", () => {
  it("holds whole lines of plain text alone", () => {
    const { tell, take } = createView(undefined, { FORCE_COLOR: "1", CI: "1" });
    tell({ type: "polling", holding: [] }, { type: "idle" }, received, answered, reported);
    const text = take();
    expect(text).toMatch(/^[\x20-\x7e\n–…]*$/);
    expect(text.trimEnd().split("\n")).toHaveLength(2);
  });

  it("says once for each reason that the arena is away, and when it is back", () => {
    const { tell, take } = createView();
    const away = (reason: string): RunEvent => ({ type: "retrying", call: "next", delayMs: 500, reason });
    tell(away("refused"), away("refused"), away("restarting"), away("restarting"), { type: "idle" }, { type: "idle" });
    expect(take().replace(/^\S+ +– +– +/gm, "")).toBe(
      "retrying             refused\nretrying             restarting\nback                 the arena answers again\n",
    );
  });

  it("names timeouts, and results that were not taken", () => {
    const { tell, take } = createView();
    const failed: RunEvent = {
      type: "failed",
      work: WORK,
      latencyMs: 300_000,
      error: "timeout after 300s",
      isTimeout: true,
    };
    tell(received, failed, { ...reported, result: "error" });
    expect(take()).toMatch(/timeout {7}5 min {2}timeout after 300s\n$/);
    tell(received, answered, { type: "unreported", work: WORK, result: "response", reason: "body too large" });
    tell({ ...reported, result: "error" });
    expect(take()).toMatch(/not taken {4}842 ms {2}body too large\n$/);
  });
});

describe("the view of an agent that is called", () => {
  it("tells pings, repeats and answers, and refused requests once for each reason in a row", () => {
    const { tell, take } = createView();
    const refused: WebhookEvent = { type: "refused", status: 401, reason: "no signature" };
    const replied: WebhookEvent = { type: "replied", work: WORK, result: "response" };
    tell({ type: "listening", url: "http://a.example" }, refused, refused, { type: "ping" }, received, refused);
    tell(answered, replied, { type: "repeated", work: WORK, answer: "stored" }, replied);
    const words = take()
      .trimEnd()
      .split("\n")
      .map((line) => /(?:–|astronomy) {5,}(\w+)/.exec(line)?.[1]);
    expect(words).toEqual(["refused", "ping", "running", "refused", "completed", "repeated"]);
  });

  it("names an answer that nobody waited for", () => {
    const { tell, take } = createView();
    tell(received, answered, { type: "unreplied", work: WORK, result: "response", reason: "the arena is gone" });
    expect(take()).toMatch(/not taken {4}842 ms {2}the arena is gone\n$/);
  });
});

describe("toJsonEvent", () => {
  const at = new Date("2026-03-04T12:00:00Z");

  it("is flat, in snake_case, with whole numbers", () => {
    expect(toJsonEvent({ type: "retrying", call: "result", work: WORK, delayMs: 512.7, reason: "away" }, at)).toEqual({
      at: "2026-03-04T12:00:00.000Z",
      type: "retrying",
      call: "result",
      delay_ms: 513,
      reason: "away",
      kind: "main",
      work_id: "main-42",
      prompt_id: "42",
      category: "astronomy",
    });
  });

  it("leaves out polls that brought nothing", () => {
    expect(toJsonEvent({ type: "idle" }, at)).toBeUndefined();
    expect(toJsonEvent({ type: "polling", holding: [] }, at)).toBeUndefined();
  });
});
