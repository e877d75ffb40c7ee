import { ProblemError } from "@agon/protocol";
import type { Db } from "../db/database.ts";
import { type PromptInput, readPromptFile } from "./prompt-input.ts";
import { findKnown } from "./prompt-queries.ts";

/** Faults that are listed; a file of another format has one in each line, and nobody reads a thousand. */
const FAULTS_SHOWN = 100;

/** What an import of a file would do. */
export interface ImportPreview {
  received: number;
  added: number;
  skipped: number;
  broken: number;
  faults: { place: string; detail: string }[];
  /** Without an external_id, and with the text of a prompt that is there: they would be there twice. */
  repeated: number;
  /** Of those that would be added, by category. */
  categories: { category: string; prompts: number; checked: number }[];
}

/** Looks a file through as an import does, and stores nothing. */
export async function previewImport(db: Db, text: string): Promise<ImportPreview> {
  const inputs: PromptInput[] = [];
  const faults: ImportPreview["faults"] = [];
  let received = 0;
  for (const { place, read } of readPromptFile(text)) {
    received += 1;
    if (read instanceof ProblemError) faults.push({ place, detail: withoutPlace(read.detail, place) });
    else inputs.push(read);
  }
  const named = inputs.flatMap(({ external_id: id }) => (id === undefined ? [] : [id]));
  const unnamed = inputs.flatMap(({ external_id: id, prompt }) => (id === undefined ? [prompt] : []));
  const known = await findKnown(db, named, unnamed);
  let added = 0;
  let repeated = 0;
  const categories = new Map<string, { category: string; prompts: number; checked: number }>();
  for (const { external_id: id, prompt, category, check } of inputs) {
    if (id !== undefined) {
      if (known.externalIds.has(id)) continue;
      known.externalIds.add(id);
    } else {
      if (known.texts.has(prompt)) repeated += 1;
      known.texts.add(prompt);
    }
    added += 1;
    const counted = categories.get(category) ?? { category, prompts: 0, checked: 0 };
    counted.prompts += 1;
    if (check !== undefined) counted.checked += 1;
    categories.set(category, counted);
  }
  return {
    received,
    added,
    skipped: inputs.length - added,
    broken: faults.length,
    faults: faults.slice(0, FAULTS_SHOWN),
    repeated,
    categories: [...categories.values()].sort((a, b) => b.prompts - a.prompts),
  };
}

function withoutPlace(detail: string, place: string): string {
  return detail.startsWith(place) ? detail.slice(place.length).replace(/^:? /, "") : detail;
}
