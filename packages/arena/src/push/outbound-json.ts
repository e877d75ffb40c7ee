import { headerOf, type ResponseHeaders } from "./outbound-result.ts";

/** The parsed value, or what the bytes are instead, in a sentence for their sender. */
export type JsonReading =
  | { ok: true; value: unknown }
  | { ok: false; reason: "empty" | "not-utf8" | "html" | "not-json"; detail: string };

/** A leading byte order mark is dropped by this decoder; anything that is not UTF-8 throws. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads an answer's body as JSON, whatever media type it claims. JSON between systems is UTF-8: bytes that are not, or
 * that are declared as something else, are refused, since a guess would store other text than was sent.
 */
export function readJsonBody(body: Buffer, headers: ResponseHeaders): JsonReading {
  const contentType = headerOf(headers, "content-type") ?? "";
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return failure(
      "not-utf8",
      `The body is declared as ${charset.slice(0, 40)}, not UTF-8. JSON has to be sent as UTF-8.`,
    );
  }
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return failure("not-utf8", "The body is not UTF-8. JSON has to be sent as UTF-8.");
  }
  if (text.trim() === "") return failure("empty", "The body is empty, and a JSON object is needed.");
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (isHtml(text, contentType)) return failure("html", describePage(text));
    return failure("not-json", `The body is not JSON: ${(error as Error).message}.`);
  }
}

/** Whether a JSON value is an object; arrays and null are not. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function failure(reason: Exclude<JsonReading, { ok: true }>["reason"], detail: string): JsonReading {
  return { ok: false, reason, detail };
}

function isHtml(text: string, contentType: string): boolean {
  return /^\s*text\/html\b|^\s*application\/xhtml/i.test(contentType) || /^\s*<(!doctype|html|head|body)\b/i.test(text);
}

/** The title is what tells a login page from a tunnel's warning or a proxy's error page. */
function describePage(text: string): string {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(text.slice(0, 20_000))?.[1]?.replaceAll(/\s+/g, " ").trim();
  const named = title ? ` titled “${title.slice(0, 100)}”` : "";
  return `The body is an HTML page${named}, as logins, tunnels and error pages send it, and not the agent's JSON.`;
}
