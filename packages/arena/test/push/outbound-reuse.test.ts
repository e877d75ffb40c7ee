import { describe, expect, test } from "vitest";
import type { ExchangeRequest } from "../../src/push/outbound-exchange.ts";
import { expectAnswer, expectFailure, openOutbound, post } from "./support/outbound-fixture.ts";
import { answer, startRawEndpoint } from "./support/raw-endpoint.ts";

describe("connections", () => {
  test("are new for each exchange, and say that they close", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.write(answer("{}")));
    const outbound = openOutbound();
    for (let round = 0; round < 3; round += 1) {
      expect(expectAnswer(await outbound.exchange(post(endpoint.url))).reusedSocket).toBe(false);
    }
    expect(endpoint.accepted).toBe(3);
    for (const { head } of endpoint.requests) expect(head).toMatch(/^connection: close$/im);
    await endpoint.allClosed();
  });

  test("are kept when that is asked for", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.write(answer("{}")));
    const outbound = openOutbound();
    const reused: boolean[] = [];
    for (let round = 0; round < 3; round += 1) {
      const result = expectAnswer(await outbound.exchange(post(endpoint.url, { reuse: true })));
      reused.push(result.reusedSocket);
      expect(result.timings.connect === undefined).toBe(result.reusedSocket);
    }
    expect(reused).toEqual([false, true, true]);
    expect(endpoint.accepted).toBe(1);
  });

  test("are not shared with an exchange that wants a new one", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.write(answer("{}")));
    const outbound = openOutbound();
    expectAnswer(await outbound.exchange(post(endpoint.url, { reuse: true })));
    expect(expectAnswer(await outbound.exchange(post(endpoint.url))).reusedSocket).toBe(false);
    expect(endpoint.accepted).toBe(2);
  });

  test("carry one exchange at a time", async () => {
    const waiting: (() => void)[] = [];
    const endpoint = await startRawEndpoint((socket) => {
      waiting.push(() => socket.write(answer("{}")));
      if (waiting.length === 3) for (const reply of waiting) reply();
    });
    const outbound = openOutbound();
    const results = await Promise.all([1, 2, 3].map(() => outbound.exchange(post(endpoint.url, { reuse: true }))));
    for (const result of results) expectAnswer(result);
    expect(endpoint.accepted).toBe(3);
  });

  test("are not kept after an answer that says close", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.write(answer("{}", { headers: ["connection: close"] })));
    const outbound = openOutbound();
    expectAnswer(await outbound.exchange(post(endpoint.url, { reuse: true })));
    expect(expectAnswer(await outbound.exchange(post(endpoint.url, { reuse: true }))).reusedSocket).toBe(false);
    expect(endpoint.accepted).toBe(2);
  });

  test("report a reset on a kept one as such, send nothing again, and are new the next time", async () => {
    const endpoint = await startRawEndpoint((socket, _request, { requests }) => {
      if (requests.length === 2) socket.resetAndDestroy();
      else socket.write(answer("{}"));
    });
    const outbound = openOutbound();
    const request = post(endpoint.url, { reuse: true });
    expectAnswer(await outbound.exchange(request));
    expect(expectFailure(await outbound.exchange(request))).toMatchObject({
      cause: "unreachable",
      code: "reset",
      reusedSocket: true,
    });
    expect(endpoint.requests).toHaveLength(2);
    expect(expectAnswer(await outbound.exchange(request)).reusedSocket).toBe(false);
  });

  test("that the other side closed while they were idle are replaced without a failure", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.write(answer("{}")));
    const outbound = openOutbound();
    const request = post(endpoint.url, { reuse: true });
    expectAnswer(await outbound.exchange(request));
    for (const socket of endpoint.open) socket.end();
    await endpoint.allClosed();
    expect(expectAnswer(await outbound.exchange(request)).reusedSocket).toBe(false);
    expect(endpoint.accepted).toBe(2);
  });

  test("that are kept end with the outbound", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.write(answer("{}")));
    const outbound = openOutbound();
    expectAnswer(await outbound.exchange(post(endpoint.url, { reuse: true })));
    outbound.close();
    await endpoint.allClosed();
  });
});

describe("an exchange that ignores the body", () => {
  const ping = (url: string): ExchangeRequest => ({
    url,
    method: "GET",
    headers: {},
    deadlineMs: 5_000,
    maxResponseBytes: 1_000,
    ignoreBody: true,
    reuse: true,
  });

  test.each<[string, string]>([
    ["without end", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n"],
    ["that is compressed", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc"],
    ["that is larger than is read", "HTTP/1.1 200 OK\r\ncontent-length: 5000000\r\n\r\n"],
    ["that breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab"],
    ["that is garbage", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
    ["that is absent", "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"],
  ])("goes by the status of an answer with a body %s", async (_what, bytes) => {
    const endpoint = await startRawEndpoint((socket) => socket.write(bytes));
    const result = expectAnswer(await openOutbound().exchange(ping(endpoint.url)));
    expect(result.status).toBe(200);
    expect(result.body).toHaveLength(0);
  });

  test("keeps the connection after a short body and leaves none open after long ones", async () => {
    const long = answer(Buffer.alloc(1_000_000, "x"));
    const endpoint = await startRawEndpoint((socket, _request, { requests }) => {
      socket.write(requests.length < 3 ? answer("ok") : long);
    });
    const outbound = openOutbound();
    expectAnswer(await outbound.exchange(ping(endpoint.url)));
    expect(expectAnswer(await outbound.exchange(ping(endpoint.url))).reusedSocket).toBe(true);

    for (let round = 0; round < 200; round += 1) expectAnswer(await outbound.exchange(ping(endpoint.url)));
    await endpoint.allClosed();
  });

  test("still times out when no status comes", async () => {
    const endpoint = await startRawEndpoint(() => undefined);
    const failure = expectFailure(await openOutbound().exchange({ ...ping(endpoint.url), deadlineMs: 100 }));
    expect(failure.code).toBe("timeout");
  });
});
