import * as z from "zod";

/**
 * A text of at most `max` code points. zod's own `max` counts UTF-16 units, under which an emoji is two and a limit
 * would depend on what is written; JSON Schema's `maxLength`, which the metadata states, counts code points too.
 */
export function codePoints(max: number) {
  return z
    .string()
    .refine((text) => text.length <= max || [...text].length <= max, `at most ${max} characters`)
    .meta({ maxLength: max });
}

/** Such a text with spaces around it cut off and something left. */
export function nonBlank(max: number) {
  return codePoints(max).refine((text) => text.trim() !== "", "must not be blank");
}
