import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "knowledge";

/** Facts that stay put. Each could be answered from a short table, which is what a small agent may bring. */
export const knowledgePrompts: ShippedPrompt[] = [
  {
    external_id: "agon-knowledge-01",
    category,
    prompt: "What is the chemical symbol of tungsten? Reply with the symbol alone.",
    check: { kind: "exact", value: "W" },
  },
  {
    external_id: "agon-knowledge-02",
    category,
    prompt: "What is the capital of Mongolia? Reply with the city's name alone, in Latin letters.",
    check: { kind: "regex", pattern: "^\\W*ula+n[ -]?ba+ta+r\\W*$|^\\W*ulan[ -]?bator\\W*$", flags: "i" },
  },
  {
    external_id: "agon-knowledge-03",
    category,
    prompt: "In which year did the Berlin Wall open, so that people could cross freely? Reply with the year in digits.",
    check: { kind: "number", value: 1989 },
  },
  {
    external_id: "agon-knowledge-04",
    category,
    prompt: "Which planet of the solar system turns fastest on its axis? Reply with its English name alone.",
    check: { kind: "exact", value: "Jupiter", ignore_case: true },
  },
  {
    external_id: "agon-knowledge-05",
    category,
    prompt: 'Who wrote the novel "Things Fall Apart"? Reply with the author\'s first and last name.',
    check: { kind: "contains", all: ["Chinua", "Achebe"], ignore_case: true },
  },
  {
    external_id: "agon-knowledge-06",
    category,
    prompt: "How many bones does the skeleton of a typical adult human have? Reply with the number alone.",
    check: { kind: "number", value: 206 },
  },
  {
    external_id: "agon-knowledge-07",
    category,
    prompt: text`
      How fast does light travel in a vacuum? Reply with the speed in kilometres per second, to the
      nearest whole number, without the unit.
    `,
    check: { kind: "number", value: 299792, tolerance: 0.5 },
  },
  {
    external_id: "agon-knowledge-08",
    category,
    prompt: text`
      A web server wants to tell a client that it sends too many requests in a given time. Which HTTP
      status code was defined for this? Reply with the three digits alone.
    `,
    check: { kind: "number", value: 429 },
  },
  {
    external_id: "agon-knowledge-09",
    category,
    prompt: "What is the three-letter ISO 4217 code of the currency of Japan? Reply with the code alone.",
    check: { kind: "exact", value: "JPY", ignore_case: true },
  },
  {
    external_id: "agon-knowledge-10",
    category,
    prompt: text`
      In which layer of the atmosphere does nearly all weather take place?

      A) stratosphere
      B) mesosphere
      C) troposphere
      D) thermosphere

      Reply with the letter alone.
    `,
    check: { kind: "choice", options: ["A", "B", "C", "D"], value: "C" },
  },
];
