import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";

/** What came back of a question to a model, whole. */
export interface Posted {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The signal of a question says how long it may take; a model that thinks for minutes is nothing unusual. */
const PATIENT = { headersTimeout: 0, bodyTimeout: 0 };
/** A server that closes a connection after this many seconds is nothing unusual either, and says so seldom. */
const KEPT = { keepAliveTimeout: 4_000 };
const connections =
  process.env.NODE_USE_ENV_PROXY === "1"
    ? new EnvHttpProxyAgent({ ...PATIENT, ...KEPT })
    : new Agent({ ...PATIENT, ...KEPT });

/**
 * Posts JSON text over kept connections and reads the answer whole: one small body each way, for which the objects and
 * streams of fetch, and of undici's own `request`, cost more than everything around them.
 */
export function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Posted> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const chunks: Buffer[] = [];
    let answer: Omit<Posted, "body"> | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    const end = (conclude: () => void) => {
      signal.removeEventListener("abort", onAbort);
      conclude();
    };
    // It may still wait for a connection; then it is called off as soon as it gets one.
    const onAbort = () => {
      controller?.abort(signal.reason);
      end(() => reject(signal.reason));
    };
    signal.addEventListener("abort", onAbort);
    const { origin, pathname, search } = toTarget(url);
    connections.dispatch(
      { origin, path: pathname + search, method: "POST", headers, body },
      {
        onRequestStart(started) {
          controller = started;
          if (signal.aborted) started.abort(signal.reason);
        },
        onResponseStart(_controller, status, received) {
          if (status >= 200) answer = { status, headers: received };
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd() {
          end(() => resolve({ ...(answer as Omit<Posted, "body">), body: utf8.decode(Buffer.concat(chunks)) }));
        },
        onResponseError(_controller, error) {
          end(() => reject(error));
        },
      },
    );
  });
}

/** Drops a byte order mark, as every reader of an answer does. */
const utf8 = new TextDecoder();

let target: { url: string; parsed: URL } | undefined;

/** A model's URL is the same for every question. */
function toTarget(url: string): URL {
  if (target?.url !== url) target = { url, parsed: new URL(url) };
  return target.parsed;
}
