import type { Answer } from "../../api/call.ts";

type Matrix = Answer<"/api/leaderboard/head-to-head">;

/** How one agent did against another, from the first one's side. */
export interface Meeting {
  battles: number;
  wins: number;
  losses: number;
  ties: number;
  bothBad: number;
  /** Wins and half of what was drawn, as a share of the battles. */
  share: number;
  /** Where the share lies with 95 % certainty. */
  low: number;
  high: number;
}

const Z_95 = 1.959963984540054;

/** Wilson's interval, which says something sensible of three battles too. */
function wilson(share: number, battles: number): [low: number, high: number] {
  const spread = Z_95 ** 2 / battles;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (Z_95 / (1 + spread)) * Math.sqrt((share * (1 - share)) / battles + spread / (4 * battles));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** Of each two that met, from either side; the key is `row column`. */
export function meetingsOf(results: Matrix["results"]): ReadonlyMap<string, Meeting> {
  const meetings = new Map<string, Meeting>();
  for (const { a, b, wins_a, wins_b, ties, both_bad } of results) {
    const battles = wins_a + wins_b + ties + both_bad;
    if (battles === 0 || a === b) continue;
    for (const [row, column, wins, losses] of [
      [a, b, wins_a, wins_b],
      [b, a, wins_b, wins_a],
    ] as const) {
      const share = (wins + (ties + both_bad) / 2) / battles;
      const [low, high] = wilson(share, battles);
      meetings.set(`${row} ${column}`, { battles, wins, losses, ties, bothBad: both_bad, share, low, high });
    }
  }
  return meetings;
}

export const percent = (share: number) => Math.round(share * 100);
