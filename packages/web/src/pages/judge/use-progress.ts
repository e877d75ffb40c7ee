import { useCallback, useState } from "react";
import type { Choice } from "./use-battles.ts";

const KEY = "agon-judged";
const KEPT = 400;

interface Kept {
  day: string;
  choices: Choice[];
}
const today = () => new Date().toISOString().slice(0, 10);

function load(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null;
    if (kept?.day === today() && Array.isArray(kept.choices)) return kept;
  } catch {
    // Counting is a courtesy; without storage it begins again.
  }
  return { day: today(), choices: [] };
}

/** What this browser judged today. */
export function useProgress() {
  const [kept, setKept] = useState(load);
  const add = useCallback((choice: Choice) => {
    if (choice === "skip") return;
    setKept((before) => {
      const choices = before.day === today() ? before.choices : [];
      const next = { day: today(), choices: [...choices, choice].slice(-KEPT) };
      try {
        localStorage.setItem(KEY, JSON.stringify(next));
      } catch {
        // As above.
      }
      return next;
    });
  }, []);
  return { choices: kept.choices, add };
}
