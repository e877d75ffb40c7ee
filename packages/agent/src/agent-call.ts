import type { Work } from "@agon/protocol";
import type { ReadHeader } from "./webhook-body.ts";

/** A request as every platform can hand it over. */
export interface AgentCall {
  readonly method: string;
  /** The URL as this side sees it, host and path included. */
  readonly url: string;
  readonly header: ReadHeader;
  /** The raw bytes, or undefined when there are more than are read. Rejects when the request breaks off. */
  readonly readBody: () => Promise<Uint8Array | undefined>;
  /** Aborts when the caller is gone. */
  readonly gone: AbortSignal;
}

/** What goes back. `body` is JSON text. */
export interface AgentReply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The work that this is the outcome of, where it is one. */
  readonly outcome?: { readonly work: Work; readonly result: "response" | "error" };
}

/** Builds a reply. */
export function toReply(status: number, body: object, headers?: Readonly<Record<string, string>>): AgentReply {
  return { status, body: JSON.stringify(body), ...(headers === undefined ? {} : { headers }) };
}
