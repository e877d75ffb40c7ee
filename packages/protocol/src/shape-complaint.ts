import type * as z from "zod";

type Issue = z.core.$ZodIssue;

/**
 * The first thing wrong with a value, as the path of the field and one sentence: what was found there, and what it
 * has to be, which is the schema's own message.
 *
 * @param whole what to call the value itself, where no field of it is to blame
 */
export function shapeComplaint(error: z.ZodError, value: unknown, whole: string): { field: string; detail: string } {
  const issue = toInnermost(error.issues[0] as Issue);
  const field = issue.path.length === 0 ? whole : toPath(issue.path);
  const found = valueAt(value, issue.path);
  if (found === undefined) return { field, detail: `${field} is missing; it has to be ${issue.message}` };
  return { field, detail: `${field} is ${toFound(found)}; it has to be ${issue.message}` };
}

/** Of a union's branches the one that got furthest: its complaint is about a field, not about the whole. */
function toInnermost(issue: Issue): Issue {
  if (issue.code !== "invalid_union") return issue;
  const branches = issue.errors.flatMap(([first]) => (first === undefined ? [] : [first]));
  const furthest = branches.find(({ path }) => path.length > 0);
  if (furthest === undefined) return issue;
  return toInnermost({ ...furthest, path: [...issue.path, ...furthest.path] });
}

function toPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    const name = toShort(String(key));
    return text === "" ? name : `${text}.${name}`;
  }, "");
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    return (at as Record<PropertyKey, unknown>)[key];
  }, value);
}

/** What stood there, short enough for a sentence; long texts and nested values by their kind alone. */
function toFound(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
  if (typeof value === "object") return "an object";
  if (typeof value !== "string") return String(value);
  return value === "" ? "an empty string" : `the string ${JSON.stringify(toShort(value))}`;
}

/** Names and texts come from a stranger: at most forty characters of them go into a sentence. */
function toShort(text: string): string {
  const points = [...text.slice(0, 160)];
  return points.length <= 40 ? text.toWellFormed() : `${points.slice(0, 39).join("").toWellFormed()}…`;
}
