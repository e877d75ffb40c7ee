import { ProblemError } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import { syncHook } from "./sync-hook.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request body as JSON. An empty body is no body.
 *
 * @throws ProblemError `malformed_json`, saying where, when it is not UTF-8 or not JSON
 */
export function parseJsonBody(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    throw new ProblemError("malformed_json", "the body is not UTF-8; JSON has to be sent as UTF-8");
  }
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProblemError("malformed_json", `the body is not JSON: ${(error as Error).message}`);
  }
}

/**
 * Bodies are read as bytes and parsed as JSON whatever the content type says: clients of both systems send JSON without
 * one. A compressed body is refused by name, for its signature could be over either form. Routes with `rawBody` get the
 * bytes.
 */
export function addBodyParser(app: FastifyInstance): void {
  // Not only unknown types have to pass but unreadable ones too, which would be refused before any parser is asked.
  app.addHook(
    "onRequest",
    syncHook((request) => {
      delete request.headers["content-type"];
    }),
  );
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => {
    const encoding = request.headers["content-encoding"];
    if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
      const detail = `the body is ${encoding}-encoded; send it without Content-Encoding`;
      return done(new ProblemError("unsupported_media_type", detail));
    }
    if (request.routeOptions.config.rawBody === true) return done(null, body);
    try {
      done(null, parseJsonBody(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
}
