import type OpenAI from "openai";
import { AgentError } from "./agent-error.ts";
import { isNode } from "./is-node.ts";
import type { Model, ModelReply, ModelRequest } from "./model.ts";

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

/** Makes a {@link Model} of any OpenAI-compatible endpoint. JSON mode is used as long as the endpoint knows it. */
export function openAiModel(options: OpenAiModelOptions): Model {
  const { model, baseUrl, apiKey = "none", temperature, retries = 2 } = options;
  let client: Promise<OpenAI> | undefined;
  let hasJsonMode = true;
  // Loaded with the first question: whoever only looks at the help should not wait for it.
  const load = async () => {
    const [{ default: Client }, transport] = await Promise.all([
      import("openai"),
      isNode() ? import("./node-fetch.ts").then(({ nodeFetch }) => ({ fetch: nodeFetch })) : {},
    ]);
    return new Client({
      apiKey,
      maxRetries: retries,
      ...transport,
      ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    });
  };

  const ask = async ({ messages, signal }: ModelRequest, isJson: boolean): Promise<ModelReply> => {
    client ??= load();
    const completion = await (await client).chat.completions.create(
      {
        model,
        messages: messages.map(({ role, content }) => ({ role, content })),
        ...(temperature === undefined ? {} : { temperature }),
        ...(isJson ? { response_format: { type: "json_object" as const } } : {}),
      },
      { signal },
    );
    return toReply(completion);
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
