import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Work } from "@agon/protocol";
import { describe, expect, it } from "vitest";
import type { Answer } from "../src/answer.ts";
import { ArenaError } from "../src/arena-error.ts";
import { commandAnswer } from "../src/command-answer.ts";
import type { RunEvent } from "../src/run-event.ts";
import { type RunPullOptions, runPull } from "../src/runner.ts";
import {
  type LoopbackArena,
  NOTHING,
  problem,
  RECORDED,
  type Reply,
  type SeenRequest,
  startArena,
} from "./loopback-arena.ts";
import { makeWork } from "./work.ts";

const ANSWER: Answer = async () => "Io, Europa";

/** Answers polls and results from two lists; the last entry of a list stays. Work is given as itself. */
async function startScripted(polls: (Reply | Work)[], results: Reply[] = [RECORDED]): Promise<LoopbackArena> {
  const take = <T>(list: T[]): T => (list.length > 1 ? list.shift() : list[0]) as T;
  return startArena((request) => {
    const reply = take<Reply | Work>(request.method === "GET" ? polls : results);
    return typeof reply === "object" && "work_id" in reply ? { status: 200, json: reply } : (reply as Reply);
  });
}

/** Runs an agent whose waits take one turn of the event loop; notes them, and everything that happened. */
function start(arena: LoopbackArena, options: Partial<RunPullOptions> = {}) {
  const stop = new AbortController();
  const sleeps: number[] = [];
  const events: RunEvent[] = [];
  const done = runPull({
    baseUrl: arena.baseUrl,
    agentId: 7,
    secret: "whsec_c2VjcmV0",
    answer: ANSWER,
    waitSeconds: 0,
    signal: stop.signal,
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds);
      await nextTurn();
    },
    ...options,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  });
  return { done, stop, sleeps, events };
}

/** Stops the run when an event of a type has come `count` times. */
function stopAt(type: RunEvent["type"], count: number) {
  const stop = new AbortController();
  let seen = 0;
  const onEvent = (event: RunEvent) => {
    if (event.type === type && ++seen === count) stop.abort();
  };
  return { signal: stop.signal, onEvent };
}

function results(arena: LoopbackArena): { path: string; body: Record<string, unknown> }[] {
  return arena.to("/result").map((request) => ({ path: request.path, body: JSON.parse(request.body) }));
}

function holding(request: SeenRequest | undefined) {
  return request?.headers["x-agon-holding"];
}

describe("one task", () => {
  it("is fetched, answered and reported, and every step is told", async () => {
    const work = makeWork();
    await using arena = await startScripted([work]);
    const run = start(arena, { once: true });
    expect(await run.done).toEqual({ reason: "once", answered: 1, failed: 0 });
    expect(results(arena)).toEqual([
      {
        path: "/api/agents/7/work/main-42/result",
        body: { response: "Io, Europa", latency_ms: expect.any(Number) },
      },
    ]);
    expect(run.events).toEqual([
      { type: "polling", holding: [] },
      { type: "received", work, deadlineMs: 30_000 },
      { type: "answered", work, latencyMs: expect.any(Number), response: "Io, Europa" },
      { type: "reported", work, result: "response", attempts: 1 },
      { type: "stopped", reason: "once", answered: 1, failed: 0 },
    ]);
  });

  it("its latency is the agent's own time, in whole milliseconds", async () => {
    await using arena = await startScripted([makeWork()]);
    let clock = 1_000;
    const answer: Answer = async () => {
      clock += 842.4;
      return "Io";
    };
    await start(arena, { once: true, answer, now: () => clock }).done;
    expect(results(arena)[0]?.body).toEqual({ response: "Io", latency_ms: 842 });
  });

  it("a handler gets the work and the time it has", async () => {
    const work = makeWork({ deadline_seconds: 12.5, task: { taskId: "t" } });
    await using arena = await startScripted([work]);
    const seen: unknown[] = [];
    const answer: Answer = async (given, { signal, deadlineMs, log }) => {
      seen.push(given, signal.aborted, deadlineMs);
      log("thinking");
      return "Io";
    };
    const run = start(arena, { once: true, answer });
    await run.done;
    expect(seen).toEqual([work, false, 12_500]);
    expect(run.events).toContainEqual({ type: "log", work, line: "thinking" });
  });

  it.each<[string, Answer, string]>([
    ["throws", () => Promise.reject(new Error("model overloaded")), "model overloaded"],
    [
      "throws before it returns a promise",
      () => {
        throw new Error("broken");
      },
      "broken",
    ],
    ["throws something that is no error", () => Promise.reject("no reason"), "no reason"],
    ["throws an error without words", () => Promise.reject(new TypeError("")), "TypeError"],
    ["answers with blanks", async () => " \n", "the agent's answer is empty"],
    ["answers with no text", async () => 42 as unknown as string, "the agent's answer is not a text"],
  ])("a handler that %s is reported as an error", async (_name, answer, error) => {
    await using arena = await startScripted([makeWork()]);
    expect(await start(arena, { once: true, answer }).done).toMatchObject({ answered: 0, failed: 1 });
    expect(results(arena)[0]?.body).toEqual({ error, latency_ms: expect.any(Number) });
  });

  it("half a character in an answer does not go out as half", async () => {
    await using arena = await startScripted([makeWork()]);
    await start(arena, { once: true, answer: async () => "cut \ud83d" }).done;
    expect(results(arena)[0]?.body.response).toBe("cut \ufffd");
  });

  it("[TX-KIT-4] a handler that runs past the deadline is told to stop, and a timeout is reported", async () => {
    await using arena = await startScripted([makeWork({ deadline_seconds: 0.05 })]);
    const answer: Answer = async (_work, { signal }) => {
      await once(signal, "abort");
      return "too late";
    };
    const run = start(arena, { once: true, answer });
    await run.done;
    expect(results(arena)[0]?.body).toEqual({ error: "timeout after 0.05s", latency_ms: expect.any(Number) });
    expect(run.events).toContainEqual(expect.objectContaining({ type: "failed", isTimeout: true }));
  });

  it("a listener that throws costs nothing", async () => {
    await using arena = await startScripted([makeWork()]);
    const onEvent = () => {
      throw new Error("broken listener");
    };
    expect(await start(arena, { once: true, onEvent }).done).toMatchObject({ answered: 1 });
  });
});

