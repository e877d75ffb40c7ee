import {
  COMPLETION_OUTPUT_MAX_BYTES,
  jsonBytes,
  KIND_PHASE,
  parseOutput,
  type RunKind,
  readAnswerReport,
  toStorableJson,
} from "@agon/protocol";

/** A valid output as JSON text, with what the agent reported about making it. */
export interface RoleAnswer {
  outcome: "completed";
  response: string;
  promptTokens: number | undefined;
  completionTokens: number | undefined;
  modelId: string | undefined;
  note: string | undefined;
}

/** An output that no run can use: what is wrong with it, and what its maker may change. */
export interface WrongOutput {
  outcome: "failed";
  cause: "invalid";
  detail: string;
  advice: string;
}

/**
 * Judges an output, however it came. Only the output decides; counts and model id that cannot be read are unknown.
 *
 * @param report the object that carries the counts and the model id
 */
export function judgeOutput(
  output: unknown,
  report: Record<string, unknown>,
  task: { kind: RunKind; candidateId: string | null },
): RoleAnswer | WrongOutput {
  const phase = KIND_PHASE[task.kind];
  const parsed = parseOutput(phase, output, task.candidateId);
  if (!parsed.ok) {
    const detail = `The output is not one of ${phase}: ${sentence(parsed.detail)}`;
    return wrong(detail, `Change ${parsed.field} of the output as the schema of ${phase} says.`);
  }
  if (jsonBytes(output) > COMPLETION_OUTPUT_MAX_BYTES) {
    const detail = `The output is larger than ${COMPLETION_OUTPUT_MAX_BYTES} bytes of JSON.`;
    return wrong(detail, "Send a shorter output.");
  }
  // What was sent, not what the schema made of it: unknown fields are the agent's own and stay.
  const response = toStorableJson(output) as string;
  const { promptTokens, completionTokens, modelId, notes } = readAnswerReport(report);
  return {
    outcome: "completed",
    response,
    promptTokens: promptTokens ?? undefined,
    completionTokens: completionTokens ?? undefined,
    modelId: modelId ?? undefined,
    note: notes.length > 0 ? notes.map(sentence).join(" ") : undefined,
  };
}

function wrong(detail: string, advice: string): WrongOutput {
  return { outcome: "failed", cause: "invalid", detail, advice };
}

/** A complaint as a sentence. Field names begin some of them and keep their spelling. */
export function sentence(text: string): string {
  const begun = text.startsWith("the ") ? `T${text.slice(1)}` : text;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}
