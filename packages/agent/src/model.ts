import type { ChatMessage } from "@agon/protocol";

/** One question to a model. */
export interface ModelRequest {
  /** Go to the model as they are. */
  readonly messages: readonly (ChatMessage | { readonly role: "assistant"; readonly content: string })[];
  /** Asks for a JSON object, where the endpoint knows how. */
  readonly json?: boolean;
  /** Gives the call up. */
  readonly signal: AbortSignal;
}

/** What a model said, and what it reported about it; null is what it did not report. */
export interface ModelReply {
  readonly text: string;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly modelId: string | null;
}

/** A model, wherever it runs. `openAiModel` makes one for any OpenAI-compatible endpoint. */
export type Model = (request: ModelRequest) => Promise<ModelReply>;

/** Tokens and model of the calls that made one answer; null where no call reported any. */
export interface Usage {
  promptTokens: number | null;
  completionTokens: number | null;
  modelId: string | null;
}

/** Adds what one call reported to what the others did: both calls of a repair are paid for. The last model's name stays. */
export function addUsage(total: Usage, added: Partial<Usage>): void {
  total.promptTokens = sum(total.promptTokens, added.promptTokens);
  total.completionTokens = sum(total.completionTokens, added.completionTokens);
  total.modelId = added.modelId ?? total.modelId;
}

function sum(total: number | null, added: number | null | undefined): number | null {
  return added === undefined || added === null ? total : (total ?? 0) + added;
}
