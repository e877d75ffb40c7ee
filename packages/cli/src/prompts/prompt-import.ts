import { ArenaError, requestArena } from "@agon/agent";
import type { PromptInput } from "@agon/arena";
import * as z from "zod";
import { guessFormat, PROMPT_FORMATS } from "./prompt-formats.ts";
import { type PromptFault, type PromptRecord, readPromptFile } from "./prompt-records.ts";

/** A file that was read. */
export interface ReadFile {
  readonly path: string;
  readonly format: string;
  /** It was not named but recognised. */
  readonly isGuessed: boolean;
  readonly prompts: number;
}

/** What some files hold: all prompts in order, each with its place, and every fault. */
export interface ReadFiles {
  readonly files: readonly ReadFile[];
  readonly prompts: readonly { readonly place: string; readonly input: PromptInput }[];
  readonly faults: readonly PromptFault[];
}

/** What the arena made of an import. */
export interface Imported {
  readonly received: number;
  readonly added: number;
  /** There already, by their external_id. */
  readonly skipped: number;
}

type ParsePrompt = (value: unknown, place: string) => PromptInput;

/**
 * Reads files of prompts, of one format or each of the one it looks like, and judges every prompt by the arena's rules.
 *
 * @param options.parse the arena's own reader of a prompt, whose errors begin with the place
 * @throws Error for a file that cannot be read at all
 */
export async function readPrompts(
  paths: readonly string[],
  options: { format?: string | undefined; set?: string | undefined; parse: ParsePrompt },
): Promise<ReadFiles> {
  const files: ReadFile[] = [];
  const prompts: { place: string; input: PromptInput }[] = [];
  const faults: PromptFault[] = [];
  for (const path of paths) {
    const entries = await readPromptFile(path);
    if (entries.length === 0) faults.push({ place: path, reason: "it holds no prompts" });
    const first = entries.find((entry) => "value" in entry);
    const name = options.format ?? guessFormat(first?.value);
    const format = name === undefined ? undefined : PROMPT_FORMATS[name];
    if (name === undefined || format === undefined) {
      faults.push(...entries.filter((entry) => "reason" in entry));
      if (first !== undefined)
        faults.push({ place: first.place, reason: "it looks like no known format; see --format" });
      continue;
    }
    const convert = (value: unknown) => format.convert(value, options.set ?? format.set);
    for (const entry of entries) {
      const read = "value" in entry ? readRecord(entry, convert, options.parse) : entry;
      if ("input" in read) prompts.push(read);
      else faults.push(read);
    }
    files.push({ path, format: name, isGuessed: options.format === undefined, prompts: entries.length });
  }
  return { files, prompts, faults };
}

function readRecord(
  { place, value }: PromptRecord,
  convert: (value: unknown) => unknown,
  parse: ParsePrompt,
): { place: string; input: PromptInput } | PromptFault {
  try {
    return { place, input: parse(convert(value), "record") };
  } catch (error) {
    return { place, reason: (error as Error).message.replace(/^record: /, "") };
  }
}

/** The most that an arena reads in one request, in bytes. */
const UPLOAD_MAX_BYTES = 32 * 1024 * 1024;

const importedSchema = z.object({ received: z.int(), added: z.int(), skipped: z.int() });

/**
 * Sends prompts in one request, which the arena takes whole or not at all.
 *
 * @throws ArenaError when it does not; what it says about an item is said with the item's place
 */
export async function sendPrompts(
  prompts: ReadFiles["prompts"],
  arena: { baseUrl: string; adminKey: string },
): Promise<Imported> {
  const { baseUrl, adminKey } = arena;
  const body = prompts.map(({ input }) => input);
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > UPLOAD_MAX_BYTES) {
    const size = `${Math.ceil(bytes / 2 ** 20)} MiB`;
    throw new Error(`All prompts together are ${size}; an arena takes 32 MiB at a time. Import fewer files at once.`);
  }
  const answer = await requestArena({
    baseUrl,
    path: "/api/admin/prompts",
    method: "POST",
    headers: { authorization: `Bearer ${adminKey}` },
    body,
    timeoutMs: 300_000,
  }).catch((error: unknown) => {
    throw error instanceof ArenaError ? toPlacedError(error, prompts) : error;
  });
  const imported = importedSchema.safeParse(answer.body);
  if (imported.success) return imported.data;
  throw new ArenaError("not-arena", `${baseUrl} answered, but not with the result of an import`);
}

/** An arena of another version may have other rules; it counts the items of the request, which nobody can look up. */
function toPlacedError(error: ArenaError, prompts: ReadFiles["prompts"]): ArenaError {
  const { kind, detail, status, code, requestId, retryAfterMs, cause } = error;
  const item = /^item (\d+): /.exec(detail);
  const place = item === null ? undefined : prompts[Number(item[1]) - 1]?.place;
  const placed = item === null || place === undefined ? detail : `${place}: ${detail.slice(item[0].length)}`;
  const nextStep =
    status === 401 || status === 403 ? "Importing needs the operator's key: --admin-key or AGON_ADMIN_KEY." : undefined;
  return new ArenaError(kind, placed, { status, code, requestId, retryAfterMs, cause, nextStep });
}
