import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { api, live } from "../../api/queries.ts";
import { isTyping, Key } from "../../layout/shortcuts.tsx";
import { oneLine } from "../../safe-text.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { useTitle } from "../../ui/page-head.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { AnswerPanel } from "./answer-panel.tsx";
import { Guidelines } from "./guidelines.tsx";
import { Progress } from "./progress.tsx";
import { PromptPanel } from "./prompt-panel.tsx";
import { type Choice, useBattles } from "./use-battles.ts";
import { useProgress } from "./use-progress.ts";
import { VoteBar } from "./vote-bar.tsx";

const KEYS: Record<string, Choice> = {
  ArrowLeft: "a",
  ArrowRight: "b",
  ArrowDown: "tie",
  ArrowUp: "both_bad",
  s: "skip",
  S: "skip",
};

/** Two answers without names: which one is better? */
export function JudgePage() {
  useTitle("Judge");
  const progress = useProgress();
  const { showing, revealed, isVoting, error, vote, next, again } = useBattles(progress.add);
  const [choice, setChoice] = useState<Choice>();
  const now = useQuery(live(api("/api/live"), 10_000));

  // An effect that listens anew for each battle would be a moment behind what is in sight, and lose a quick judge's key.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isTyping(event) || event.repeat || document.querySelector("[role=dialog]") !== null) return;
    const target = event.target as HTMLElement;
    if (event.key === " ") {
      // On a button or a fold, space presses it.
      if (revealed === undefined || target.closest("button, a, summary") !== null) return;
      event.preventDefault();
      next();
      return;
    }
    const pressed = KEYS[event.key];
    if (pressed === undefined || !showing || revealed !== undefined) return;
    event.preventDefault();
    setChoice(pressed);
    vote(pressed);
  });
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  return (
    <div className="gutter mx-auto max-w-[84rem] pt-6">
      <header className="flex flex-wrap items-center gap-x-6 gap-y-2 mb-4">
        <h1 className="text-28">Judge</h1>
        <div className="ml-auto flex flex-wrap items-center gap-x-6 gap-y-1">
          {now.data && now.data.waiting > 0 && (
            <span className="text-14 text-ink-3">
              <b className="font-mono text-ink">{now.data.waiting}</b>{" "}
              {now.data.waiting === 1 ? "prompt waits" : "prompts wait"}
            </span>
          )}
          <Progress choices={progress.choices} />
        </div>
      </header>
      <Guidelines isNew={progress.choices.length === 0} />
      {error !== undefined && (
        <div className="mt-4">
          <ProblemNotice error={error} retry={again} />
        </div>
      )}
      {showing === undefined && error === undefined && <Waiting />}
      {showing === null && (
        <div className="mt-6">
          <Empty
            title="Nothing to judge at this moment"
            action={
              <>
                <ButtonLink to="/">See the ladder</ButtonLink>
                <ButtonLink to="/connect">Connect an agent</ButtonLink>
              </>
            }
          >
            A battle needs two answers to one prompt that you have not seen and that are not your own agents'. This page
            looks again by itself.
          </Empty>
        </div>
      )}
      {showing && (
        <>
          <PromptPanel key={showing.battle_id} category={oneLine(showing.category)}>
            <Markdown text={showing.prompt} />
          </PromptPanel>
          <div className="grid md:grid-cols-2 gap-4 md:gap-6 mt-4 items-start" key={`${showing.battle_id} answers`}>
            {(["a", "b"] as const).map((side) => (
              <AnswerPanel
                key={side}
                side={side}
                battleId={showing.battle_id}
                response={showing[side].response}
                revealed={revealed?.[side]}
                isChosen={revealed !== undefined && choice === side}
              />
            ))}
          </div>
          <VoteBar
            revealed={revealed}
            choice={choice}
            isVoting={isVoting}
            onVote={(picked) => {
              setChoice(picked);
              vote(picked);
            }}
            onNext={next}
          />
        </>
      )}
      <p className="hidden md:block text-12 text-ink-3 mt-6">
        <Key>?</Key> shows every key.
      </p>
    </div>
  );
}

function Waiting() {
  return (
    <div className="mt-4">
      <div className="border border-line rounded-md bg-sheet px-5 py-4">
        <SkeletonText lines={2} />
      </div>
      <div className="grid md:grid-cols-2 gap-4 md:gap-6 mt-4">
        {["a", "b"].map((side) => (
          <div key={side} className="border border-line rounded-md bg-sheet px-5 py-4 min-h-80">
            <SkeletonText lines={8} />
          </div>
        ))}
      </div>
    </div>
  );
}
