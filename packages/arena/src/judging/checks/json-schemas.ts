import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { type CheckResult, result } from "./check-result.ts";
import { findJson } from "./json-answers.ts";
import { compilePattern } from "./linear-patterns.ts";

export type JsonSchema = Record<string, unknown>;

export interface JsonSchemaCheck {
  schema: JsonSchema;
}

export function evaluateJsonSchema(check: JsonSchemaCheck, answer: string): CheckResult {
  const found = findJson(answer, check.schema.type === "array" ? "array" : "object");
  if (!found) return result(false, "no JSON in the answer");
  const validate = compileSchema(check.schema);
  const valid = validate(found[0]) === true;
  return result(valid, valid ? "the JSON fits the schema" : `the JSON does not fit: ${describe(validate.errors)}`);
}

/**
 * Compiles a schema so that validating costs time in proportion to the answer. Three things would not: `pattern` on the
 * built-in engine, `uniqueItems` as the library does it (each with each), and schemas that refer to themselves (each
 * level of an answer may double the work). The first two are replaced, the third is refused.
 */
export function compileSchema(schema: JsonSchema): ValidateFunction {
  refuseUnbounded(schema);
  if (!metaAjv.validateSchema(schema)) throw new Error(describe(metaAjv.errors));
  // One instance a schema (half a millisecond): a shared one keeps 11 KB of every schema it ever compiled.
  const ajv = new Ajv2020({ ...STRICT, meta: false, validateSchema: false, code: { regExp: linearRegExp } });
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({ keyword: "uniqueItems", type: "array", schemaType: "boolean", validate: hasUniqueItems });
  return ajv.compile(schema);
}

/** Misspelt keywords are errors; habits of style are not. Complaints go into what is thrown, not to a console. */
const STRICT = { strict: true, strictTypes: false, strictTuples: false, strictRequired: false, logger: false } as const;

/** Tells schemas from other objects; compiling the schema of schemas takes ten milliseconds, so it is done once. */
const metaAjv = new Ajv2020(STRICT);

const linearRegExp = Object.assign(
  (pattern: string, flags: string) => {
    const compiled = compilePattern(pattern, flags);
    // The library keys its generated code by what toString says.
    return { test: (text: string) => compiled.test(text), toString: () => `/${pattern}/${flags}` };
  },
  { code: "new RegExp" },
);

function hasUniqueItems(wanted: boolean, items: unknown[]): boolean {
  return !wanted || new Set(items.map((item) => JSON.stringify(sortedKeys(item)))).size === items.length;
}

function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sortedKeys(inner)]);
  // As pairs, not as an object: an object would put keys that look like numbers in an order of its own anyway.
  return { pairs: entries.sort(([one], [other]) => (one < other ? -1 : 1)) };
}

/** Ways to refer to a place other than $defs of the root, and to make validation answer later. */
const REFUSED = ["$async", "$anchor", "$dynamicAnchor", "$dynamicRef", "$id"];

function refuseUnbounded(schema: JsonSchema): void {
  const { $defs, $id: _, ...root } = schema;
  const definitions = new Map(Object.entries(($defs ?? {}) as JsonSchema));
  const done = new Set<string>();
  const visit = (node: unknown, path: string[]): void => {
    for (const name of referencesIn(node)) {
      if (path.includes(name)) throw new Error(`$defs/${name} refers to itself`);
      if (done.has(name)) continue;
      visit(definitions.get(name), [...path, name]);
      done.add(name);
    }
  };
  visit(root, []);
}

function referencesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(referencesIn);
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    // An object or a list under such a name describes a property that is called so.
    if (REFUSED.includes(key) && typeof value !== "object") throw new Error(`${key} is not supported here`);
    if (key !== "$ref" || typeof value !== "string") return referencesIn(value);
    const name = /^#\/\$defs\/([^/]+)$/.exec(value)?.[1];
    if (name === undefined) throw new Error(`$ref ${JSON.stringify(value)} is not of the form #/$defs/name`);
    return [name];
  });
}

function describe(errors: ErrorObject[] | null | undefined): string {
  const [first] = errors ?? [];
  return first ? `${first.instancePath.slice(0, 100) || "the value"} ${first.message}` : "no reason given";
}
