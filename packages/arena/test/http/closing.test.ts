import { once } from "node:events";
import { type AddressInfo, connect, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createEventStreams } from "../../src/http/event-streams.ts";
import { createBareApp } from "../support/bare-app.ts";

const HEAD = "HTTP/1.1\r\nhost: localhost\r\n";

describe("a server that closes", () => {
  let app: FastifyInstance;
  /** What `/river` is answered with, its head first. */
  let river: PassThrough;
  /** Resolves when a request for `/events` has come; it is answered when `goOn` is called. */
  let asked: Promise<void>;
  let goOn: () => void;
  /** The server's ends of the connections, in the order in which they came. */
  let accepted: Socket[];
  let closing: Promise<unknown> | undefined;

  beforeEach(async () => {
    app = await createBareApp();
    const config = { auth: "public" } as const;
    river = new PassThrough();
    const arrival = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    asked = arrival.promise;
    goOn = held.resolve;
    const events = createEventStreams(app);
    app.get("/well", { config }, async () => ({}));
    app.post("/well", { config }, async ({ body }) => ({ body }));
    app.get("/river", { config }, (_request, reply) => reply.send(river));
    app.get("/events", { config }, async (request, reply) => {
      arrival.resolve();
      await held.promise;
      events.open(request, reply, () => {});
      return reply;
    });
    accepted = [];
    app.server.on("connection", (socket: Socket) => accepted.push(socket));
    closing = undefined;
    await app.listen({ port: 0, host: "127.0.0.1" });
  });
  afterEach(async () => {
    vi.useRealTimers();
    app.server.closeAllConnections();
    await (closing ?? app.close());
  });

  async function open(): Promise<{ socket: Socket; send(text: string): Promise<void>; text(): string }> {
    const before = accepted.length;
    const socket = connect((app.server.address() as AddressInfo).port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (more) => {
      text += more;
    });
    socket.on("error", () => {});
    await once(socket, "connect");
    await expect.poll(() => accepted.length).toBe(before + 1);
    const end = accepted.at(-1) as Socket;
    let sent = 0;
    return {
      socket,
      /** Resolves when the server has read it. */
      async send(more) {
        socket.write(more);
        sent += more.length;
        await expect.poll(() => end.bytesRead).toBe(sent);
      },
      text: () => text,
    };
  }

  /** Begins to close; resolves when what closing does at its beginning is done. */
  async function beginToClose(): Promise<void> {
    const begun = Promise.withResolvers<void>();
    app.server.close = new Proxy(app.server.close, {
      apply(close, server, args) {
        begun.resolve();
        return Reflect.apply(close, server, args);
      },
    });
    closing = app.close();
    await begun.promise;
  }

  it("lets an answer that had begun come to its end, and keeps its connection for no other request", async () => {
    const { socket, send, text } = await open();
    await send(`GET /river ${HEAD}\r\n`);
    river.write("from the hills ");
    await expect.poll(text).toContain("from the hills");
    expect(text()).toContain("Connection: keep-alive");
    await beginToClose();
    const ended = once(socket, "close");
    river.end("to the sea");
    await closing;
    await ended;
    expect(text()).toMatch(/to the sea\r\n0\r\n\r\n$/);
  });

  it("takes the other half of a request, and says with the answer that it is the last", async () => {
    const { socket, send, text } = await open();
    await send(`POST /well ${HEAD}content-type: application/json\r\ncontent-length: 13\r\n\r\n{"deep"`);
    await beginToClose();
    const ended = once(socket, "close");
    socket.write(":true}");
    await closing;
    await ended;
    expect(text()).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(text()).toMatch(/\r\nconnection: close\r\n/i);
    expect(text()).toContain('{"body":{"deep":true}}');
  });

  it("ends at last what would never end: half of a second request, half of a body, an answer that nobody reads", async () => {
    const second = await open();
    await second.send(`GET /well ${HEAD}\r\n`);
    await expect.poll(second.text).toMatch(/\{\}$/);
    await second.send("GET /well HT");
    const body = await open();
    await body.send(`POST /well ${HEAD}content-type: application/json\r\ncontent-length: 13\r\n\r\n{`);
    const reader = await open();
    reader.socket.pause();
    await reader.send(`GET /river ${HEAD}\r\n`);
    // More than the buffers on the way hold.
    while (river.write(Buffer.alloc(1_048_576))) await new Promise((resolve) => setImmediate(resolve));
    river.end(Buffer.alloc(64 * 1_048_576));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await beginToClose();
    vi.advanceTimersByTime(2_999);
    expect(accepted.map((each) => each.destroyed)).toEqual([false, false, false]);
    vi.advanceTimersByTime(1);
    await closing;
    expect(accepted.map((each) => each.destroyed)).toEqual([true, true, true]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends a stream of events whose request came before and was answered after", async () => {
    const { socket, send, text } = await open();
    await send(`GET /events ${HEAD}accept: text/event-stream\r\n\r\n`);
    await asked;
    await beginToClose();
    const ended = once(socket, "close");
    goOn();
    await closing;
    await ended;
    expect(text()).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(text()).toMatch(/\r\n0\r\n\r\n$/);
  });
});
