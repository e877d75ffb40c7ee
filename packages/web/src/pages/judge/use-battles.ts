import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Answer, get, post } from "../../api/call.ts";
import { ApiProblem } from "../../api/problem.ts";

export type Showing = NonNullable<Answer<"/api/judge/next">>;
export type Choice = "a" | "b" | "tie" | "both_bad" | "skip";
export type Revealed = Answer<"/api/judge/{battle_id}/vote", "post">;

export interface Battles {
  /** undefined: being fetched; null: there is none for this judge now. */
  showing: Showing | null | undefined;
  /** What the vote on it revealed. */
  revealed: Revealed | undefined;
  isVoting: boolean;
  error: unknown;
  vote: (choice: Choice) => void;
  next: () => void;
  /** Looks again after an error, or for new battles. */
  again: () => void;
}

/** A showing that ends sooner than that is not begun. */
const TOO_SHORT_MS = 45_000;
const LOOK_AGAIN_MS = 10_000;

/**
 * Battles one after the other. While one is looked at the next is fetched, so that it is there before it is asked for; a
 * judge may hold two, which is why no third is. A battle that ended meanwhile is replaced without a word of blame.
 */
export function useBattles(onVoted: (choice: Choice) => void): Battles {
  const [showing, setShowing] = useState<Showing | null>();
  const [revealed, setRevealed] = useState<Revealed>();
  const [isVoting, setVoting] = useState(false);
  const [error, setError] = useState<unknown>();
  const upcoming = useRef<Promise<Showing | undefined> | undefined>(undefined);
  const turn = useRef(0);
  const voting = useRef(false);
  const queries = useQueryClient();

  const show = useCallback((battle: Showing | undefined) => {
    setRevealed(undefined);
    setError(undefined);
    setShowing(battle ?? null);
    scrollTo({ top: 0 });
    if (battle === undefined) return;
    const fetched = get("/api/judge/next").then((other) => (other?.battle_id === battle.battle_id ? undefined : other));
    // Nobody waits for it yet; whoever does will see why it failed.
    fetched.catch(() => {});
    upcoming.current = fetched;
  }, []);

  const advance = useCallback(async () => {
    const mine = ++turn.current;
    const waiting = upcoming.current;
    upcoming.current = undefined;
    const isGood = (battle: Showing | undefined) =>
      battle !== undefined && Date.parse(battle.expires_at) - Date.now() > TOO_SHORT_MS;
    // What is here already is shown in this very turn; a skeleton between would only flicker.
    const timer = setTimeout(() => {
      setRevealed(undefined);
      setShowing(undefined);
    }, 80);
    try {
      let battle = await waiting?.catch(() => undefined);
      if (!isGood(battle)) battle = await get("/api/judge/next");
      if (mine === turn.current) show(battle);
    } catch (problem) {
      if (mine === turn.current) setError(problem);
    } finally {
      clearTimeout(timer);
    }
  }, [show]);

  useEffect(() => void advance(), [advance]);

  // Somebody who waits for battles sees the first one come; a hidden tab holds none back from others.
  useEffect(() => {
    if (showing !== null) return;
    const timer = setInterval(() => {
      if (!document.hidden) void advance();
    }, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [showing, advance]);

  const vote = useCallback(
    async (choice: Choice) => {
      if (!showing || revealed !== undefined || voting.current) return;
      voting.current = true;
      setVoting(true);
      setError(undefined);
      try {
        const answer = await post(
          "/api/judge/{battle_id}/vote",
          { path: { battle_id: showing.battle_id } },
          { choice },
        );
        onVoted(choice);
        if (choice === "skip") await advance();
        else setRevealed(answer);
        void queries.invalidateQueries({ queryKey: ["/api/live"] });
      } catch (problem) {
        const isOver = problem instanceof ApiProblem && [404, 409, 410].includes(problem.status);
        if (isOver) await advance();
        setError(problem);
      } finally {
        voting.current = false;
        setVoting(false);
      }
    },
    [showing, revealed, onVoted, advance, queries],
  );

  return { showing, revealed, isVoting, error, vote, next: () => void advance(), again: () => void advance() };
}
