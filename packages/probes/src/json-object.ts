import { cleanText, isPlainObject, truncateUtf8 } from "@agon/protocol";

/** A body as a JSON object, or what it is instead: a sentence, and another one on what to change. */
export type ObjectReading =
  | { ok: true; value: Record<string, unknown> }
  | { ok: false; detail: string; advice: string };

const EXCERPT_MAX_BYTES = 2_000;

/** Drops a byte order mark; throws on anything that is not UTF-8. */
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a body as a JSON object, whatever media type it claims. */
export function readJsonObject(body: Uint8Array): ObjectReading {
  const text = decode(body);
  if (text === undefined) return wrong("The body is not UTF-8.", "Send the JSON as UTF-8.");
  if (text.trim() === "") return wrong("The body is empty.", "Answer with a JSON object; {} is one.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (/^\s*</.test(text)) {
      return wrong(
        `The body is a web page or markup${titleOf(text)}, not JSON.`,
        "Register the address of the agent itself: a login, a tunnel's warning or a proxy's error page answered.",
      );
    }
    return wrong(
      `The body is not JSON: ${(error as Error).message.slice(0, 200)}.`,
      "Answer with a JSON object and nothing around it, neither fences nor prose.",
    );
  }
  if (isPlainObject(value)) return { ok: true, value };
  const found = value === null ? "null" : Array.isArray(value) ? "an array" : `a bare ${typeof value}`;
  return wrong(`The body is JSON, but ${found}.`, "Answer with a JSON object, { … }.");
}

/** The beginning of a JSON object, to be shown; null for every other body. */
export function toExcerpt(body: Uint8Array): string | null {
  if (!readJsonObject(body).ok) return null;
  return truncateUtf8(cleanText(decode(body) as string), EXCERPT_MAX_BYTES, " …");
}

function decode(body: Uint8Array): string | undefined {
  try {
    return utf8.decode(body);
  } catch {
    return undefined;
  }
}

function titleOf(text: string): string {
  const title = /<title[^>]*>([^<]{1,200})/i.exec(text.slice(0, 20_000))?.[1]?.replaceAll(/\s+/g, " ").trim();
  return title ? ` titled “${cleanText(title.slice(0, 100))}”` : "";
}

function wrong(detail: string, advice: string): ObjectReading {
  return { ok: false, detail, advice };
}
