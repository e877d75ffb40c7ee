import { createHash } from "node:crypto";
import * as z from "zod";

/** How a public set of prompts writes one record, and what it is here. */
interface PromptFormat {
  /** Names the set in ids and as the source. */
  readonly set: string;
  /** Whether a record looks like one of this format. */
  readonly fits: (record: Readonly<Record<string, unknown>>) => boolean;
  /** A record in the form that the arena takes; throws an Error that names the field that is not as it has to be. */
  readonly convert: (record: unknown, set: string) => Record<string, unknown>;
}

const text = z.string().refine((value) => value.trim() !== "", "must not be blank");
const id = z.union([z.string().min(1), z.number()]).transform(String);
const turn = z.union([text, z.looseObject({ content: text }).transform(({ content }) => content)]);

const agon: PromptFormat = {
  set: "agon",
  fits: (record) => typeof record.prompt === "string",
  // Without an id of its own a prompt is known by its text, or the same file would be added twice.
  convert: (record) => {
    const fields = read(z.looseObject({ prompt: text, external_id: z.unknown().optional() }), record);
    return { ...fields, external_id: fields.external_id || `text-${digest(fields.prompt)}` };
  },
};

/** Two-turn questions: the second turn is about the answer to the first, and nobody here would have given that. */
const mtBench: PromptFormat = {
  set: "mt-bench",
  fits: (record) => "question_id" in record && isTexts(record.turns),
  convert: (record, set) => {
    const shape = z.looseObject({
      question_id: id,
      category: text,
      turns: z.array(text).min(1),
      reference: z.array(z.string()).nullish(),
    });
    const { question_id, category, turns, reference } = read(shape, record);
    return {
      external_id: `${set}-${question_id}`,
      prompt: turns[0],
      category,
      source: set,
      ...(reference?.[0]?.trim() ? { reference: reference[0].trim() } : {}),
    };
  },
};

const arenaHard: PromptFormat = {
  set: "arena-hard",
  fits: (record) => ("uid" in record && "prompt" in record) || ("question_id" in record && "cluster" in record),
  convert: (record, set) => {
    const shape = z
      .looseObject({
        uid: id.optional(),
        question_id: id.optional(),
        category: text,
        prompt: text.optional(),
        turns: z.array(turn).min(1).optional(),
      })
      .refine((fields) => fields.uid ?? fields.question_id, { path: ["uid"], error: "is missing" })
      .refine((fields) => fields.prompt ?? fields.turns, { path: ["prompt"], error: "is missing" });
    const { uid, question_id, category, prompt, turns } = read(shape, record);
    return { external_id: `${set}-${uid ?? question_id}`, prompt: prompt ?? turns?.[0], category, source: set };
  },
};

/** No check: its tests are programs, and an arena runs nobody's code. */
const humaneval: PromptFormat = {
  set: "humaneval",
  fits: (record) => "task_id" in record && "entry_point" in record,
  convert: (record, set) => {
    const shape = z.looseObject({ task_id: id, prompt: text, canonical_solution: text.nullish() });
    const { task_id, prompt, canonical_solution } = read(shape, record);
    const number = /^HumanEval\/(\d+)$/.exec(task_id)?.[1] ?? task_id;
    return {
      external_id: `${set}-${number}`,
      prompt: `Complete this Python function. Reply with the whole function in one code block, imports included.\n\n\`\`\`python\n${prompt.trimEnd()}\n\`\`\``,
      category: "coding",
      source: set,
      ...(canonical_solution ? { reference: canonical_solution } : {}),
    };
  },
};

const gsm8k: PromptFormat = {
  set: "gsm8k",
  fits: (record) => typeof record.question === "string" && typeof record.answer === "string",
  convert: (record, set) => {
    const { question, answer } = read(z.looseObject({ question: text, answer: text }), record);
    return {
      external_id: `${set}-${digest(question)}`, // its records have no ids, and their order is no name
      prompt: `${question.trim()}\n\nEnd your reply with the result as a number, alone on the last line.`,
      category: "math",
      source: set,
      check: { kind: "number", value: readResult(answer) },
      reference: answer.replace(/<<[^<>]*>>/g, ""),
    };
  },
};

/** Every format, those with more marks of their own first: the plainest fits almost anything. */
export const PROMPT_FORMATS: Readonly<Record<string, PromptFormat>> = {
  humaneval,
  gsm8k,
  "mt-bench": mtBench,
  "arena-hard": arenaHard,
  agon,
};

/** The name of the format that a record looks like; undefined for none. */
export function guessFormat(record: unknown): string | undefined {
  if (typeof record !== "object" || record === null || Array.isArray(record)) return undefined;
  return Object.entries(PROMPT_FORMATS).find(([, { fits }]) => fits(record as Record<string, unknown>))?.[0];
}

function read<Shape extends z.ZodType>(shape: Shape, record: unknown): z.output<Shape> {
  const parsed = shape.safeParse(record);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${issue?.path.join(".") || "it"}: ${issue?.message}`);
}

function readResult(answer: string): number {
  const result = answer.split("####").at(-1)?.trim().replaceAll(",", "") ?? "";
  if (answer.includes("####") && /^-?\d+(?:\.\d+)?$/.test(result)) return Number(result);
  throw new Error("answer: does not end with #### and a number");
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === "string";
}

function digest(content: string): string {
  return createHash("sha256").update(content.trim()).digest("hex").slice(0, 16);
}
