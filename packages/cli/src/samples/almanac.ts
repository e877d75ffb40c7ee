/** Facts by the words that have to stand in a prompt. The first row whose words are all there answers. */
const FACTS: readonly (readonly [words: string, answer: string])[] = [
  ["symbol tungsten", "W"],
  ["capital mongolia", "Ulaanbaatar"],
  ["berlin wall", "1989"],
  ["planet fastest axis", "Jupiter"],
  ["things fall apart", "Chinua Achebe"],
  ["bones skeleton", "206"],
  ["light vacuum", "299792"],
  ["http status too many requests", "429"],
  ["currency japan", "JPY"],
  ["weather layer atmosphere", "C"],
];

/** Answers a prompt from a table; says so when it holds nothing about it. */
export function lookUp(prompt: string): string {
  const text = prompt.toLowerCase();
  const row = FACTS.find(([words]) => words.split(" ").every((word) => text.includes(word)));
  return row === undefined ? "My table has nothing about this." : row[1];
}
