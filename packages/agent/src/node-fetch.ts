import { Agent, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps, Agent as SecureAgent } from "node:https";

const plain = new Agent({ keepAlive: true });
const secure = new SecureAgent({ keepAlive: true });

/**
 * fetch for calls of a model, over Node's own client: a small body goes out and a small one comes back whole, and for
 * that the streams of the real fetch cost more than everything around them. What it does not know is left to the real one.
 */
export const nodeFetch: typeof fetch = async (input, init = {}) => {
  const { method = "GET", body, signal } = init;
  const isKnown = typeof input === "string" && (body === undefined || body === null || typeof body === "string");
  if (!isKnown || !/^https?:/.test(input)) return fetch(input, init);
  const headers = Object.fromEntries(new Headers(init.headers));
  if (typeof body === "string") headers["content-length"] = String(Buffer.byteLength(body));
  const isSecure = input.startsWith("https:");
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { method, headers, agent: isSecure ? secure : plain, ...(signal ? { signal } : {}) };
    const call = (isSecure ? requestHttps : requestHttp)(input, options, resolve);
    call.on("error", reject).end(body ?? undefined);
  });
  const { statusCode: status = 0 } = answer;
  if (status >= 300 && status < 400) {
    answer.destroy();
    return fetch(input, init);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  const received = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value !== undefined) received.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? Buffer.concat(chunks) : null, { status, headers: received });
};
