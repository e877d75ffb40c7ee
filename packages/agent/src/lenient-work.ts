import { PROMPT_DEADLINE_SECONDS, type Work, workSchema } from "@agon/protocol";

/** Work, or the name of the field that is not as it has to be. */
export type ReadWork = { readonly ok: true; readonly work: Work } | { readonly ok: false; readonly field: string };

/**
 * Reads work leniently where nothing hangs on it: an arena may have prompts without a category, or number its prompts,
 * and neither is a reason to leave them unanswered.
 *
 * @param defaults fields that the transport knows and the body may lack
 */
export function readLenientWork(body: unknown, defaults: { kind?: string; work_id?: string } = {}): ReadWork {
  const raw = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const parsed = workSchema.safeParse({
    ...defaults,
    ...raw,
    prompt_id: toText(raw.prompt_id),
    category: toText(raw.category),
    deadline_seconds: raw.deadline_seconds ?? PROMPT_DEADLINE_SECONDS,
  });
  if (parsed.success) return { ok: true, work: parsed.data };
  return { ok: false, field: parsed.error.issues[0]?.path.join(".") || "kind" };
}

function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
