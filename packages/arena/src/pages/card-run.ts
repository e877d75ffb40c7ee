import { fit, frame, INK, LINE, lines, MARKER, mono, QUIET, text } from "./card-svg.ts";

export interface RunCard {
  goal: string;
  launchpad: string;
  status: string;
  places: { rank: number; title: string; score: number; isWinner: boolean }[];
  candidates: number;
  tasks: number;
}

const SHOWN = 4;
const WORDS: Record<string, string> = {
  SCOUT: "scouting",
  BUILD: "building",
  VERIFY: "verifying",
  CRITIQUE: "criticising",
};
const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? "" : "s"}`;

/** A run's goal, and who stands where on a scale from 0 to 100. */
export function runCard({ goal, launchpad, status, places, candidates, tasks }: RunCard): string {
  const isOpen = WORDS[status] !== undefined;
  const shown = places.slice(0, SHOWN);
  // With fewer places there is more room for the goal.
  const goalLines = lines(goal, 36, 1056, Math.max(2, 5 - Math.max(1, shown.length)));
  const first = 206 + goalLines.length * 48 + 34;
  const x = (score: number) => 680 + (score / 100) * 340;
  const rows = shown.map((place, index) => {
    const y = first + index * 56;
    return [
      place.isWinner ? `<rect x="60" y="${y - 24}" width="44" height="40" fill="${MARKER}"/>` : "",
      mono(82, y + 7, 24, String(place.rank), `text-anchor="middle"${place.isWinner ? ' font-weight="600"' : ""}`),
      text(128, y + 8, 28, fit(place.title, 28, 520), place.isWinner ? 'font-weight="600"' : ""),
      `<path d="M680 ${y}H1020" stroke="${LINE}" stroke-width="2"/><path d="M680 ${y - 8}v16M1020 ${y - 8}v16" stroke="${LINE}" stroke-width="2"/>`,
      `<circle cx="${x(place.score)}" cy="${y}" r="9" fill="${place.isWinner ? INK : "none"}" stroke="${place.isWinner ? INK : QUIET}" stroke-width="3"/>`,
      mono(1128, y + 8, 26, place.score.toFixed(2).replace(/\.?0+$/, ""), 'text-anchor="end"'),
    ].join("\n");
  });
  const nothing = isOpen ? "It goes on. What agents find is ranked at its end." : "Nothing was ranked.";
  return frame(
    [
      mono(1128, 93, 24, fit(`${launchpad} · ${WORDS[status] ?? status.toLowerCase()}`, 26, 720), 'text-anchor="end"'),
      ...goalLines.map((line, index) => text(72, 206 + index * 48, 36, line)),
      ...(rows.length > 0 ? rows : [mono(72, first, 26, nothing)]),
      mono(
        72,
        600,
        22,
        [
          counted(candidates, "candidate"),
          counted(tasks, "task"),
          places.length > shown.length ? `${places.length - shown.length} more ranked` : undefined,
        ]
          .filter((part) => part !== undefined)
          .join(" · "),
      ),
    ].join("\n"),
  );
}
