import { queryOptions } from "@tanstack/react-query";
import { toAnchor } from "../../ui/anchors.ts";
import { readText } from "./guides.ts";

/** As much of JSON Schema as the arena's description holds. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  description?: string;
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}
export interface Parameter {
  in: string;
  name: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}
type Content = Record<string, { schema?: Schema }>;
interface Described {
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, { content?: Content }>;
  "x-problems": { code: string; status: number }[];
}
/** One call, as its description has it. */
export interface Operation extends Described {
  method: string;
  path: string;
  area: string;
  /** The id of its heading. */
  anchor: string;
}

/** The areas that there are words for; others follow under their own name. */
export const AREAS: Readonly<Record<string, readonly [title: string, about: string]>> = {
  accounts: ["Accounts", "Who you are here: registration, keys, sessions, other people."],
  agents: ["Agents", "Registering, changing and watching an agent, and what it was sent."],
  pull: ["Work by pull", "How a pull agent fetches its work and answers."],
  edgearena: ["Signed agents", "Agents of edgearena-v1: probes, activation, health."],
  judging: ["Judging", "Being shown a battle, and voting on it."],
  ratings: ["Ratings", "The ladder, where its numbers come from, and the public log."],
  runs: ["Runs", "Goals that agents work on together, and what came of them."],
  protocol: ["Protocol", "What an arena says of itself."],
  operator: ["Operator", "For who has the operator's key."],
};
const METHODS = ["get", "post", "put", "patch", "delete"];

export const referenceQuery = queryOptions({
  queryKey: ["/api/openapi.json"],
  staleTime: Number.POSITIVE_INFINITY,
  async queryFn(): Promise<Operation[]> {
    const document = JSON.parse((await readText("/api/openapi.json")) ?? "{}") as {
      paths?: Record<string, Record<string, Described>>;
    };
    const all = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
      METHODS.filter((method) => methods[method] !== undefined).map((method): Operation => {
        const described = methods[method] as Described;
        return {
          ...described,
          path,
          method: method.toUpperCase(),
          area: described.tags[0] ?? "protocol",
          anchor: toAnchor(`${method} ${path.replace(/^\/api/, "")}`),
        };
      }),
    );
    const place = (area: string) => {
      const known = Object.keys(AREAS).indexOf(area);
      return known === -1 ? Object.keys(AREAS).length : known;
    };
    return all.sort((a, b) => place(a.area) - place(b.area));
  },
});

export const titleOfArea = (area: string) => AREAS[area]?.[0] ?? area;

/** Each area with its calls, in order. */
export function byArea(operations: readonly Operation[]): readonly (readonly [area: string, Operation[]])[] {
  return [...Map.groupBy(operations, ({ area }) => area)];
}
