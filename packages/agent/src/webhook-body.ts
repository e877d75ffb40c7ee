import {
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

/** What a signature is checked against. */
export interface WebhookProof {
  readonly secret: string | undefined;
  /** Now, for signatures that carry a time. */
  readonly unixSeconds: number;
}

/** Reads a header by its lower-case name; one that was sent twice comes joined, and matches nothing. */
export type ReadHeader = (name: string) => string | undefined;

/** Reads the bytes that an arena posted: signature first, and only then JSON. */
export function readWebhookBody(
  body: Uint8Array,
  header: ReadHeader,
  proof: WebhookProof,
): WebhookCall | WebhookRefusal {
  const verdict = verify(header, body, proof);
  if (!verdict.ok) return { ...refuse(401, verdict.detail), code: verdict.reason };
  return readCall(body, verdict.messageId);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** JSON text out of bytes, or why there is none. */
export function parseJsonBody(
  body: Uint8Array,
): { ok: true; json: Record<string, unknown> } | (WebhookRefusal & { ok: false }) {
  let json: unknown;
  try {
    json = JSON.parse(utf8.decode(body));
  } catch (error) {
    const isJson = error instanceof SyntaxError;
    return { ok: false, ...refuse(400, isJson ? `the body is not JSON: ${error.message}` : "the body is not UTF-8") };
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return { ok: false, ...refuse(400, "the body is JSON, but no object") };
  }
  return { ok: true, json: json as Record<string, unknown> };
}

/** Builds a {@link WebhookRefusal}. */
export function refuse(status: number, reason: string): WebhookRefusal {
  return { type: "refused", status, reason };
}

type Verdict = { ok: true; messageId: string | undefined } | Exclude<VerifyResult, { ok: true }>;

/**
 * The dialect's own signature has to be right in any case. An arena that signs by Standard Webhooks beside it is held to
 * that too, for it proves when the request was made; but headers of that scheme count for nothing unless they are signed.
 */
function verify(header: ReadHeader, body: Uint8Array, { secret, unixSeconds }: WebhookProof): Verdict {
  const plain = verifyTesserax({ secret, signature: header(TESSERAX_SIGNATURE_HEADER), body });
  if (!plain.ok) return plain;
  const id = header(STANDARD_WEBHOOK_ID_HEADER);
  const timestamp = header(STANDARD_WEBHOOK_TIMESTAMP_HEADER);
  const signature = header(STANDARD_WEBHOOK_SIGNATURE_HEADER);
  if (id === undefined && timestamp === undefined && signature === undefined) return { ok: true, messageId: undefined };
  const standard = verifyStandardWebhook({ secret, id, timestamp, signature, body, now: unixSeconds });
  if (standard.ok) return { ok: true, messageId: id };
  // A secret without a key of that scheme in it signs nothing by it, so the headers are not the arena's.
  return standard.reason === "no-key" ? { ok: true, messageId: undefined } : standard;
}

function readCall(body: Uint8Array, messageId: string | undefined): WebhookCall | WebhookRefusal {
  const parsed = parseJsonBody(body);
  if (!parsed.ok) return parsed;
  const { json } = parsed;
  // Pushes name no work. Where the signed message id does, its owner finds the task in the arena by it.
  const named = messageId === undefined ? undefined : parseWorkId(messageId);
  const promptId = String(json.prompt_id);
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
