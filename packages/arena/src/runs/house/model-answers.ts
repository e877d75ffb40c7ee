import { type ChatMessage, type DispatchPayload, parseOutput } from "@agon/protocol";
import type OpenAI from "openai";
import { readModelJson } from "./model-json.ts";

/** An OpenAI-compatible endpoint and the model to ask there. */
export interface ModelSettings {
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
}

export interface ModelAnswer {
  /** The output in shape; undefined when the model gave none, not when asked again either. */
  output: unknown;
  complaint: string | undefined;
  promptTokens: number | undefined;
  completionTokens: number | undefined;
  modelId: string;
}

/** Longest answer that is looked at; scanning a longer one for an object would hold everybody up. */
const ANSWER_MAX_LENGTH = 400_000;

/** Asks a model for the answer to a dispatch, with its messages as they are; once more with the complaint if it is not in shape. */
export function createModelAnswers(
  settings: ModelSettings,
): (payload: DispatchPayload, signal: AbortSignal) => Promise<ModelAnswer> {
  let client: Promise<OpenAI> | undefined;
  const connect = async () => {
    // Loaded when first needed: it is large, and most arenas ask no model.
    const { OpenAI } = await import("openai");
    return new OpenAI({ baseURL: settings.baseUrl, apiKey: settings.apiKey ?? "none", maxRetries: 0 });
  };

  return async (payload, signal) => {
    client ??= connect();
    const openai = await client;
    const messages: (ChatMessage | { role: "assistant"; content: string })[] = [...payload.messages];
    let promptTokens: number | undefined;
    let completionTokens: number | undefined;
    let modelId = settings.model;
    for (let attempt = 1; ; attempt += 1) {
      const completion = await openai.chat.completions.create({ model: settings.model, messages }, { signal });
      // Both completions are paid for, so both are counted.
      promptTokens = add(promptTokens, completion.usage?.prompt_tokens);
      completionTokens = add(completionTokens, completion.usage?.completion_tokens);
      modelId = completion.model || settings.model;
      const text = completion.choices[0]?.message?.content ?? "";
      const value = text.length > ANSWER_MAX_LENGTH ? undefined : readModelJson(text);
      const parsed = parseOutput(payload.phase, withCandidate(value, payload), payload.candidateId);
      const report = { promptTokens, completionTokens, modelId };
      if (parsed.ok) return { ...report, output: parsed.output, complaint: undefined };
      if (attempt === 2) return { ...report, output: undefined, complaint: parsed.detail };
      messages.push(
        { role: "assistant", content: text.slice(0, ANSWER_MAX_LENGTH) },
        {
          role: "user",
          content: `That answer was refused: ${parsed.detail}. Return the whole JSON object again, corrected.`,
        },
      );
    }
  };
}

/** Models make up ids; the one that was dispatched is the one that is meant. */
function withCandidate(value: unknown, { candidateId }: DispatchPayload): unknown {
  if (candidateId === null || typeof value !== "object" || value === null) return value;
  return { ...value, candidate_id: candidateId };
}

function add(sum: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? sum : (sum ?? 0) + more;
}
