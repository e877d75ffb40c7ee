import * as z from "zod";
import { cleanText } from "./utf8-text.ts";

/**
 * A text of at most `max` code points, made storable on the way in. zod's own `max` counts UTF-16 units, under which an emoji is two and a limit
 * would depend on what is written; JSON Schema's `maxLength`, which the metadata states, counts code points too.
 */
export function codePoints(max: number) {
  return z
    .string()
    .overwrite(cleanText)
    .refine((text) => text.length <= max || [...text].length <= max, `at most ${max} characters`)
    .meta({ maxLength: max });
}

/** Such a text in which there is more than spaces. */
export function nonBlank(max: number) {
  return codePoints(max).refine((text) => text.trim() !== "", "must not be blank");
}
