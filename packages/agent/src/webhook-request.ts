import type { IncomingMessage } from "node:http";
import {
  BODY_MAX_BYTES,
  PING_CATEGORY,
  PING_PROMPT_ID,
  parseWorkId,
  STANDARD_WEBHOOK_ID_HEADER,
  STANDARD_WEBHOOK_SIGNATURE_HEADER,
  STANDARD_WEBHOOK_TIMESTAMP_HEADER,
  TESSERAX_SIGNATURE_HEADER,
  type VerifyResult,
  verifyStandardWebhook,
  verifyTesserax,
  type Work,
} from "@agon/protocol";
import { createBoundedOutput } from "./command-output.ts";
import { readLenientWork } from "./lenient-work.ts";

/** A request that is not worked on, with what goes back. */
export interface WebhookRefusal {
  readonly type: "refused";
  readonly status: number;
  readonly reason: string;
  /** The verdict on the signature, where that is the reason. */
  readonly code?: string;
}

/** A request whose signature is right. `messageId` is there only when it was signed too. */
export type WebhookCall =
  | { readonly type: "ping" }
  | { readonly type: "prompt"; readonly work: Work; readonly messageId: string | undefined };

/**
 * A body that is too large is read on and dropped up to here before the answer: a sender that is answered and cut off
 * in the middle of its request often sees the broken connection alone.
 */
const DROPPED_MAX_BYTES = 8 * BODY_MAX_BYTES;

/** What a signature is checked against. */
export interface WebhookProof {
  readonly secret: string | undefined;
  /** Now, for signatures that carry a time. */
  readonly unixSeconds: number;
}

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
  const verdict = verify(request, body, readProof());
  if (!verdict.ok) return { ...refuse(401, verdict.detail), code: verdict.reason };
  return readCall(body, verdict.messageId);
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
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

type Verdict = { ok: true; messageId: string | undefined } | Exclude<VerifyResult, { ok: true }>;

/**
 * The dialect's own signature has to be right in any case. An arena that signs by Standard Webhooks beside it is held to
 * that too, for it proves when the request was made; but headers of that scheme count for nothing unless they are signed.
 */
function verify(request: IncomingMessage, body: Buffer, { secret, unixSeconds }: WebhookProof): Verdict {
  const plain = verifyTesserax({ secret, signature: headerOf(request, TESSERAX_SIGNATURE_HEADER), body });
  if (!plain.ok) return plain;
  const id = headerOf(request, STANDARD_WEBHOOK_ID_HEADER);
  const timestamp = headerOf(request, STANDARD_WEBHOOK_TIMESTAMP_HEADER);
  const signature = headerOf(request, STANDARD_WEBHOOK_SIGNATURE_HEADER);
  if (id === undefined && timestamp === undefined && signature === undefined) return { ok: true, messageId: undefined };
  const standard = verifyStandardWebhook({ secret, id, timestamp, signature, body, now: unixSeconds });
  if (standard.ok) return { ok: true, messageId: id };
  // A secret without a key of that scheme in it signs nothing by it, so the headers are not the arena's.
  return standard.reason === "no-key" ? { ok: true, messageId: undefined } : standard;
}

function readCall(body: Buffer, messageId: string | undefined): WebhookCall | WebhookRefusal {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (error) {
    const isJson = error instanceof SyntaxError;
    return refuse(400, isJson ? `the body is not JSON: ${error.message}` : "the body is not UTF-8");
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return refuse(400, "the body is JSON, but no object");
  }
  // Pushes name no work. Where the signed message id does, its owner finds the task in the arena by it.
  const named = messageId === undefined ? undefined : parseWorkId(messageId);
  const promptId = String((json as Record<string, unknown>).prompt_id);
  const read = readLenientWork(json, {
    kind: named?.kind ?? "push",
    work_id: named === undefined ? `push-${promptId}` : (messageId as string),
  });
  if (!read.ok) return refuse(400, `the field ${read.field} is missing or not as it has to be`);
  const { work } = read;
  if (work.prompt_id === "") return refuse(400, "the field prompt_id is missing");
  if (work.prompt_id === PING_PROMPT_ID && work.category === PING_CATEGORY) return { type: "ping" };
  return { type: "prompt", work, messageId };
}

/** One that was sent twice is joined, and matches nothing: which of the two counts is not for a sender to leave open. */
function headerOf(request: IncomingMessage, name: string): string | undefined {
  return request.headersDistinct[name]?.join(", ");
}

function refuse(status: number, reason: string): WebhookRefusal {
  return { type: "refused", status, reason };
}