describe("polling", () => {
  it("[TX-KIT-5] goes on after 204, and pauses longer and longer when the arena does not hold the call", async () => {
    await using arena = await startScripted([NOTHING]);
    const run = start(arena, { waitSeconds: 25, ...stopAt("idle", 6) });
    expect(await run.done).toEqual({ reason: "signal", answered: 0, failed: 0 });
    expect(arena.to("/work/next")).toHaveLength(6);
    const steps = [1_000, 2_000, 4_000, 5_000, 5_000];
    expect(run.sleeps.slice(0, 5).every((pause, n) => pause >= steps[n]! / 2 && pause <= steps[n]!)).toBe(true);
  });

  it("[TX-KIT-5] goes on at once after a 204 that the arena held", async () => {
    let clock = 0;
    await using arena = await startArena(() => {
      clock += 25_000;
      return NOTHING;
    });
    const run = start(arena, { waitSeconds: 25, now: () => clock, ...stopAt("polling", 4) });
    await run.done;
    expect(run.sleeps).toEqual([]);
  });

  it("[TX-KIT-5] waits as long as a 204 or a 429 asks", async () => {
    await using arena = await startScripted([
      { status: 204, headers: { "retry-after": "20" } },
      problem(429, "rate limited", { "retry-after": "40" }),
      { status: 204, headers: { "retry-after": "0" } },
      makeWork(),
    ]);
    const run = start(arena, { once: true });
    await run.done;
    expect(run.sleeps).toEqual([20_000, 40_000, 250]);
    expect(run.events).toContainEqual({ type: "retrying", call: "next", delayMs: 40_000, reason: "rate limited" });
  });

  it("[TX-KIT-5] tries again with growing waits while the arena is away", async () => {
    await using arena = await startScripted([
      ...Array.from({ length: 10 }, () => problem(503, "restarting")),
      makeWork(),
    ]);
    const run = start(arena, { once: true });
    expect(await run.done).toMatchObject({ answered: 1 });
    const steps = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000];
    expect(run.sleeps).toHaveLength(10);
    expect(run.sleeps.every((pause, n) => pause >= steps[n]! / 2 && pause <= steps[n]!)).toBe(true);
  });

  it("survives a connection that breaks", async () => {
    await using arena = await startScripted([(response) => response.destroy(), makeWork()]);
    expect(await start(arena, { once: true }).done).toMatchObject({ answered: 1 });
  });

  it.each([401, 403, 404, 409])("ends at a %d with the arena's words", async (status) => {
    await using arena = await startScripted([problem(status, "not for you")]);
    const run = start(arena);
    await expect(run.done).rejects.toThrow(ArenaError);
    await expect(run.done).rejects.toThrow("Not for you.");
    expect(arena.requests).toHaveLength(1);
    expect(run.events.at(-1)).toEqual({ type: "stopped", reason: "refused", answered: 0, failed: 0 });
  });

  it("ends at a page instead of JSON, when it never was an arena", async () => {
    await using arena = await startScripted([{ status: 200, text: "<html>" }]);
    await expect(start(arena).done).rejects.toThrow("Is the base URL right?");
  });

  it("waits for better times at a page instead of JSON, when it was an arena before", async () => {
    await using arena = await startScripted([NOTHING, { status: 200, text: "<html>" }, makeWork()]);
    expect(await start(arena, { once: true }).done).toMatchObject({ answered: 1 });
  });
});

