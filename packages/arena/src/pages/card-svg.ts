import { faceFor } from "./card-letters.ts";
import { escapeHtml } from "./page-shell.ts";

/** Pictures for sharing, 1200 × 630. The same hand as the pages in light: paper, ink, a dot with its interval. */
export const INK = "#1d1f24";
export const QUIET = "#6a6c72";
export const LINE = "#d9d5cb";
const PAPER = "#fbf9f4";
export const MARKER = "#d8f04a";
const SIDE_A = "#1f62c4";
const SIDE_B = "#b4540a";

export const text = (x: number, y: number, size: number, content: string, more = "") =>
  `<text x="${x}" y="${y}" font-family="${faceFor(content, "Instrument Sans")}" font-size="${size}" fill="${INK}" ${more}>${escapeHtml(content)}</text>`;
export const mono = (x: number, y: number, size: number, content: string, more = "") =>
  `<text x="${x}" y="${y}" font-family="${faceFor(content, "IBM Plex Mono")}" font-size="${size}" fill="${QUIET}" ${more}>${escapeHtml(content)}</text>`;

/** Text that fits, by the width that letters of this face have on the average. */
export function fit(content: string, size: number, width: number): string {
  const points = [
    ...content
      .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, " ")
      .replace(/\s+/g, " ")
      .trim(),
  ];
  const most = Math.floor(width / (size * 0.54));
  return points.length <= most ? points.join("") : `${points.slice(0, most - 1).join("")}…`;
}

export function lines(content: string, size: number, width: number, most: number): string[] {
  const perLine = Math.floor(width / (size * 0.5));
  const made: string[] = [""];
  for (const word of content.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, " ").split(/\s+/)) {
    const last = made.at(-1) as string;
    if (last === "" || last.length + word.length < perLine) made[made.length - 1] = `${last} ${word}`.trim();
    else made.push(word);
    if (made.length > most) break;
  }
  const shown = made.slice(0, most).map((line) => ([...line].length > perLine ? fit(line, size, width) : line));
  if (made.length > most) shown[most - 1] = `${shown[most - 1]} …`;
  return shown;
}

export function frame(inside: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="${PAPER}"/>
<g transform="translate(72 62)"><rect width="44" height="44" fill="${MARKER}"/><path d="M9 10l9 12-9 12M35 10l-9 12 9 12" fill="none" stroke="${INK}" stroke-width="5"/></g>
${text(134, 95, 34, "agon", 'font-weight="600"')}
<path d="M72 136H1128" stroke="${INK}" stroke-width="2"/>
${inside}
</svg>`;
}

export interface CardRating {
  name: string;
  /** Undefined: unranked. */
  rating: number | undefined;
  low: number | undefined;
  high: number | undefined;
  rank: number | undefined;
}

function scaleOf(ratings: readonly CardRating[]) {
  const values = ratings.flatMap(({ rating, low, high }) => [rating, low, high]).filter((each) => each !== undefined);
  const least = Math.min(1400, ...values) - 20;
  const most = Math.max(1600, ...values) + 20;
  return { least, most };
}

function whisker(rating: CardRating, x: (value: number) => number, y: number, size: number): string {
  if (rating.rating === undefined) return `<path d="M${x(1500) - 14} ${y}h28" stroke="${QUIET}" stroke-width="3"/>`;
  const isSure = rating.low !== undefined && rating.high !== undefined;
  const bar = isSure
    ? `<path d="M${x(rating.low as number)} ${y}H${x(rating.high as number)}" stroke="${INK}" stroke-width="${size / 5}"/>`
    : "";
  return `${bar}<circle cx="${x(rating.rating)}" cy="${y}" r="${size / 2}" fill="${isSure ? INK : PAPER}" stroke="${INK}" stroke-width="3"/>`;
}

export function ladderCard(ratings: readonly CardRating[], total: number): string {
  const { least, most } = scaleOf(ratings);
  const x = (value: number) => 620 + ((value - least) / (most - least)) * 380;
  const rows = ratings.slice(0, 6).map((rating, index) => {
    const y = 206 + index * 68;
    return [
      mono(72, y + 8, 24, rating.rank === undefined ? "–" : String(rating.rank)),
      text(128, y + 9, 30, fit(rating.name, 30, 460), 'font-weight="600"'),
      `<path d="M620 ${y}H1000" stroke="${LINE}" stroke-width="2"/>`,
      whisker(rating, x, y, 18),
      mono(
        1128,
        y + 9,
        26,
        rating.rating === undefined ? "–" : String(Math.round(rating.rating)),
        'text-anchor="end" font-weight="600"',
      ),
    ].join("\n");
  });
  return frame([mono(1128, 93, 24, `${total} agents`, 'text-anchor="end"'), ...rows].join("\n"));
}

export function agentCard(
  rating: CardRating,
  facts: { owner: string; tier: string; record: string; description: string },
): string {
  const { least, most } = scaleOf([rating]);
  const x = (value: number) => 72 + ((value - least) / (most - least)) * 1056;
  const ticks = [1300, 1450, 1550, 1700, 1850, 2000]
    .filter((value) => value > least && value < most)
    .map(
      (value) =>
        `<path d="M${x(value)} 470v28" stroke="${LINE}" stroke-width="2"/>${mono(x(value), 536, 20, String(value), 'text-anchor="middle"')}`,
    );
  return frame(
    [
      text(72, 232, 68, fit(rating.name, 68, 1056), 'font-weight="600"'),
      mono(72, 282, 26, fit(`${facts.tier} · ${facts.record} · by ${facts.owner}`, 28, 1056)),
      ...lines(facts.description, 26, 1056, 2).map((line, index) => text(72, 338 + index * 38, 26, line)),
      `<path d="M72 484H1128" stroke="${LINE}" stroke-width="2"/>`,
      ...ticks,
      whisker(rating, x, 484, 28),
      rating.rating === undefined
        ? ""
        : text(x(rating.rating), 448, 36, String(Math.round(rating.rating)), 'text-anchor="middle" font-weight="600"'),
      mono(72, 588, 22, rating.rank === undefined ? "unranked" : `rank ${rating.rank}`),
    ].join("\n"),
  );
}

export function battleCard(battle: {
  a: string;
  b: string;
  category: string;
  prompt: string;
  tally: { a: number; b: number; tie: number; both_bad: number };
}): string {
  const { a, b, tie, both_bad } = battle.tally;
  const all = Math.max(1, a + b + tie + both_bad);
  const parts = [
    [a, SIDE_A],
    [tie + both_bad, LINE],
    [b, SIDE_B],
  ] as const;
  let at = 72;
  const bar = parts.map(([votes, colour]) => {
    const width = (votes / all) * 1056;
    const piece = `<rect x="${at}" y="500" width="${width}" height="20" fill="${colour}"/>`;
    at += width;
    return piece;
  });
  return frame(
    [
      mono(1128, 93, 24, fit(battle.category, 26, 560), 'text-anchor="end"'),
      ...lines(battle.prompt, 36, 1056, 4).map((line, index) => text(72, 206 + index * 50, 36, line)),
      text(72, 468, 40, fit(battle.a, 40, 500)).replace(INK, SIDE_A),
      text(1128, 468, 40, fit(battle.b, 40, 500), 'text-anchor="end"').replace(INK, SIDE_B),
      ...bar,
      mono(72, 566, 24, `${a} for A`),
      mono(600, 566, 24, `${tie} ties · ${both_bad} both bad`, 'text-anchor="middle"'),
      mono(1128, 566, 24, `${b} for B`, 'text-anchor="end"'),
    ].join("\n"),
  );
}
