import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** One caller that listens. */
export interface EventStream {
  /** Sends an event; `data` as JSON. Nothing once the caller is gone. */
  send(event: string, data: unknown): void;
  end(): void;
}

/** The server-sent events of one node. */
export interface EventStreams {
  /** Answers a request with a stream. `onClose` is called once, whoever ends it. */
  open(request: FastifyRequest, reply: FastifyReply, onClose: () => void): EventStream;
}

/** Shorter than the idle limits of common proxies. */
const HEARTBEAT_MS = 15_000;
/** A caller that reads nothing has its events pile up here; beyond this it is gone. */
const BUFFERED_MAX_BYTES = 1_048_576;

/** Whether a caller asks for events where it could also have the present state. */
export function wantsEvents(request: FastifyRequest): boolean {
  return /\btext\/event-stream\b/i.test(request.headers.accept ?? "");
}

/**
 * Streams of events over plain HTTP, which buffering proxies and compression would hold back: both are told not to, the
 * head goes out at once, and a comment follows when there is nothing else. They end before the server stops listening,
 * or each would hold it open; one whose request was under way by then ends as it opens.
 */
export function createEventStreams(app: FastifyInstance): EventStreams {
  const streams = new Set<EventStream>();
  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
    for (const stream of streams) stream.end();
  });
  return {
    open(_request, reply, onClose) {
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no",
      });
      const write = (text: string) => {
        if (raw.writableEnded || raw.destroyed) return;
        if (raw.writableLength > BUFFERED_MAX_BYTES) raw.destroy();
        else raw.write(text);
      };
      const heartbeat = setInterval(() => write(":\n\n"), HEARTBEAT_MS);
      const stream: EventStream = {
        send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
        end: () => void raw.end(),
      };
      streams.add(stream);
      raw.once("close", () => {
        clearInterval(heartbeat);
        streams.delete(stream);
        onClose();
      });
      write(":\n\n");
      if (closing) stream.end();
      return stream;
    },
  };
}