describe("failures", () => {
  it("[TX-KIT-5] are each followed by a longer pause, until one task goes well", async () => {
    const works = Array.from({ length: 5 }, (_, n) => makeWork({ work_id: `main-${n}` }));
    await using arena = await startScripted([...works, makeWork({ work_id: "main-5" }), NOTHING]);
    const answer: Answer = async ({ work_id }) => {
      if (work_id === "main-3") return "fine";
      throw new Error("no");
    };
    const run = start(arena, { answer, now: () => 0, ...stopAt("reported", 6) });
    await run.done;
    const pauses = run.events.flatMap((event) => (event.type === "pausing" ? [event.delayMs] : []));
    const steps = [1_000, 2_000, 4_000, 1_000];
    expect(pauses).toHaveLength(4);
    expect(pauses.every((pause, n) => pause >= steps[n]! / 2 && pause <= steps[n]!)).toBe(true);
  });

  it("a command that is not there is reported each time, and the runner lives", async () => {
    await using arena = await startScripted([makeWork({ work_id: "main-1" }), makeWork({ work_id: "main-2" })]);
    const answer = commandAnswer({ command: ["no-such-command-anywhere"] });
    const run = start(arena, { answer, ...stopAt("reported", 2) });
    expect(await run.done).toMatchObject({ failed: 2 });
    expect(results(arena).map(({ body }) => body.error)).toEqual(
      Array.from({ length: 2 }, () => "command not found: no-such-command-anywhere"),
    );
  });
});

