import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** One request as its bytes came. */
export interface RawRequest {
  /** Request line and headers, without the blank line. */
  head: string;
  body: Buffer;
}

export interface RawEndpoint {
  port: number;
  url: string;
  requests: RawRequest[];
  /** Sockets ever accepted. */
  accepted: number;
  /** Sockets that are still open. */
  open: Set<Socket>;
  /** Resolves when every socket is closed, those included that are accepted meanwhile. */
  allClosed(): Promise<void>;
}

/**
 * A server on loopback that says exactly the bytes it is told to, for endpoints that no HTTP library would let be built.
 * It ends with the test.
 *
 * @param onRequest is called for each complete request
 */
export async function startRawEndpoint(
  onRequest: (socket: Socket, request: RawRequest, endpoint: RawEndpoint) => void,
  options: { host?: string; port?: number; onConnection?: (socket: Socket) => void } = {},
): Promise<RawEndpoint> {
  const host = options.host ?? "127.0.0.1";
  const server = createServer();
  server.listen(options.port ?? 0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const endpoint: RawEndpoint = {
    port,
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/`,
    requests: [],
    accepted: 0,
    open: new Set(),
    async allClosed() {
      for (const socket of endpoint.open) {
        // Not events.once, which would reject for a socket that is closed by a reset.
        await new Promise((resolve) => socket.once("close", resolve));
      }
    },
  };
  server.on("connection", (socket) => {
    endpoint.accepted += 1;
    endpoint.open.add(socket);
    socket.on("close", () => endpoint.open.delete(socket));
    // The client may well reset what it no longer wants to read.
    socket.on("error", () => undefined);
    options.onConnection?.(socket);
    readRequests(socket, (request) => {
      endpoint.requests.push(request);
      onRequest(socket, request, endpoint);
    });
  });
  onTestFinished(() => closeServer(server, endpoint.open));
  return endpoint;
}

export async function closeServer(server: Server, open: Iterable<Socket>): Promise<void> {
  server.close();
  for (const socket of open) socket.destroy();
  if (server.listening) await once(server, "close");
}

/** A complete answer with a length. */
export function answer(body: string | Buffer, options: { status?: string; headers?: string[] } = {}): Buffer {
  const bytes = Buffer.from(body as string);
  const head = [
    `HTTP/1.1 ${options.status ?? "200 OK"}`,
    ...(options.headers ?? ["content-type: application/json"]),
    `content-length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), bytes]);
}

function readRequests(socket: Socket, onRequest: (request: RawRequest) => void): void {
  let pending = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    pending = Buffer.concat([pending, chunk as Buffer]);
    for (;;) {
      const end = pending.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = pending.subarray(0, end).toString("latin1");
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
      if (pending.length < end + 4 + length) return;
      const body = pending.subarray(end + 4, end + 4 + length);
      pending = pending.subarray(end + 4 + length);
      onRequest({ head, body });
    }
  });
}
