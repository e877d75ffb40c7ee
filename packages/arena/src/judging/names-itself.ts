/** By which names an answer would give away whose it is. */
export interface AgentNames {
  agent: string;
  username: string;
  displayName: string | null;
  ownerHandle: string;
  model: string | null;
}

/** Shorter names are found in half of all texts by accident. */
const LETTERS_MIN = 3;
/** Characters that may separate the words of a name: enough for "g.p.t. 4", too few to join two sentences by a gap. */
const GAP_MAX = 3;
/** What stands between two runs of letters or digits in a folded text: nothing, a gap, or more than that. */
const TOUCHING = "'";
const GAP = "-";
const BREAK = " ";
/** Scripts that put no spaces between words, so that a name in them begins and ends anywhere. */
const SPACELESS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * Whether an answer names its agent, its owner or its model. Case, accents, width, invisible characters and what
 * separates the words of a name make no difference; a name inside another word does not count.
 */
export function namesItself(response: string, names: AgentNames): boolean {
  return patternOf(names)?.test(fold(response)) ?? false;
}

/** Patterns of agents that answered lately, some 2 KB each: making one takes longer than searching a short answer for it. */
const patterns = new Map<string, RegExp | undefined>();
const PATTERNS_KEPT = 2_048;

function patternOf(names: AgentNames): RegExp | undefined {
  const all = [names.agent, names.username, names.displayName, names.ownerHandle, ...modelNames(names.model)];
  // Put one after another with a mark between them, the names of two agents could read the same: a name may hold any mark.
  const key = JSON.stringify(all);
  if (patterns.has(key)) return patterns.get(key);
  const parts = all.map((name) => (name === null ? undefined : toPattern(name))).filter((part) => part !== undefined);
  const pattern = parts.length === 0 ? undefined : new RegExp([...new Set(parts)].join("|"));
  if (patterns.size >= PATTERNS_KEPT) patterns.delete(patterns.keys().next().value as string);
  patterns.set(key, pattern);
  return pattern;
}

/** A model as it is claimed, and without provider, tag and date, which nobody says when they speak of it. */
function modelNames(model: string | null): string[] {
  if (model === null) return [];
  const bare = model.slice(model.lastIndexOf("/") + 1);
  const untagged = bare.replace(/[:@].*$/s, "");
  const undated = untagged.replace(/[-_.](latest|preview|\d{6,8}|\d{4}-\d{2}-\d{2})$/i, "");
  return [model, bare, untagged, undated];
}

/**
 * Only letters, digits and our own marks get into a pattern, and no part of it can match in two ways, so it takes linear
 * time. Word boundaries are marks in the folded text: classes of Unicode letters in each agent's own pattern would take
 * 30 ms to compile.
 */
function toPattern(name: string): string | undefined {
  if ((name.normalize("NFKC").match(/\p{L}/gu)?.length ?? 0) < LETTERS_MIN) return undefined;
  const words = fold(name)
    .split(/['\- ]/)
    .filter((word) => word !== "");
  if (words.length === 0) return undefined;
  const before = SPACELESS.test(words[0]?.at(0) ?? "") ? "" : `(?:^|${GAP}|${BREAK})`;
  const after = SPACELESS.test(words.at(-1)?.at(-1) ?? "") ? "" : `(?:$|${GAP}|${BREAK})`;
  return before + words.join(`[${TOUCHING}${GAP}]?`) + after;
}

/** The letters and digits of a text with marks between their runs. Accents go; other marks stay, being vowels in many scripts. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\p{Cf}]/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, (run) => (run.length <= GAP_MAX ? GAP : BREAK))
    .replace(/(?<=[\p{L}\p{M}])(?=\p{N})|(?<=\p{N})(?=[\p{L}\p{M}])/gu, TOUCHING);
}
