import MiniSearch from "minisearch";
import { toAnchor } from "../../ui/anchors.ts";
import { readText } from "./guides.ts";
import { type Operation, titleOfArea } from "./openapi.ts";

/** Something that can be found. */
export interface Found {
  kind: "guide" | "call";
  /** A guide's slug or a call's area, with the place in it. */
  page: string;
  anchor: string;
  /** In pieces; every second one is a match. */
  title: string[];
  under: string;
  /** The text around what was looked for, in such pieces too. */
  excerpt: string[];
}
interface Entry {
  id: number;
  kind: Found["kind"];
  page: string;
  anchor: string;
  title: string;
  under: string;
  text: string;
}
interface GuideSection {
  slug: string;
  guide: string;
  heading: string;
  text: string;
}

const MOST = 10;
/** Words that tell nothing of what somebody looks for. */
const SMALL = new Set("a an and are as at be by for from if in is it of on or that the this to was with".split(" "));
/** Letters on each side of the first match. */
const AROUND = [50, 130] as const;

export interface DocsIndex {
  find(words: string): Found[];
}

/** Everything in the guides and the reference, section by section. Made in the browser from files of this arena. */
export async function loadIndex(operations: readonly Operation[]): Promise<DocsIndex> {
  const sections = JSON.parse((await readText("/docs/sections.json")) ?? "[]") as GuideSection[];
  const entries: Omit<Entry, "id">[] = [
    ...sections.map(({ slug, guide, heading, text }) => ({
      kind: "guide" as const,
      page: slug,
      anchor: toAnchor(heading),
      title: heading || guide,
      under: heading === "" ? "Guide" : guide,
      text,
    })),
    ...operations.map((operation) => ({
      kind: "call" as const,
      page: operation.area,
      anchor: operation.anchor,
      title: `${operation.method} ${operation.path}`,
      under: titleOfArea(operation.area),
      text: textOf(operation),
    })),
  ];
  const known = entries.map((entry, id): Entry => ({ id, ...entry }));
  const index = new MiniSearch<Entry>({
    fields: ["title", "under", "text"],
    // A path is found by its parts: head-to-head, agent_id.
    tokenize: (text) =>
      text
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .filter(Boolean),
    processTerm: (term) => (SMALL.has(term) ? null : term),
    searchOptions: {
      boost: { title: 4, under: 1.5 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: "AND",
    },
  });
  index.addAll(known);
  return {
    find(words) {
      const all = index.search(words);
      // Nothing has all of the words: what has some of them is better than nothing.
      return (all.length > 0 ? all : index.search(words, { combineWith: "OR" })).slice(0, MOST).map(({ id, terms }) => {
        const { text, ...entry } = known[id as number] as Entry;
        const match = matchOf(terms);
        return { ...entry, title: entry.title.split(match), excerpt: excerptOf(text, match) };
      });
    },
  };
}

function textOf({ summary, description, parameters = [], requestBody, "x-problems": problems }: Operation): string {
  const body = requestBody && Object.values(requestBody.content)[0]?.schema;
  return [
    `${summary}.`,
    description,
    ...parameters.map(({ name, description: about }) => (about ? `${name}: ${about}.` : `${name}.`)),
    ...Object.entries(body?.properties ?? {}).map(([name, { description: about }]) =>
      about ? `${name}: ${about}.` : `${name}.`,
    ),
    problems.map(({ code }) => code).join(" "),
  ]
    .filter(Boolean)
    .join(" ");
}

/** The words that were found, as wholes: in "translator" there is no "to". */
function matchOf(terms: readonly string[]): RegExp {
  const words = terms.toSorted((a, b) => b.length - a.length).map((term) => term.replace(/[^\p{L}\p{N}]/gu, "\\$&"));
  return new RegExp(`(?<![\\p{L}\\p{N}])(${words.join("|")})(?![\\p{L}\\p{N}])`, "iu");
}

/** Where the words stand in a text. Without one, as when the title matched, the text's beginning. */
function excerptOf(text: string, match: RegExp): string[] {
  const first = Math.max(0, text.search(match));
  const start = first <= AROUND[0] ? 0 : text.indexOf(" ", first - AROUND[0]) + 1;
  const most = first + AROUND[1];
  const end = most >= text.length ? text.length : text.lastIndexOf(" ", most);
  const shown = `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  return shown.split(match);
}
