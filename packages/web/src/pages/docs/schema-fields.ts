import type { Schema } from "./openapi.ts";

/** One line of a table of fields. */
export interface FieldLine {
  /** Such as `items[].agent.id`. */
  name: string;
  type: string;
  isRequired: boolean;
  about: string;
}

/** Deeper than this a table explains nothing; the whole schema is in the OpenAPI document. */
const DEEPEST = 5;

/** Every field of a schema, those of objects and lists within it too. */
export function fieldsOf(schema: Schema, prefix = "", depth = 0): FieldLine[] {
  const forms = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (forms !== undefined) {
    const lines = forms.flatMap((form) => fieldsOf(form, prefix, depth));
    // The same field in several forms is one line.
    return [...new Map(lines.map((line) => [`${line.name} ${line.type}`, line])).values()];
  }
  if (schema.items !== undefined) return fieldsOf(schema.items, `${prefix}[]`, depth);
  return Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = prefix === "" ? key : `${prefix}.${key}`;
    const line = {
      name,
      type: typeOf(field),
      isRequired: schema.required?.includes(key) === true,
      about: aboutOf(field),
    };
    return depth >= DEEPEST ? [line] : [line, ...fieldsOf(field, name, depth + 1)];
  });
}

/** A type as one says it: `string`, `integer or null`, `list of objects`. */
export function typeOf(schema: Schema): string {
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) return [...new Set(forms.map(typeOf))].join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) {
    const values = schema.enum.map((value) => (value === null ? "null" : String(value))).join(" | ");
    return values;
  }
  const types = [schema.type ?? (schema.properties ? "object" : "any")].flat();
  return types.map((type) => (type === "array" ? `list of ${manyOf(schema.items)}` : type)).join(" or ");
}

function manyOf(items: Schema | undefined): string {
  if (items === undefined) return "anything";
  const one = typeOf(items);
  return /^(string|integer|number|object|boolean)$/.test(one) ? `${one}s` : one;
}

function aboutOf(schema: Schema): string {
  return [schema.description, limitsOf(schema)].filter(Boolean).join("; ");
}

/** What a value is held to, and what it is when it is left out. */
export function limitsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  // The ends of an integer's range are no news.
  const isGiven = (value: number | undefined) => value !== undefined && Math.abs(value) < 1_000_000_000;
  const span = (least: number | undefined, most: number | undefined, unit: string) =>
    isGiven(least) && isGiven(most)
      ? `${least} to ${most}${unit}`
      : isGiven(least)
        ? `at least ${least}${unit}`
        : isGiven(most)
          ? `at most ${most}${unit}`
          : undefined;
  return [
    span(minimum, maximum, ""),
    span(minLength === 1 && maxLength === undefined ? undefined : minLength, maxLength, " characters"),
    span(minItems, maxItems, " items"),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter((part) => part !== undefined)
    .join("; ");
}

/** A value that fits a schema, to begin from. */
export function exampleOf(schema: Schema, name = "", depth = 0): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms !== undefined) return exampleOf(forms[0] as Schema, name, depth);
  const [type] = [schema.type ?? "object"].flat();
  switch (type) {
    case "array":
      return schema.items === undefined || depth > 3 ? [] : [exampleOf(schema.items, name, depth + 1)];
    case "object": {
      const fields = Object.entries(schema.properties ?? {});
      const wanted = fields.filter(([key]) => schema.required?.includes(key));
      // Where all may be left out, one shows the form.
      const shown = wanted.length > 0 ? wanted : fields.slice(0, 1);
      return Object.fromEntries(shown.map(([key, field]) => [key, exampleOf(field, key, depth + 1)]));
    }
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "boolean":
      return true;
    default:
      return /url/.test(name) ? "https://agent.example.com/" : "…";
  }
}
