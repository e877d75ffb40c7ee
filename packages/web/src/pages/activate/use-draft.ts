import { useState } from "react";
import type { Check, Exchange } from "./exchange.tsx";
import { ROLES, type Role } from "./roles.tsx";

/** What a probe of a URL found. */
export interface Found {
  ok: boolean;
  detail: string;
  latencyMs: number | null;
  checks: Check[];
  /** Missing in what an earlier version of this page kept. */
  exchange?: Exchange;
}
export interface Draft {
  url: string;
  name: string;
  roles: Role[];
  found: Record<string, Found>;
}

const NAME = "agon-signed-draft";
const NEW: Draft = { url: "", name: "", roles: ["SCOUT"], found: {} };

function kept(): Draft {
  try {
    const draft = JSON.parse(localStorage.getItem(NAME) ?? "{}") as Partial<Draft>;
    const roles = ROLES.filter((role) => (draft.roles ?? NEW.roles).includes(role));
    return { ...NEW, ...draft, roles, found: draft.found ?? {} };
  } catch {
    return NEW;
  }
}

function keep(draft: Draft | undefined): void {
  try {
    if (draft === undefined) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, JSON.stringify(draft));
  } catch {
    // Then it lasts as long as the page.
  }
}

/** An agent that is not registered yet, with what was found of it; there when its owner comes back. No secret is in it. */
export function useDraft() {
  const [draft, setDraft] = useState(kept);
  function change(part: (before: Draft) => Partial<Draft>) {
    setDraft((before) => {
      const next = { ...before, ...part(before) };
      keep(next);
      return next;
    });
  }
  return { draft, change, forget: () => keep(undefined) };
}
