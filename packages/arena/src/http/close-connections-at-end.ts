import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import { syncHook } from "./sync-hook.ts";

/**
 * How long closing waits for what callers have under way. With the five seconds that pushes get after it, it stays within
 * the ten that a container is commonly given before it is killed.
 */
const UNDER_WAY_MS = 3_000;

/**
 * Closing ends idle connections at once, and Node waits for all others without a limit: its own, on how long a request
 * may take to arrive, it lifts when it closes. So each kind gets its end here. One that has a poll parked on it becomes
 * idle only with the answer that closing brings, which says that it is the last. One whose answer had begun before could
 * not say so, and would be kept for the next request. One over which no request has come yet (clients open them in
 * advance) counts as busy. And half a request, or an answer that nobody reads, may stay so for ever: when the time is up,
 * whatever is left ends.
 */
export function closeConnectionsAtEnd(app: FastifyInstance): void {
  let closing = false;
  /**
   * The latest response of each open connection; none before its first. By connection, for these come seldom: a set of
   * responses would change with each request, and the tables that a busy set leaves behind keep ended ones in memory.
   */
  const latest = new Map<Socket, ServerResponse | undefined>();
  app.server.on("connection", (socket: Socket) => {
    latest.set(socket, undefined);
    socket.once("close", () => latest.delete(socket));
  });
  app.server.on("request", (request, response) => void latest.set(request.socket, response));
  app.addHook("preClose", (done) => {
    closing = true;
    for (const [socket, response] of latest) {
      if (response === undefined) socket.destroy();
      else if (!response.writableFinished) response.once("finish", () => socket.destroySoon());
    }
    const late = setTimeout(() => app.server.closeAllConnections(), UNDER_WAY_MS);
    app.server.once("close", () => clearTimeout(late));
    done();
  });
  app.addHook(
    "onRequest",
    syncHook(() => {
      if (closing) throw new ProblemError("unavailable", "this node is stopping", { headers: { "retry-after": "1" } });
    }),
  );
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (closing) reply.header("connection", "close");
    done();
  });
}
