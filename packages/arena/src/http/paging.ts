import { z } from "zod";

/**
 * A whole number in a path or query, in plain digits. Coercing the text would also take `0x10`, `1e3`, blanks and, as
 * zero, nothing at all.
 */
function wholeNumber(least: number, most: number, described: { default?: number } = {}) {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string(message)
    .refine((text) => /^(0|[1-9]\d{0,14})$/.test(text) && Number(text) >= least && Number(text) <= most, message)
    .meta({ type: "integer", minimum: least, maximum: most, ...described })
    .transform(Number);
}

/** A whole number that a query may leave out. */
export function optionalWholeNumber(least: number, most: number, fallback: number) {
  return wholeNumber(least, most, { default: fallback }).default(fallback);
}

/** Query of a list: at most 100 rows a page. */
export function pageQuery(defaultLimit = 25) {
  return z.object({
    limit: optionalWholeNumber(1, 100, defaultLimit),
    offset: optionalWholeNumber(0, 1_000_000_000, 0),
  });
}

/** The wire form of a page. */
export function toPage<Item>(page: { limit: number; offset: number }, total: number, items: Item[]) {
  return {
    total,
    limit: page.limit,
    offset: page.offset,
    has_more: page.offset + items.length < total,
    items,
  };
}

/** An agent's, account's or prompt's id in a path. Beyond the column's range nothing exists. */
export const pathId = wholeNumber(1, 2_147_483_647);

/** A task's or an answer's id in a path, which grows beyond that. */
export const pathLongId = wholeNumber(1, 999_999_999_999_999);
