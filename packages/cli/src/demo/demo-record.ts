import type { RunEvent, WebhookEvent } from "@agon/agent";
import type { FedVote } from "./vote-feed.ts";

/** How one agent did in one category. */
interface CategoryRecord {
  readonly category: string;
  wins: number;
  losses: number;
  ties: number;
}

/** What is told about an agent at the end. */
export interface DemoRecord {
  note(event: RunEvent | WebhookEvent): void;
  vote(vote: FedVote, side: "a" | "b"): void;
  /** Answers to the gym so far. */
  readonly gymAnswers: number;
  /** What went wrong at first, while nothing but that happened. */
  readonly firstError: string | undefined;
  /** What it was good at, and why it failed where it did, in one sentence. */
  tell(): string;
}

/** Makes an empty {@link DemoRecord}. */
export function createDemoRecord(): DemoRecord {
  const categories = new Map<string, CategoryRecord>();
  const errors: string[] = [];
  let gymAnswers = 0;
  let answered = 0;
  let spentMs = 0;

  const tellBattles = (): string[] => {
    const records = [...categories.values()];
    const decided = records.filter(({ wins, losses, ties }) => wins + losses + ties > 0);
    if (decided.length === 0) return records.length === 0 ? [] : ["nobody was right when it met others"];
    const best = decided.toSorted((x, y) => y.wins - y.losses - (x.wins - x.losses))[0] as CategoryRecord;
    const worst = decided.toSorted((x, y) => y.losses - y.wins - (x.losses - x.wins))[0] as CategoryRecord;
    const losses = decided.reduce((sum, record) => sum + record.losses, 0);
    if (best.wins === 0) return losses === 0 ? ["only ties"] : [`beat nobody, lost ${losses}`];
    const parts = [`best at ${best.category}, ${best.wins} of ${sizeOf(best)} won`];
    if (worst.losses > worst.wins) parts.push(`worst at ${worst.category}, ${worst.losses} of ${sizeOf(worst)} lost`);
    return parts;
  };

  return {
    note(event) {
      if (event.type === "answered") {
        answered += 1;
        spentMs += event.latencyMs;
        if (event.work.kind === "gym") gymAnswers += 1;
      }
      if (event.type === "failed") errors.push(event.error);
    },
    vote({ category, winner }, side) {
      const record = categories.get(category) ?? { category, wins: 0, losses: 0, ties: 0 };
      categories.set(category, record);
      if (winner === side) record.wins += 1;
      else if (winner === "tie") record.ties += 1;
      else if (winner !== "both_bad") record.losses += 1;
    },
    get gymAnswers() {
      return gymAnswers;
    },
    get firstError() {
      return errors[0];
    },
    tell() {
      const failures =
        errors.length === 0 ? [] : [`${errors.length} of ${answered + errors.length} prompts failed: ${errors.at(-1)}`];
      const pace =
        answered === 0
          ? []
          : [`${answered} ${answered === 1 ? "answer" : "answers"}, ${(spentMs / answered / 1_000).toFixed(1)} s each`];
      const battles = tellBattles();
      const none = battles.length === 0 && errors.length > 0 ? ["so it never left the gym"] : [];
      return [...battles, ...failures, ...none, ...pace].join("; ");
    },
  };
}

function sizeOf({ wins, losses, ties }: CategoryRecord): number {
  return wins + losses + ties;
}
