import { afterEach, describe, expect, test, vi } from "vitest";
import { startDeadline } from "../../src/push/outbound-deadline.ts";
import { expectAnswer, expectFailure, openOutbound, post } from "./support/outbound-fixture.ts";
import { answer, startRawEndpoint } from "./support/raw-endpoint.ts";

/** Long enough for a request to reach its endpoint on a busy machine. */
const DEADLINE_MS = 800;

/** Keeps the event loop from turning, as a long computation would. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe("a deadline that passes while our own event loop is blocked", () => {
  test.each([
    ["a short answer", 100],
    ["half a megabyte", 500_000],
  ])("accepts %s that had arrived, unread", async (_what, size) => {
    const endpoint = await startRawEndpoint((socket) => {
      socket.end(answer("x".repeat(size)));
      block(DEADLINE_MS + 500);
    });
    const request = post(endpoint.url, { deadlineMs: DEADLINE_MS, maxResponseBytes: 1_000_000 });
    const result = expectAnswer(await openOutbound().exchange(request));
    expect(result.timings.total).toBeGreaterThan(DEADLINE_MS);
    expect(result.body).toHaveLength(size);
  });

  test("says by how much it was late when nothing had arrived", async () => {
    const endpoint = await startRawEndpoint(() => block(DEADLINE_MS + 500));
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url, { deadlineMs: DEADLINE_MS })));
    expect(failure).toMatchObject({ cause: "timeout", code: "timeout" });
    expect(failure.loopLagMs).toBeGreaterThan(250);
  });

  test("ends although bytes keep coming without an end", async () => {
    const endpoint = await startRawEndpoint((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
      const more = () => {
        if (socket.destroyed) return;
        socket.write("1\r\n \r\n");
        setImmediate(more);
      };
      more();
      block(DEADLINE_MS + 500);
    });
    const failure = expectFailure(await openOutbound().exchange(post(endpoint.url, { deadlineMs: DEADLINE_MS })));
    expect(failure.code).toBe("timeout");
    await endpoint.allClosed();
  });
});

describe("startDeadline", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test.each([
    [0, 0],
    [250, 0],
    [251, 251],
  ])("reports a lag of %i ms as %i", async (lagMs, reported) => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
    const expired = new Promise((resolve) => {
      startDeadline({ deadlineMs: 100, bytesRead: () => 0, onExpired: resolve });
    });
    now.mockReturnValue(1_100 + lagMs);
    vi.advanceTimersByTime(100);
    expect(await expired).toBe(reported);
  });

  test("says nothing once it is ended, not even from the turn that it grants", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const onExpired = vi.fn();
    const end = startDeadline({ deadlineMs: 100, bytesRead: () => 0, onExpired });
    vi.advanceTimersByTime(100);
    end();
    startDeadline({ deadlineMs: 100, bytesRead: () => 0, onExpired })();
    vi.advanceTimersByTime(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    expect(onExpired).not.toHaveBeenCalled();
  });

  test("does not end at once when it lies beyond what a timer can hold", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const end = startDeadline({ deadlineMs: 1e12, bytesRead: () => 0, onExpired: () => undefined });
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(86_400_000);
    expect(vi.getTimerCount()).toBe(1);
    end();
    expect(vi.getTimerCount()).toBe(0);
  });
});
