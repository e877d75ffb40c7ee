import type { RunEvent, WebhookEvent } from "@agon/agent";
import { formatDuration } from "./duration.ts";
import { createLiveLine } from "./live-line.ts";
import { type Output, toOneLine } from "./output.ts";
import { createRunLineFormat, type RunLine } from "./run-line.ts";

/** Shows to a person how an agent is run, by pull or by push. */
export interface RunView {
  onEvent(event: RunEvent | WebhookEvent): void;
  /** Prints a line that stays. */
  print(text: string): void;
  end(): void;
}

type Work = Extract<RunEvent, { type: "received" }>["work"];

interface InHand {
  readonly begun: number;
  readonly deadlineMs: number;
  /** Set when the agent is done; it is shown when the arena has taken it. */
  outcome?: RunLine;
}

const REPEATED = {
  "in-hand": "it came again and waits for the same run",
  stored: "it came again and got the same answer",
} as const;

/** Seconds are counted on; oftener would only be unrest. */
const REDRAW_MS = 500;

/**
 * Makes a {@link RunView}: a line for each task when it is over, columns aligned, and on a terminal a live line about
 * what is going on. In a pipe, tasks get a line when they begin too, as nothing else shows that one is worked on.
 *
 * @param options.now milliseconds of a clock that only goes forward
 */
export function createRunView(output: Output, options: { verbose: boolean; now: () => number }): RunView {
  const { now, verbose } = options;
  const live = createLiveLine(output);
  const format = createRunLineFormat(output);
  const inHand = new Map<string, InHand>();
  let answered = 0;
  let failed = 0;
  let waiting = "";
  let trouble = "";
  let refusal = "";

  const print = (line: RunLine) => live.print(format(line));

  const settle = (outcome: RunLine & { work: Work }) => {
    const task = inHand.get(outcome.work.work_id);
    if (task !== undefined) task.outcome = outcome;
  };

  const finish = (work: Work, changed: Partial<RunLine> = {}) => {
    const outcome = inHand.get(work.work_id)?.outcome;
    inHand.delete(work.work_id);
    // Absent when an answer was not taken in its form: that has its line, and the report of it needs none.
    if (outcome !== undefined) print({ ...outcome, ...changed });
  };

  const recover = () => {
    if (trouble !== "") print({ word: "back", tone: "good", text: "the arena answers again" });
    trouble = "";
  };

  const tell = (event: RunEvent | WebhookEvent) => {
    switch (event.type) {
      case "ping":
        return print({ word: "ping", tone: "good", text: "the arena found this agent" });
      case "handshake":
        return print({ word: "handshake", tone: "good", text: "the arena found this agent" });
      case "refused": {
        const text = `${event.status} to a request: ${event.reason}`;
        // Once for each reason in a row: whoever finds an open port may knock for hours.
        if (text !== refusal) print({ word: "refused", tone: "warn", text });
        refusal = text;
        return;
      }
      case "repeated":
        return print({ work: event.work, word: "repeated", tone: "quiet", text: REPEATED[event.answer] });
      case "polling":
        waiting = "";
        return;
      case "idle":
        return recover();
      case "received": {
        recover();
        refusal = "";
        const { work, deadlineMs } = event;
        inHand.set(work.work_id, { begun: now(), deadlineMs });
        const text = `${formatDuration(deadlineMs)} left: ${work.prompt}`;
        if (!output.isTerminal) print({ work, word: "running", tone: "accent", text });
        return;
      }
      case "log":
        if (verbose) live.print(output.palette.quiet(`          ${toOneLine(event.line)}`));
        return;
      case "answered":
        answered += 1;
        return settle({ ...event, word: "completed", tone: "good", text: event.response });
      case "failed":
        failed += 1;
        return settle({ ...event, word: event.isTimeout ? "timeout" : "failed", tone: "bad", text: event.error });
      case "reported":
        recover();
        return finish(event.work);
      case "replied":
        return finish(event.work);
      case "unreplied":
      case "unreported":
        return finish(event.work, { word: "not taken", tone: "warn", text: event.reason });
      case "retrying":
        waiting = `${event.reason}; again in ${formatDuration(event.delayMs)}`;
        // Once for each reason: an arena may be away for hours.
        if (event.reason !== trouble) print({ word: "retrying", tone: "warn", text: event.reason });
        trouble = event.reason;
        return;
      case "pausing":
        waiting = `${event.reason}; again in ${formatDuration(event.delayMs)}`;
        return;
      case "stopping":
        return live.print("Finishing what is in hand. Ctrl-C again gives it up.");
    }
  };

  const refresh = () => {
    const tasks = [...inHand].map(([id, { begun, deadlineMs, outcome }]) => {
      const spent = now() - begun;
      const state = outcome
        ? "reporting"
        : `running ${formatSeconds(spent)}, ${formatSeconds(deadlineMs - spent)} left`;
      return `${toOneLine(id)} ${state}`;
    });
    const more = tasks.length > 3 ? [`${tasks.length - 3} more`] : [];
    const current = [...tasks.slice(0, 3), ...more].join(" · ");
    live.show(`${current || waiting || "waiting for work"} · ${answered} completed, ${failed} failed`);
  };
  const timer = output.isTerminal ? setInterval(refresh, REDRAW_MS) : undefined;

  return {
    onEvent(event) {
      tell(event);
      if (output.isTerminal) refresh();
    },
    print: (text) => live.print(text),
    end() {
      clearInterval(timer);
      live.end();
    },
  };
}

/** Tenths of a second would only flicker in a line that is drawn twice a second. */
function formatSeconds(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1_000);
}
