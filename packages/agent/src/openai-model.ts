import type OpenAI from "openai";
import { AgentError } from "./agent-error.ts";
import { isNode } from "./is-node.ts";
import type { Model, ModelReply, ModelRequest } from "./model.ts";
import type { Posted, postJson } from "./model-post.ts";

/** Which model, and where. */
export interface OpenAiModelOptions {
  /** The model's name, as the endpoint knows it. */
  readonly model: string;
  /** An OpenAI-compatible endpoint, `http://127.0.0.1:11434/v1` for instance; OpenAI's own unless given. */
  readonly baseUrl?: string;
  /** Its key; local endpoints often need none. */
  readonly apiKey?: string;
  /** Left to the endpoint unless given. */
  readonly temperature?: number;
  /** How often a call is made again that met a busy or failing endpoint; 2 by default. */
  readonly retries?: number;
}

/** The endpoint as the openai package sees it, and the quick way to it where there is one. */
interface Endpoint {
  readonly client: OpenAI;
  readonly quick?: { readonly post: typeof postJson; readonly url: string; readonly headers: Record<string, string> };
}

/**
 * Makes a {@link Model} of any OpenAI-compatible endpoint. JSON mode is used as long as the endpoint knows it.
 *
 * On Node the first try goes out without the openai package, with the URL and the headers that it builds: its own work
 * for one call is several times that of the call. Whatever is no plain answer goes to the package, which knows what to
 * make of it: errors, redirects, waiting and trying again.
 */
export function openAiModel(options: OpenAiModelOptions): Model {
  const { model, baseUrl, apiKey = "none", temperature, retries = 2 } = options;
  let endpoint: Endpoint | undefined;
  let loading: Promise<Endpoint> | undefined;
  let hasJsonMode = true;
  // Loaded with the first question: whoever only looks at the help should not wait for it.
  const load = async (): Promise<Endpoint> => {
    const { default: Client } = await import("openai");
    const client = new Client({
      ...{ apiKey, maxRetries: retries },
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    });
    if (!isNode()) return { client };
    const { postJson } = await import("./model-post.ts");
    const { url, req } = await client.buildRequest({ method: "post", path: "/chat/completions", body: {} });
    return { client, quick: { post: postJson, url, headers: Object.fromEntries(req.headers) } };
  };

  const ask = async ({ messages, signal }: ModelRequest, isJson: boolean): Promise<ModelReply> => {
    loading ??= load();
    endpoint ??= await loading;
    const { client, quick } = endpoint;
    const question = {
      model,
      messages: messages.map(({ role, content }) => ({ role, content })),
      ...(temperature === undefined ? {} : { temperature }),
      ...(isJson ? { response_format: { type: "json_object" as const } } : {}),
    };
    if (quick === undefined) return toReply(await client.chat.completions.create(question, { signal }));
    const first: Posted | Error = await quick
      .post(quick.url, quick.headers, JSON.stringify(question), signal)
      .catch((error: Error) => error);
    const completion = readCompletion(first);
    if (completion !== undefined) return toReply(completion);
    signal.throwIfAborted();
    return toReply(
      await client.withOptions({ fetch: fetchAfter(first) }).chat.completions.create(question, { signal }),
    );
  };

  return async (request) => {
    const isJson = request.json === true && hasJsonMode;
    try {
      return await ask(request, isJson);
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      const { status } = error as { status?: number };
      if (!isJson || (status !== 400 && status !== 404 && status !== 422)) throw toError(error);
      // Without JSON mode it is asked once more; where that works and the endpoint named the field, it is not tried again.
      const reply = await ask(request, false).catch((second: unknown) => {
        throw request.signal.aborted ? request.signal.reason : toError(second);
      });
      if (/response_format|json_object|json mode/i.test(String((error as Error).message))) hasJsonMode = false;
      return reply;
    }
  };
}

/** The completion in a plain answer; undefined for everything else. */
function readCompletion(posted: Posted | Error): OpenAI.ChatCompletion | undefined {
  if (posted instanceof Error || posted.status !== 200 || isEncoded(posted)) return undefined;
  try {
    const completion: unknown = JSON.parse(posted.body);
    return typeof completion === "object" && completion !== null ? (completion as OpenAI.ChatCompletion) : undefined;
  } catch {
    return undefined;
  }
}

/** fetch whose first call has been made already. Only what that one could not follow or read is asked for again. */
function fetchAfter(first: Posted | Error): typeof fetch {
  let isFirst = true;
  return async (input, init) => {
    const isKnown = isFirst;
    isFirst = false;
    if (!isKnown) return fetch(input, init);
    if (first instanceof Error) throw first;
    const { status, headers, body } = first;
    if ((status >= 300 && status < 400) || isEncoded(first)) return fetch(input, init);
    const received = new Headers();
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) received.set(name, String(value));
    return new Response(status === 204 ? null : body, { status, headers: received });
  };
}

function isEncoded({ headers }: Posted): boolean {
  return headers["content-encoding"] !== undefined && headers["content-encoding"] !== "identity";
}

function toReply(completion: OpenAI.ChatCompletion): ModelReply {
  const choice = completion.choices?.[0];
  const text = choice?.message?.content;
  if (typeof text !== "string" || text.trim() === "") {
    const refusal = choice?.message?.refusal;
    const why = refusal || (choice?.finish_reason ? `it ended with ${choice.finish_reason}` : "there is none");
    throw new AgentError("model_failed", `the model gave no text: ${why}`);
  }
  const { usage } = completion;
  return {
    text,
    promptTokens: toCount(usage?.prompt_tokens),
    completionTokens: toCount(usage?.completion_tokens),
    modelId: typeof completion.model === "string" && completion.model !== "" ? completion.model : null,
  };
}

function toCount(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : null;
}

function toError(error: unknown): AgentError {
  if (error instanceof AgentError) return error;
  const { status, message, cause } = error as { status?: number; message?: string; cause?: { code?: string } };
  const code = cause?.code === undefined ? "" : ` (${cause.code})`;
  const text =
    status === undefined ? `the model cannot be reached: ${message}${code}` : `the model answered ${message}`;
  return new AgentError("model_failed", text, { cause: error });
}
