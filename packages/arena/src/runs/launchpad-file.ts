import { PHASES, type Phase, utf8Length } from "@agon/protocol";
import { isMap, LineCounter, type ParsedNode, parseDocument } from "yaml";
import { z } from "zod";

/** A named domain of runs: what each phase is told, and by what its candidates are judged. */
export interface Launchpad {
  slug: string;
  title: string;
  summary: string;
  rubric: { name: string; weight: number; question: string }[];
  /** The system prompt of each phase, scoring guidance included. */
  phases: Record<Phase, string>;
}

/** A fault in a launchpad's file; `line` counts from 1. */
export interface LaunchpadFault {
  line: number;
  detail: string;
}

const line = z.string().trim().min(1).max(200);
const headSchema = z.strictObject({
  title: line,
  summary: line,
  rubric: z
    .array(z.strictObject({ name: line, weight: z.number().positive().max(100), question: line }))
    .min(1)
    .max(12),
});

/** With the goal and what is to be judged, a prompt has to fit into a dispatch many times over. */
const SECTION_MAX_BYTES = 32_768;
const SCORING_HEADING = "### How it is scored";

/** Reads one launchpad: YAML front matter, then a section `## PHASE` for each phase. All faults are reported at once. */
export function parseLaunchpad(slug: string, text: string): { launchpad: Launchpad } | { faults: LaunchpadFault[] } {
  const faults: LaunchpadFault[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end = lines[0]?.trimEnd() === "---" ? lines.findIndex((each, at) => at > 0 && each.trimEnd() === "---") : -1;
  if (end < 0) {
    return { faults: [{ line: 1, detail: 'the file has to begin with front matter between two lines of "---"' }] };
  }
  const head = readHead(lines.slice(1, end).join("\n"), faults);
  const phases = readSections(lines, end + 1, faults);
  if (head !== undefined && faults.length === 0) return { launchpad: { slug, ...head, phases } };
  return { faults: faults.sort((a, b) => a.line - b.line) };
}

function readHead(yaml: string, faults: LaunchpadFault[]): z.infer<typeof headSchema> | undefined {
  const counter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: counter });
  // One more: the fence above the front matter is line 1.
  const lineAt = (offset: number | undefined) => (offset === undefined ? 1 : counter.linePos(offset).line + 1);
  for (const error of document.errors) {
    faults.push({ line: lineAt(error.pos[0]), detail: error.message.split("\n")[0] ?? "not YAML" });
  }
  if (document.errors.length > 0) return undefined;
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 0 });
  } catch {
    faults.push({ line: 2, detail: "front matter: aliases (*name) are not read" });
    return undefined;
  }
  const parsed = headSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const path = issue.path.filter((step) => typeof step !== "symbol");
    const unknown = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
    const at = unknown === undefined ? path : [...path, unknown];
    const name = at.join(".") || "front matter";
    const message = issue.message.endsWith("received undefined") ? "is missing" : issue.message;
    faults.push({ line: lineAt(offsetOf(document.contents, at)), detail: `${name}: ${message}` });
  }
  return undefined;
}

/** Where a value stands, or else the nearest thing around it that is there. */
function offsetOf(root: ParsedNode | null, path: readonly (string | number)[]): number | undefined {
  let offset = root?.range[0];
  let node: unknown = root;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((each) => (each.key as { value?: unknown } | null)?.value === step);
      if (pair === undefined) return offset;
      offset = (pair.key as { range?: [number, number, number] }).range?.[0] ?? offset;
      node = pair.value;
    } else {
      node = (node as { items?: unknown[] } | null)?.items?.[step as number];
      const range = (node as { range?: [number, number, number] } | undefined)?.range;
      if (range === undefined) return offset;
      offset = range[0];
    }
  }
  return offset;
}

function readSections(lines: readonly string[], begin: number, faults: LaunchpadFault[]): Record<Phase, string> {
  const sections = new Map<string, { line: number; text: string[] }>();
  let current: string[] | undefined;
  let fence: string | undefined;
  for (let at = begin; at < lines.length; at += 1) {
    const text = lines[at] as string;
    // A heading inside of a fenced block is an example, not a section.
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1];
    if (mark !== undefined) fence = fence === undefined ? mark : mark.startsWith(fence) ? undefined : fence;
    const name = fence === undefined ? /^## +(.+?)\s*$/.exec(text)?.[1] : undefined;
    if (name === undefined) {
      current?.push(text);
      continue;
    }
    if (!PHASES.includes(name as Phase)) {
      faults.push({ line: at + 1, detail: `"## ${name}" is no section; there are ${PHASES.join(", ")}` });
    } else if (sections.has(name)) faults.push({ line: at + 1, detail: `a second section "## ${name}"` });
    current = [];
    sections.set(name, { line: at + 1, text: current });
  }
  const phases = {} as Record<Phase, string>;
  for (const phase of PHASES) {
    const section = sections.get(phase);
    if (section === undefined) {
      faults.push({ line: lines.length, detail: `the section "## ${phase}" is missing` });
      continue;
    }
    const text = section.text.join("\n").trim();
    phases[phase] = text;
    if (text === "") faults.push({ line: section.line, detail: `the section "## ${phase}" is empty` });
    else if (!section.text.some((each) => each.trimEnd() === SCORING_HEADING)) {
      faults.push({ line: section.line, detail: `the section "## ${phase}" has no part "${SCORING_HEADING}"` });
    }
    if (utf8Length(text) > SECTION_MAX_BYTES) {
      faults.push({ line: section.line, detail: `the section "## ${phase}" is over ${SECTION_MAX_BYTES} bytes` });
    }
    if (text.includes("\0") || !text.isWellFormed()) {
      faults.push({ line: section.line, detail: `the section "## ${phase}" holds NUL or broken characters` });
    }
  }
  return phases;
}
