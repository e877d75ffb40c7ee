import * as z from "zod";

/** One page of a list: how many there are in all, the window, and whether more follow. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.looseObject({
    total: z.int().nonnegative(),
    limit: z.int().positive(),
    offset: z.int().nonnegative(),
    has_more: z.boolean(),
    items: z.array(item),
  });
}
