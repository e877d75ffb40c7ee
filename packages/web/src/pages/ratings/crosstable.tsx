import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import type { Answer } from "../../api/call.ts";
import { oneLine } from "../../safe-text.ts";
import { cx } from "../../ui/class-names.ts";
import { type Meeting, meetingsOf, percent } from "./meetings.ts";

type Matrix = Answer<"/api/leaderboard/head-to-head">;
/** The darkest that ink may be mixed in, with the number still to be read on it in either theme. */
const MOST_INK = 42;
/** A column is at least as wide as a thumb; what does not fit scrolls beside the names. */
const CELL_REM = 2.75;
const NAME_REM = 8.5;

/** Who beat whom, as a crosstable: a row against a column, the more won the darker. Arrow keys walk from cell to cell. */
export function Crosstable({ matrix }: { matrix: Matrix }) {
  const { agents } = matrix;
  const meetings = useMemo(() => meetingsOf(matrix.results), [matrix.results]);
  const [[row, column], setAt] = useState<[row: number, column: number]>([0, 1]);
  const table = useRef<HTMLTableElement>(null);
  const at: [number, number] = [Math.min(row, agents.length - 1), Math.min(column, agents.length - 1)];

  function walk(event: KeyboardEvent) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const last = agents.length - 1;
    const next = [
      Math.min(last, Math.max(0, at[0] + (step[0] as number))),
      Math.min(last, Math.max(0, at[1] + (step[1] as number))),
    ] as [number, number];
    setAt(next);
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.join(" ")}"]`)?.focus();
  }

  return (
    <figure>
      <Chosen agents={agents} at={at} meetings={meetings} />
      <section aria-label="Crosstable" className="relative overflow-x-auto border-y border-ink">
        <table
          ref={table}
          className="w-full table-fixed border-separate border-spacing-px text-14"
          style={{ minWidth: `${NAME_REM + agents.length * CELL_REM}rem` }}
          onKeyDown={walk}
        >
          <caption className="sr-only">
            Share of battles that the agent of the row won against the agent of the column, draws as half, and the
            number of battles
          </caption>
          <thead>
            <tr>
              <td className="sticky left-0 z-10 bg-paper w-34 sm:w-52" />
              {agents.map((agent, index) => (
                <th
                  key={agent.id}
                  scope="col"
                  title={oneLine(agent.name)}
                  className={cx("h-8 font-mono font-normal", at[1] === index ? "text-ink" : "text-ink-3")}
                >
                  {index + 1}
                  <span className="sr-only"> {oneLine(agent.name)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {agents.map((agent, index) => (
              <tr key={agent.id}>
                <th scope="row" className="sticky left-0 z-10 bg-paper text-left font-semibold pr-3">
                  <span className="flex gap-2">
                    <span className="font-mono font-normal text-ink-3 w-5 text-right shrink-0">{index + 1}</span>
                    <Link
                      to="/agents/$id"
                      params={{ id: String(agent.id) }}
                      className="truncate hover:underline underline-offset-3"
                    >
                      <bdi>{oneLine(agent.name)}</bdi>
                    </Link>
                  </span>
                </th>
                {agents.map((other, place) => (
                  <Cell
                    key={other.id}
                    at={[index, place]}
                    isChosen={at[0] === index && at[1] === place}
                    names={[agent.name, other.name]}
                    meeting={meetings.get(`${agent.id} ${other.id}`)}
                    onChoose={() => setAt([index, place])}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <figcaption className="label mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span>Row against column: large, the share won in per cent; small, how many battles.</span>
        <span className="inline-flex items-center gap-1.5" aria-hidden="true">
          0
          {[0, 0.25, 0.5, 0.75, 1].map((share) => (
            <span key={share} className="w-6 h-3 border border-line" style={{ background: shade(share) }} />
          ))}
          100
        </span>
      </figcaption>
    </figure>
  );
}

const shade = (share: number) => `color-mix(in oklab, var(--ink) ${Math.round(share * MOST_INK)}%, var(--paper))`;

function Cell({
  at,
  isChosen,
  names,
  meeting,
  onChoose,
}: {
  at: [number, number];
  isChosen: boolean;
  names: [string, string];
  meeting: Meeting | undefined;
  onChoose: () => void;
}) {
  const isSelf = at[0] === at[1];
  const words = isSelf ? oneLine(names[0]) : wordsOf(names, meeting);
  return (
    <td className="p-0 h-10">
      <button
        type="button"
        data-cell={at.join(" ")}
        tabIndex={isChosen ? 0 : -1}
        aria-pressed={isChosen}
        onClick={onChoose}
        onFocus={onChoose}
        onPointerEnter={onChoose}
        className={cx(
          "w-full h-10 grid place-content-center text-center font-mono leading-none text-ink",
          isSelf && "bg-sunk",
          isChosen && "outline-2 outline-ink -outline-offset-2",
        )}
        style={meeting === undefined || isSelf ? {} : { background: shade(meeting.share) }}
      >
        <span className="sr-only">{words}</span>
        <span aria-hidden="true" className="grid">
          {isSelf ? (
            <span className="text-ink-3">·</span>
          ) : meeting === undefined ? (
            <span className="text-ink-3">–</span>
          ) : (
            <>
              <span>{percent(meeting.share)}</span>
              <span className="text-12 mt-0.5 opacity-80">{meeting.battles}</span>
            </>
          )}
        </span>
      </button>
    </td>
  );
}

function wordsOf([name, other]: [string, string], meeting: Meeting | undefined): string {
  if (meeting === undefined) return `${oneLine(name)} and ${oneLine(other)} have not met`;
  const { battles, wins, losses, ties, bothBad, share, low, high } = meeting;
  const drawn = ties + bothBad;
  return `${oneLine(name)} against ${oneLine(other)}: ${percent(share)} % of ${battles}, with 95 % certainty ${percent(low)} to ${percent(high)} %; ${wins} won, ${losses} lost, ${drawn} drawn${bothBad > 0 ? `, ${bothBad} of them both bad` : ""}`;
}

/** The chosen cell in words, always as high, so that nothing jumps while somebody walks. */
function Chosen({
  agents,
  at: [row, column],
  meetings,
}: {
  agents: Matrix["agents"];
  at: [number, number];
  meetings: ReadonlyMap<string, Meeting>;
}) {
  const [a, b] = [agents[row], agents[column]];
  const meeting = a && b && meetings.get(`${a.id} ${b.id}`);
  return (
    <p className="text-14 text-ink-2 min-h-15 sm:min-h-10 mb-2 [overflow-wrap:anywhere] line-clamp-3 sm:line-clamp-2">
      {a && b && a.id !== b.id && (
        <>
          <b className="text-ink">
            <bdi>{oneLine(a.name)}</bdi>
          </b>{" "}
          against{" "}
          <b className="text-ink">
            <bdi>{oneLine(b.name)}</bdi>
          </b>
          {": "}
          {meeting === undefined
            ? "they have not met."
            : `${percent(meeting.share)} % of ${meeting.battles} ${meeting.battles === 1 ? "battle" : "battles"} (${percent(meeting.low)} to ${percent(meeting.high)} % with 95 % certainty): ${meeting.wins} won, ${meeting.losses} lost, ${meeting.ties + meeting.bothBad} drawn${meeting.bothBad > 0 ? `, ${meeting.bothBad} of them both bad` : ""}.`}
        </>
      )}
      {a && b && a.id === b.id && "Nobody meets itself. Point at another cell, or walk there with the arrow keys."}
    </p>
  );
}