describe("a result", () => {
  it("is brought again until the arena takes it, and is never lost to a blip", async () => {
    const blips: Reply[] = [problem(503, "restarting"), (response) => response.destroy(), problem(429, "slow down")];
    await using arena = await startScripted([makeWork()], [...blips, { status: 200, text: "<html>" }, RECORDED]);
    const run = start(arena, { once: true });
    await run.done;
    expect(new Set(results(arena).map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(results(arena)).toHaveLength(5);
    expect(run.events).toContainEqual(expect.objectContaining({ type: "reported", attempts: 5 }));
  });

  it("is kept until the deadline and its grace are over", async () => {
    let clock = 0;
    await using arena = await startScripted([makeWork({ deadline_seconds: 20 })], [problem(503, "away")]);
    const sleep = async (milliseconds: number) => {
      clock += milliseconds;
      await nextTurn();
    };
    const run = start(arena, { once: true, now: () => clock, sleep });
    await run.done;
    expect(clock).toBeGreaterThan(35_000);
    expect(clock).toBeLessThanOrEqual(50_000);
    expect(run.events.at(-2)).toMatchObject({ type: "unreported", result: "response", reason: "away" });
  });

  it("that the arena refuses in its form is replaced by an error that says so", async () => {
    await using arena = await startScripted([makeWork()], [problem(413, "body too large"), RECORDED]);
    const run = start(arena, { once: true });
    await run.done;
    expect(results(arena)[1]?.body.error).toBe("the arena refused the answer: body too large");
    expect(run.events.filter((event) => event.type === "unreported" || event.type === "reported")).toMatchObject([
      { type: "unreported", result: "response", reason: "body too large" },
      { type: "reported", result: "error" },
    ]);
  });

  it.each([404, 409])("that comes too late (%d) is dropped, and the next task is fetched", async (status) => {
    await using arena = await startScripted(
      [makeWork({ work_id: "main-1" }), makeWork({ work_id: "main-2" })],
      [problem(status, "work cancelled"), RECORDED],
    );
    const run = start(arena, stopAt("reported", 1));
    expect(await run.done).toMatchObject({ answered: 2 });
    expect(results(arena).map(({ path }) => path.split("/").at(-2))).toEqual(["main-1", "main-2"]);
  });

  it("that is refused for its secret ends the run", async () => {
    await using arena = await startScripted([makeWork(), NOTHING], [problem(403, "wrong secret")]);
    await expect(start(arena).done).rejects.toThrow("wrong secret");
  });
});

describe("several tasks at a time", () => {
  it("are worked on up to the number given, and polls name what is in hand", async () => {
    const works = ["main-1", "main-2", "main-3"].map((work_id) => makeWork({ work_id }));
    await using arena = await startScripted([...works, NOTHING]);
    const gates = new Map<string, () => void>();
    let atOnce = 0;
    let most = 0;
    const answer: Answer = async ({ work_id }) => {
      most = Math.max(most, ++atOnce);
      await new Promise<void>((resolve) => gates.set(work_id, resolve));
      atOnce -= 1;
      return work_id;
    };
    const onEvent = (event: RunEvent) => {
      // The handler is called a turn after the event that announces it.
      if (event.type === "received" && gates.size >= 1) setImmediate(() => gates.get("main-1")?.());
      if (event.type === "received" && event.work.work_id === "main-3") {
        setImmediate(() => {
          for (const open of gates.values()) open();
        });
      }
    };
    const until = stopAt("reported", 3);
    const run = start(arena, {
      concurrency: 2,
      answer,
      signal: until.signal,
      onEvent: (event) => {
        onEvent(event);
        until.onEvent(event);
      },
    });
    expect(await run.done).toMatchObject({ answered: 3 });
    expect(most).toBe(2);
    expect(arena.to("/work/next").slice(0, 3).map(holding)).toEqual([undefined, "main-1", "main-2"]);
  });

  it("the same work handed out twice is begun once, and does not make the runner spin", async () => {
    const gate = Promise.withResolvers<string>();
    let begun = 0;
    const answer: Answer = () => {
      begun += 1;
      return gate.promise;
    };
    const until = stopAt("reported", 1);
    let duplicates = 0;
    await using arena = await startScripted([makeWork()]);
    const run = start(arena, {
      concurrency: 2,
      answer,
      signal: until.signal,
      onEvent: (event) => {
        if (event.type === "duplicate" && ++duplicates === 3) gate.resolve("Io");
        until.onEvent(event);
      },
    });
    expect(await run.done).toMatchObject({ answered: 1 });
    expect(begun).toBe(1);
    expect(run.sleeps.slice(0, 3)).toEqual([5_000, 5_000, 5_000]);
    expect(results(arena)).toHaveLength(1);
  });

  it("twenty of them raise no warning", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const works = Array.from({ length: 20 }, (_, n) => makeWork({ work_id: `main-${n}` }));
    await using arena = await startScripted([...works, NOTHING]);
    const answer = commandAnswer({ command: ["sh", "-c", "sleep 0.1; echo ok"] });
    const run = start(arena, { concurrency: 20, answer, ...stopAt("reported", 20) });
    expect(await run.done).toMatchObject({ answered: 20 });
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });

  it.each([0, -1, 1.5, Number.NaN])("%d of them are refused", async (concurrency) => {
    await using arena = await startScripted([NOTHING]);
    await expect(start(arena, { concurrency }).done).rejects.toThrow("whole number from 1 up");
  });
});

describe("stopping", () => {
  it("ends a poll that is held", async () => {
    const held = Promise.withResolvers<void>();
    await using arena = await startArena(() => () => held.resolve());
    const run = start(arena, { waitSeconds: 50 });
    await held.promise;
    run.stop.abort();
    expect(await run.done).toEqual({ reason: "signal", answered: 0, failed: 0 });
  });

  it("finishes and reports the work in hand", async () => {
    await using arena = await startScripted([makeWork()]);
    const gate = Promise.withResolvers<string>();
    const run = start(arena, {
      answer: () => gate.promise,
      onEvent: (event) => {
        if (event.type === "received") run.stop.abort();
        if (event.type === "stopping") gate.resolve("Io");
      },
    });
    expect(await run.done).toEqual({ reason: "signal", answered: 1, failed: 0 });
    expect(run.events).toContainEqual({ type: "stopping", holding: ["main-42"] });
    expect(results(arena)).toHaveLength(1);
    expect(arena.to("/work/next")).toHaveLength(1);
  });

  it("at once gives the work up, unreported, and ends its command", async () => {
    await using arena = await startScripted([makeWork()]);
    const abort = new AbortController();
    const run = start(arena, {
      answer: commandAnswer({ command: ["sh", "-c", "echo started >&2; sleep 60"] }),
      abortSignal: abort.signal,
      onEvent: (event) => event.type === "log" && abort.abort(),
    });
    expect(await run.done).toMatchObject({ reason: "signal", answered: 0 });
    expect(results(arena)).toEqual([]);
  });

  it("at once also ends the attempts to report", async () => {
    await using arena = await startScripted([makeWork()], [problem(503, "away")]);
    const abort = new AbortController();
    const run = start(arena, {
      abortSignal: abort.signal,
      onEvent: (event) => event.type === "retrying" && abort.abort(),
    });
    await run.done;
    expect(results(arena)).toHaveLength(1);
  });

  it("because of a refusal finishes the work in hand first", async () => {
    await using arena = await startScripted([makeWork(), problem(403, "wrong secret")]);
    const gate = Promise.withResolvers<string>();
    const run = start(arena, {
      concurrency: 2,
      answer: () => gate.promise,
      onEvent: (event) => event.type === "stopping" && gate.resolve("Io"),
    });
    await expect(run.done).rejects.toThrow("Wrong secret.");
    expect(results(arena)).toHaveLength(1);
  });
});
