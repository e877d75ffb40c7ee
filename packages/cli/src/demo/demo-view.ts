import type { LeaderboardItem } from "@agon/protocol";
import { createLiveLine } from "../live-line.ts";
import { type Output, type Palette, toOneLine } from "../output.ts";
import { cutText, padText } from "../text-width.ts";
import type { DemoPlayer } from "./demo-players.ts";

/** A battle by the names of its sides. */
export interface ShownBattle {
  readonly category: string;
  readonly a: string;
  readonly b: string;
  readonly winner: "a" | "b" | "tie" | "both_bad";
}

/** How things stand. */
export interface ShownStanding {
  readonly secondsLeft: number;
  readonly battles: number;
  /** Battles in which neither side was right. */
  readonly bothWrong: number;
  readonly items: readonly LeaderboardItem[];
}

/** Shows a competition to a person while it goes on. */
export interface DemoView {
  /** What is waited for, on the live line alone. */
  wait(text: string): void;
  /** Something about the arena or one agent. */
  tell(subject: string, text: string, tone?: keyof Palette): void;
  battle(battle: ShownBattle): void;
  /** What the live line says: time left, battles so far, who is ahead. */
  standing(standing: ShownStanding): void;
  end(): void;
}

/**
 * Makes a {@link DemoView}: a line for each event, columns aligned, the sides of a battle in their colours, and on a
 * terminal a live line with the standing.
 *
 * @param elapsedMs since the beginning
 */
export function createDemoView(output: Output, players: readonly DemoPlayer[], elapsedMs: () => number): DemoView {
  const { palette } = output;
  const live = createLiveLine(output);
  const nameWidth = Math.max(...players.map(({ name }) => name.length));
  const subjectWidth = Math.max(14, nameWidth);
  const print = (subject: string, text: string, tone: keyof Palette) => {
    const time = palette.quiet(padText(`${(elapsedMs() / 1_000).toFixed(1)} s`, 7, "right"));
    live.print(`${time}  ${palette[tone](padText(cutText(toOneLine(subject), subjectWidth), subjectWidth))}  ${text}`);
  };

  return {
    wait: live.show,
    tell(subject, text, tone = "strong") {
      // 7 for the time, and two spaces twice.
      const room = output.columns === undefined ? 200 : output.columns - 7 - 4 - subjectWidth;
      print(subject, cutText(toOneLine(text), Math.max(0, room)), tone);
    },
    battle({ category, a, b, winner }) {
      // Where neither was right there is nothing to see, and it happens often: those are counted on the live line.
      if (winner === "both_bad") return;
      const sides = [palette.a(padText(a, nameWidth)), palette.b(padText(b, nameWidth))] as const;
      // The winner stands first; the colours keep the sides.
      const [first, second] = winner === "b" ? [sides[1], sides[0]] : sides;
      const word = winner === "tie" ? palette.accent("ties with ") : palette.good("beats     ");
      print(category, `${first}  ${word}  ${second}`.trimEnd(), "quiet");
    },
    standing({ secondsLeft, battles, bothWrong, items }) {
      const ranked = items.filter(({ rank }) => rank !== null);
      const places = ranked.map(({ rank, agent, elo }) => `${rank} ${toOneLine(agent.name)} ${Math.round(elo)}`);
      live.show([`${secondsLeft} s left`, `${battles} battles, ${bothWrong} both wrong`, ...places].join(" · "));
    },
    end: live.end,
  };
}
