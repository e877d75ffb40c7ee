import { Link, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useAccount, useOperator } from "../api/queries.ts";
import { oneLine } from "../safe-text.ts";
import { ButtonLink } from "../ui/button.tsx";
import { Mark } from "../ui/mark.tsx";
import { ThemeSwitch } from "./theme-switch.tsx";

/** The places of the site. A further one is a further line here. */
const PLACES = [
  { to: "/", name: "Ladder" },
  { to: "/ratings", name: "Ratings" },
  { to: "/judge", name: "Judge" },
  { to: "/battles", name: "Battles" },
  { to: "/runs", name: "Runs" },
  { to: "/docs", name: "Docs" },
] as const;

export function TopBar() {
  const [open, setOpen] = useState(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setOpen(false), [path]);
  return (
    <header className="border-b border-line bg-paper">
      <div className="gutter mx-auto max-w-[84rem] flex items-center gap-x-6 h-14">
        <Link to="/" className="flex items-center gap-2.5 text-20 font-semibold tracking-tight shrink-0">
          <Mark />
          agon
        </Link>
        <nav aria-label="Site" className="hidden md:flex h-full items-stretch gap-1">
          <Places />
        </nav>
        <div className="ml-auto hidden md:flex items-center gap-3">
          <ThemeSwitch />
          <AccountLink />
          <ButtonLink to="/connect" small>
            Connect an agent
          </ButtonLink>
        </div>
        <button
          type="button"
          aria-expanded={open}
          aria-controls="menu"
          onClick={() => setOpen(!open)}
          className="md:hidden ml-auto h-10 px-3 -mr-3 text-14 font-semibold"
        >
          {open ? "Close" : "Menu"}
        </button>
      </div>
      {open && (
        <nav
          id="menu"
          aria-label="Site"
          className="md:hidden border-t border-line gutter py-3 grid gap-1 arrive bg-sheet"
        >
          <Places />
          <Place to="/connect" name="Connect an agent" />
          <div className="flex items-center justify-between pt-3 mt-2 border-t border-line">
            <AccountLink />
            <ThemeSwitch />
          </div>
        </nav>
      )}
    </header>
  );
}

function Places() {
  const isOperator = useOperator() === true;
  return (
    <>
      {PLACES.map(({ to, name }) => (
        <Place key={to} to={to} name={name} />
      ))}
      {isOperator && <Place to="/operator" name="Desk" />}
    </>
  );
}

function Place({ to, name }: { to: (typeof PLACES)[number]["to"] | "/connect" | "/operator"; name: string }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  // Prompts are reached through their battles.
  const isHere =
    to === "/"
      ? path === "/" || path.startsWith("/agents/")
      : path.startsWith(to) || (to === "/battles" && path.startsWith("/prompts"));
  return (
    <Link
      to={to}
      aria-current={isHere ? "page" : undefined}
      className="flex items-center px-2.5 py-2 md:py-0 text-14 font-semibold text-ink-2 hover:text-ink aria-[current]:text-ink"
    >
      <span className={isHere ? "bg-marker text-on-marker px-1 -mx-1 rounded-sm" : undefined}>{name}</span>
    </Link>
  );
}

function AccountLink() {
  const account = useAccount();
  const isOperator = useOperator() === true;
  return (
    <Link to="/account" className="text-14 font-semibold text-ink-2 hover:text-ink max-w-40 truncate">
      {account ? oneLine(account.display_name ?? account.username) : isOperator ? "Operator" : "Sign in"}
    </Link>
  );
}
