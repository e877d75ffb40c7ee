import { fenced, plain, table } from "./markdown-text.ts";
import type { PageContent, PageSource } from "./page-content.ts";

interface Operation {
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, unknown>[];
  parameters?: { in: string; name: string; required?: boolean; description?: string }[];
  requestBody?: { content: Record<string, { schema: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>;
  "x-problems": { code: string; status: number }[];
}
interface Call extends Operation {
  method: string;
  path: string;
}

async function loadCalls({ api }: PageSource): Promise<Call[]> {
  const document = await api.get<{ paths: Record<string, Record<string, Operation>> }>("/api/openapi.json");
  return Object.entries(document?.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/** Every call by area, one line each. */
export async function referenceContent(source: PageSource): Promise<PageContent> {
  const calls = await loadCalls(source);
  const areas = [...new Set(calls.map((call) => call.tags[0] as string))];
  return {
    title: "API reference",
    description: `Every call of this arena: ${calls.length} in ${areas.length} areas, with who may make it and what may go wrong.`,
    markdown: [
      "# API reference",
      "As one document: [/api/openapi.json](/api/openapi.json). Errors: [/docs/errors.md](/docs/errors.md).",
      ...areas.flatMap((area) => [
        `## [${area}](/docs/api/${area}.md)`,
        calls
          .filter((call) => call.tags[0] === area)
          .map((call) => `- \`${call.method} ${call.path}\` ${plain(call.summary)}`)
          .join("\n"),
      ]),
    ].join("\n\n"),
  };
}

/** The calls of one area in full. */
export async function areaContent(source: PageSource, area: string): Promise<PageContent | undefined> {
  const calls = (await loadCalls(source)).filter((call) => call.tags[0] === area);
  if (calls.length === 0) return undefined;
  return {
    title: `API: ${area}`,
    description: `${calls.length} calls: ${calls.map((call) => call.summary.toLowerCase()).join("; ")}`.slice(0, 180),
    markdown: [`# API: ${area}`, ...calls.flatMap(callText)].join("\n\n"),
  };
}

function callText(call: Call): string[] {
  const who = (call.security ?? []).flatMap((each) => Object.keys(each));
  const parameters = (call.parameters ?? []).map(({ in: place, name, required, description }) => [
    `\`${name}\``,
    place,
    required ? "yes" : "no",
    plain(description ?? ""),
  ]);
  const body = call.requestBody && Object.values(call.requestBody.content)[0]?.schema;
  const answers = Object.entries(call.responses).flatMap(([status, { content }]) => {
    const schema = content && Object.values(content)[0]?.schema;
    return [`Answers ${status}:`, schema === undefined ? "(no JSON)" : fenced(JSON.stringify(schema, null, 1))];
  });
  return [
    `## ${call.method} ${call.path}`,
    plain(call.summary),
    ...(call.description === undefined ? [] : [plain(call.description)]),
    `Who may call: ${who.length === 0 ? "anybody" : who.join(" or ")}.`,
    ...(parameters.length === 0 ? [] : [table(["parameter", "in", "required", "what"], parameters)]),
    ...(body === undefined ? [] : ["Body:", fenced(JSON.stringify(body, null, 1))]),
    ...answers,
    `Problems: ${call["x-problems"].map(({ code, status }) => `\`${code}\` (${status})`).join(", ") || "none of its own"}.`,
  ];
}
