import type { ReactNode } from "react";
import { Key } from "../../layout/shortcuts.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import type { Choice, Revealed } from "./use-battles.ts";

const REASONS: Record<string, string> = {
  judge: "Votes of visitors without an account are kept, but move no rating.",
  names_itself: "It moves no rating: an answer names its agent, its owner or its model.",
  hidden: "It moves no rating: the operator has taken an answer out.",
  prompt_closed: "It moves no rating: the prompt has closed meanwhile.",
};

/** Where the thumb and the keys are: the vote, and after it the way on. */
export function VoteBar({
  revealed,
  choice,
  isVoting,
  onVote,
  onNext,
}: {
  revealed: Revealed | undefined;
  choice: Choice | undefined;
  isVoting: boolean;
  onVote: (choice: Choice) => void;
  onNext: () => void;
}) {
  return (
    <div className="sticky bottom-0 z-20 mt-6 -mx-4 sm:-mx-6 px-4 sm:px-6 py-3 bg-paper border-t border-ink">
      <div aria-live="polite" className="min-h-[96px] md:min-h-11 flex flex-col justify-center">
        {revealed === undefined ? (
          <div className="grid grid-cols-4 gap-2 md:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)] md:gap-6">
            <Vote choice="a" side="a" keyName="←" onVote={onVote} isVoting={isVoting} isPressed={choice === "a"}>
              A is better
            </Vote>
            <div className="col-span-4 row-start-2 grid grid-cols-[1fr_1fr_auto] gap-2 md:col-auto md:row-auto">
              <Vote choice="tie" keyName="↓" onVote={onVote} isVoting={isVoting} isPressed={choice === "tie"}>
                Tie
              </Vote>
              <Vote choice="both_bad" keyName="↑" onVote={onVote} isVoting={isVoting} isPressed={choice === "both_bad"}>
                Both bad
              </Vote>
              <button
                type="button"
                disabled={isVoting}
                onClick={() => onVote("skip")}
                className="h-11 px-3 text-14 font-semibold text-ink-2 hover:text-ink inline-flex items-center justify-center gap-2"
              >
                Skip <KeyHint>S</KeyHint>
              </button>
            </div>
            <Vote choice="b" side="b" keyName="→" onVote={onVote} isVoting={isVoting} isPressed={choice === "b"}>
              B is better
            </Vote>
          </div>
        ) : (
          <div className="flex flex-wrap items-center gap-x-6 gap-y-2 arrive">
            <p className="text-14 min-w-0 flex-1 basis-60">
              <b>{said(choice)}</b>{" "}
              <span className="text-ink-2">
                {revealed.counted
                  ? `Vote ${revealed.number ?? ""} in the log.`
                  : (REASONS[revealed.reason ?? ""] ?? "It moves no rating.")}
              </span>
            </p>
            <Button look="main" onClick={onNext} className="w-full md:w-auto">
              Next battle <KeyHint>space</KeyHint>
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

function said(choice: Choice | undefined): string {
  if (choice === "a" || choice === "b") return `You chose ${choice.toUpperCase()}.`;
  return choice === "tie" ? "You called it a tie." : "You found both bad.";
}

const SIDES = {
  a: "border-a text-a hover:bg-a-soft col-span-2 md:col-auto",
  b: "border-b text-b hover:bg-b-soft col-span-2 col-start-3 row-start-1 md:col-auto md:row-auto",
};

function Vote({
  choice,
  side,
  keyName,
  isVoting,
  isPressed,
  onVote,
  children,
}: {
  choice: Choice;
  side?: "a" | "b";
  keyName: string;
  isVoting: boolean;
  isPressed: boolean;
  onVote: (choice: Choice) => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      disabled={isVoting}
      aria-busy={isVoting && isPressed}
      onClick={() => onVote(choice)}
      className={cx(
        "h-11 px-4 border-2 rounded-md bg-sheet text-14 font-semibold inline-flex items-center justify-center gap-2 disabled:opacity-55",
        side ? SIDES[side] : "border-edge text-ink hover:border-ink",
      )}
    >
      {children} <KeyHint>{keyName}</KeyHint>
    </button>
  );
}

function KeyHint({ children }: { children: string }) {
  return (
    <span aria-hidden="true" className="hidden md:inline">
      <Key>{children}</Key>
    </span>
  );
}
