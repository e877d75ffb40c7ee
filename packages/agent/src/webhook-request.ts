import type { IncomingMessage } from "node:http";
import { BODY_MAX_BYTES } from "@agon/protocol";
import { createBoundedOutput } from "./command-output.ts";
import { readWebhookBody, refuse, type WebhookCall, type WebhookProof, type WebhookRefusal } from "./webhook-body.ts";

/**
 * A body that is too large is read on and dropped up to here before the answer: a sender that is answered and cut off
 * in the middle of its request often sees the broken connection alone.
 */
const DROPPED_MAX_BYTES = 8 * BODY_MAX_BYTES;

/**
 * Reads a POST of an arena: raw bytes, signature, and only then JSON.
 *
 * @param readProof asked when the bytes are there
 * @throws whatever broke the request off before it was whole
 */
export async function readWebhookCall(
  request: IncomingMessage,
  readProof: () => WebhookProof,
): Promise<WebhookCall | WebhookRefusal> {
  const encoding = request.headers["content-encoding"] ?? "identity";
  const body = await readBody(request);
  if (body === undefined) return refuse(413, `the body is larger than ${BODY_MAX_BYTES} bytes`);
  // By name and not as a bad signature, which would be over one form or the other.
  if (encoding.toLowerCase() !== "identity") {
    return refuse(415, `the body is ${encoding}-encoded; send it without Content-Encoding`);
  }
  return readWebhookBody(body, (name) => headerOf(request, name), readProof());
}

/** The whole body, or undefined when it is too large. */
export async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const body = createBoundedOutput(BODY_MAX_BYTES);
  const isWhole = await new Promise<boolean>((resolve, reject) => {
    request.on("data", (chunk: Buffer) => {
      if (!body.push(chunk) && body.bytes > DROPPED_MAX_BYTES) resolve(false);
    });
    request.on("end", () => resolve(body.bytes <= BODY_MAX_BYTES));
    request.on("error", reject);
    request.on("close", () => reject(new Error("the connection broke off")));
  });
  return isWhole ? body.toBuffer() : undefined;
}

/** One that was sent twice is joined, and matches nothing: which of the two counts is not for a sender to leave open. */
export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
