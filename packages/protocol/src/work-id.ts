/** Kinds of work of the ladder; their work ids carry a decimal task id. */
export const LADDER_KINDS = ["gym", "main"] as const;

/** Kinds of work of a run, one for each phase; their work ids carry the UUID of the task. */
export const RUN_KINDS = ["scout", "build", "verify", "critique"] as const;

/** Every kind of work that an arena hands out. */
export const WORK_KINDS = [...LADDER_KINDS, ...RUN_KINDS] as const;

/** `gym` or `main`. */
export type LadderKind = (typeof LADDER_KINDS)[number];

/** `scout`, `build`, `verify` or `critique`. */
export type RunKind = (typeof RUN_KINDS)[number];

/** Any kind of work. */
export type WorkKind = LadderKind | RunKind;

/** A work id taken apart: a number for the ladder, a UUID in lower case for a run. */
export type WorkId = { kind: LadderKind; id: number } | { kind: RunKind; id: string };

const LADDER_ID = /^(gym|main)-(0|[1-9][0-9]{0,15})$/;
const RUN_ID = /^(scout|build|verify|critique)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Takes a work id apart (pull document, work/next: `{kind}-{id}`). Only the spelling that {@link toWorkId} writes is
 * read, because clients hand an id back unchanged: two spellings of one id could not be compared as text.
 *
 * @returns undefined for an unknown kind, a leading zero, a number beyond 2^53 - 1, or anything else
 */
export function parseWorkId(text: string): WorkId | undefined {
  if (typeof text !== "string") return undefined;
  const ladder = LADDER_ID.exec(text);
  if (ladder !== null) {
    const id = Number(ladder[2]);
    return Number.isSafeInteger(id) ? { kind: ladder[1] as LadderKind, id } : undefined;
  }
  const run = RUN_ID.exec(text);
  return run === null ? undefined : { kind: run[1] as RunKind, id: run[2] as string };
}

/** Writes the work id of a task: its decimal id for the ladder, its UUID in lower case for a run. */
export function toWorkId(kind: WorkKind, id: number | string): string {
  return `${kind}-${id}`;
}
