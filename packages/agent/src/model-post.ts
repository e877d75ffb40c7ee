import { Agent, EnvHttpProxyAgent, request } from "undici";

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
 * streams of fetch cost more than everything around them.
 */
export async function postJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Posted> {
  const answer = await request(url, { method: "POST", headers, body, signal, dispatcher: connections });
  return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
}
