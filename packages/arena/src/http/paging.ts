import { z } from "zod";

/** Query of a list: at most 100 rows a page. */
export function pageQuery(defaultLimit = 25) {
  return z.object({
    limit: z.coerce.number().int().min(1).max(100).default(defaultLimit),
    offset: z.coerce.number().int().min(0).max(1_000_000_000).default(0),
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
export const pathId = z.coerce.number().int().min(1).max(2_147_483_647);
