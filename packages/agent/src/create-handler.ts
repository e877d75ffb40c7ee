import { BODY_MAX_BYTES } from "@agon/protocol";
import type { AgentReply } from "./agent-call.ts";
import type { Agent } from "./agent-definition.ts";
import { createAgentHandler, type HandlerOptions } from "./agent-handler.ts";

/**
 * An agent as a function from a standard Request to a Response: for Bun, Deno, Workers, Next routes and whatever else
 * has them. Mount it at one URL for every method, in front of any middleware that reads bodies: signatures are over the
 * raw bytes.
 *
 * @throws TypeError for options that can never work
 */
export function createHandler(agent: Agent, options: HandlerOptions = {}): (request: Request) => Promise<Response> {
  const handler = createAgentHandler(agent, options);
  return async (request) => {
    const reply = await handler.handle({
      method: request.method,
      url: request.url,
      header: (name) => request.headers.get(name) ?? undefined,
      readBody: () => readBody(request),
      gone: request.signal,
    });
    return toResponse(reply, request.method === "HEAD");
  };
}

/** Read piece by piece, since a length that is declared may be wrong, or missing. */
async function readBody(request: Request): Promise<Uint8Array | undefined> {
  if (request.body === null) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength;
    if (bytes > BODY_MAX_BYTES) return undefined;
    pieces.push(piece);
  }
  return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
}

function toResponse({ status, body, headers }: AgentReply, isHead: boolean): Response {
  return new Response(isHead ? null : body, { status, headers: { "content-type": "application/json", ...headers } });
}
