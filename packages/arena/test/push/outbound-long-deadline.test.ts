import { Client } from "undici";
import { afterEach, describe, expect, test, vi } from "vitest";
import { expectAnswer, expectFailure, openOutbound, post } from "./support/outbound-fixture.ts";
import { answer, type RawEndpoint, startRawEndpoint } from "./support/raw-endpoint.ts";

// A file of its own, the control at its end: the library's timers share one clock per process, which does not survive
// a change between real and faked timers.

describe("a deadline longer than five minutes", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Answers the first request when told to. Timers are then moved by hand; sockets go on by themselves. */
  async function startSlowEndpoint(): Promise<{ endpoint: RawEndpoint; asked: Promise<void>; reply: () => void }> {
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    let reply = () => undefined as unknown;
    const endpoint = await startRawEndpoint((socket) => {
      reply = () => socket.end(answer("{}"));
      resolve();
    });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    return { endpoint, asked, reply: () => reply() };
  }

  test("lets an answer come after 330 s of 420", async () => {
    const { endpoint, asked, reply } = await startSlowEndpoint();
    const exchange = openOutbound().exchange(post(endpoint.url, { deadlineMs: 420_000 }));
    await asked;
    await vi.advanceTimersByTimeAsync(330_000);
    reply();
    expect(expectAnswer(await exchange).status).toBe(200);
  });

  test("ends at its own time", async () => {
    const { endpoint, asked } = await startSlowEndpoint();
    const exchange = openOutbound().exchange(post(endpoint.url, { deadlineMs: 420_000 }));
    await asked;
    await vi.advanceTimersByTimeAsync(420_000);
    expect(expectFailure(await exchange).code).toBe("timeout");
  });

  test("would be cut short at 300 s by the library's own setting, which shows that the test above can fail", async () => {
    const { endpoint, asked } = await startSlowEndpoint();
    const client = new Client(endpoint.url);
    const request = client.request({ path: "/", method: "POST", body: "{}" });
    const outcome = request.then(
      () => "answered",
      (error: NodeJS.ErrnoException) => error.code,
    );
    await asked;
    await vi.advanceTimersByTimeAsync(330_000);
    expect(await outcome).toBe("UND_ERR_HEADERS_TIMEOUT");
    await client.destroy();
  });
});
