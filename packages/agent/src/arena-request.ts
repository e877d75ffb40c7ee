import { ArenaError } from "./arena-error.ts";
import { toNetworkError } from "./network-error.ts";
import { parseRetryAfter } from "./retry-after.ts";

/** One call to an arena. */
export interface ArenaRequest {
  /** Root of the arena, as `parseBaseUrl` returns it. */
  readonly baseUrl: string;
  /** Path below the root, with query: `/api/version`. */
  readonly path: string;
  /** `GET` unless given. */
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Sent with the call; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. Without it there is no body and no content type. */
  readonly body?: unknown;
  /** Sent as JSON that is written already, byte for byte, where these bytes are signed. Goes before `body`. */
  readonly text?: string;
  /** Milliseconds for the whole exchange, the answer's body included; 30,000 unless given. */
  readonly timeoutMs?: number;
  /** Gives the call up; the promise then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The platform's unless given. */
  readonly fetch?: typeof fetch | undefined;
}

/** What an arena answered with a 2xx. */
export interface ArenaAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON, undefined for an empty body. */
  readonly body: unknown;
}

/**
 * Calls an arena and reads its JSON. Redirects are not followed: the secret in the headers would travel with them.
 *
 * @throws ArenaError for everything but a 2xx with JSON or nothing in it; the signal's reason when that aborts
 */
export async function requestArena(request: ArenaRequest): Promise<ArenaAnswer> {
  const { baseUrl, path, method = "GET", headers = {}, body, timeoutMs = 30_000, signal } = request;
  const text = request.text ?? (body === undefined ? undefined : JSON.stringify(body));
  // Not AbortSignal.timeout, which would keep each request for its whole time, however soon the answer comes.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), timeoutMs);
  const send = request.fetch ?? fetch;
  let response: Response;
  let bytes: ArrayBuffer;
  try {
    response = await send(baseUrl + path, {
      method,
      redirect: "manual",
      signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
      headers: {
        accept: "application/json",
        "user-agent": "agon",
        ...(text === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    });
    bytes = await response.arrayBuffer();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (timeout.signal.aborted) {
      throw new ArenaError("timeout", `${baseUrl} did not answer within ${Math.round(timeoutMs / 1_000)} s`, { cause });
    }
    throw toNetworkError(baseUrl, cause);
  } finally {
    clearTimeout(timer);
  }
  return readAnswer(baseUrl, response, bytes);
}

function readAnswer(baseUrl: string, response: Response, bytes: ArrayBuffer): ArenaAnswer {
  const { status, headers } = response;
  const retryAfterMs = parseRetryAfter(headers.get("retry-after"), Date.now());
  if (status >= 300 && status < 400) throw toRedirectError(baseUrl, status, headers.get("location"));

  const { isJson, body } = parseBody(bytes);
  if (response.ok) {
    if (!isJson) throw toPageError(baseUrl, status);
    return { status, headers, body };
  }
  const detail = readDetail(body) ?? `the arena answered ${status}`;
  const [code, requestId] = [readText(body, "code"), readText(body, "request_id")];
  const options = { status, code, requestId, retryAfterMs };
  if (status === 429) throw new ArenaError("busy", readDetail(body) ?? "rate limited", options);
  if (status === 408 || status === 425) throw new ArenaError("busy", detail, options);
  if (status >= 500) throw new ArenaError("unavailable", detail, options);
  if (!isJson) throw toPageError(baseUrl, status);
  throw new ArenaError("refused", detail, options);
}

function parseBody(bytes: ArrayBuffer): { isJson: boolean; body?: unknown } {
  if (bytes.byteLength === 0) return { isJson: true, body: undefined };
  try {
    return { isJson: true, body: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return { isJson: false };
  }
}

function toRedirectError(baseUrl: string, status: number, location: string | null): ArenaError {
  const target = location !== null && URL.canParse(location, baseUrl) ? new URL(location, baseUrl).origin : undefined;
  const detail = `${baseUrl} redirects${target === undefined ? "" : ` to ${target}`} (${status})`;
  const nextStep = "Redirects are not followed, because the agent's secret would go with them. Use the final address.";
  return new ArenaError("not-arena", detail, { status, nextStep });
}

function toPageError(baseUrl: string, status: number): ArenaError {
  const isBlocked = status === 401 || status === 403;
  const nextStep = isBlocked
    ? "Something in front of the arena asks for a browser (a bot check or a login). Its operator has to let the API through."
    : "Is the base URL right? It is the address of the arena itself, without a page's path.";
  return new ArenaError("not-arena", `${baseUrl} answered ${status} with something that is not JSON`, {
    status,
    nextStep,
  });
}

/** The sentence in an error body: problem details, `{ detail }`, or the lists that some frameworks send as detail. */
function readDetail(body: unknown): string | undefined {
  const detail = ownValue(body, "detail");
  if (Array.isArray(detail)) {
    const messages = detail.flatMap((item) => readText(item, "msg") ?? readText(item, "detail") ?? []);
    if (messages.length > 0) return messages.join("; ");
  }
  return readText(body, "detail") ?? readText(body, "message") ?? readText(body, "title");
}

function readText(body: unknown, name: string): string | undefined {
  const value = ownValue(body, name);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function ownValue(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, name)) return undefined;
  return (body as Record<string, unknown>)[name];
}
