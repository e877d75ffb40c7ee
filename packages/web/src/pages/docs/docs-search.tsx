import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Key } from "../../layout/shortcuts.tsx";
import { cx } from "../../ui/class-names.ts";
import { ProblemNotice } from "../../ui/notice.tsx";
import { referenceQuery } from "./openapi.ts";
import type { Found } from "./search-index.ts";

/** The id by which the key `/` finds the box from any page (layout/shortcuts.tsx). */
const SEARCH_BOX = "docs-search";

/** Looks through all guides and calls, here in the browser; what it needs is loaded when somebody begins to type. */
export function DocsSearch() {
  const [words, setWords] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [isWanted, setWanted] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const list = useId();
  const navigate = useNavigate();
  const reference = useQuery({ ...referenceQuery, enabled: isWanted });
  const index = useQuery({
    queryKey: ["docs-index"],
    enabled: isWanted && reference.data !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await import("./search-index.ts")).loadIndex(reference.data ?? []),
  });
  const error = reference.error ?? index.error;
  const found = words.trim() === "" ? [] : (index.data?.find(words) ?? []);
  const chosen = Math.min(at, Math.max(0, found.length - 1));
  const isShown = isOpen && words.trim() !== "";

  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (hash === SEARCH_BOX) box.current?.focus();
  }, [hash]);
  useEffect(() => {
    const onPress = (event: PointerEvent) => {
      if (!place.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", onPress);
    return () => removeEventListener("pointerdown", onPress);
  }, []);

  function go({ kind, page, anchor }: Found) {
    setOpen(false);
    box.current?.blur();
    const target = anchor === "" ? {} : { hash: anchor };
    if (kind === "guide") void navigate({ to: "/docs/$slug", params: { slug: page }, ...target });
    else void navigate({ to: "/docs/api/$area", params: { area: page }, ...target });
  }
  function onKey(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setOpen(true);
      setAt((chosen + step + found.length) % found.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      const one = found[chosen];
      if (one !== undefined) go(one);
    } else if (event.key === "Escape") {
      if (isShown) setOpen(false);
      else setWords("");
    }
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: leaving it by Tab closes the list
    <div
      ref={place}
      className="relative"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <search>
        <label className="block">
          <span className="sr-only">Search the docs</span>
          <input
            ref={box}
            id={SEARCH_BOX}
            type="text"
            inputMode="search"
            role="combobox"
            aria-expanded={isShown}
            aria-controls={list}
            aria-activedescendant={isShown && found.length > 0 ? `${list}-${chosen}` : undefined}
            aria-autocomplete="list"
            autoComplete="off"
            spellCheck={false}
            placeholder="Search guides and calls"
            value={words}
            onChange={(event) => {
              setWords(event.target.value);
              setAt(0);
              setOpen(true);
              setWanted(true);
            }}
            onFocus={() => {
              setWanted(true);
              setOpen(true);
            }}
            onKeyDown={onKey}
            className="w-full h-10 bg-sheet border border-edge rounded-md pl-3 pr-10 text-16 hover:border-ink placeholder:text-ink-3"
          />
        </label>
        <span aria-hidden="true" className="absolute right-2 top-2 max-sm:hidden">
          <Key>/</Key>
        </span>
      </search>
      <div
        className={cx(
          "absolute z-30 inset-x-0 top-full mt-1 bg-sheet border border-line rounded-md shadow-lift max-h-[min(32rem,70dvh)] overflow-y-auto",
          !isShown && "hidden",
        )}
      >
        {error && (
          <div className="p-2">
            <ProblemNotice error={error} />
          </div>
        )}
        <p role="status" className={cx("text-14 text-ink-2 px-4", found.length === 0 && !error ? "py-3" : "sr-only")}>
          {!isShown || error
            ? ""
            : index.data === undefined
              ? "Reading the docs…"
              : found.length === 0
                ? "Nothing in the guides or the reference holds all of these words."
                : `${found.length} found`}
        </p>
        <div id={list} role="listbox" aria-label="What was found">
          {found.map((one, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the box's
            <div
              key={`${one.kind} ${one.page} ${one.anchor}`}
              id={`${list}-${place}`}
              role="option"
              tabIndex={-1}
              aria-selected={place === chosen}
              onPointerMove={() => setAt(place)}
              onClick={() => go(one)}
              className={cx(
                "px-4 py-2.5 border-b border-line last:border-b-0 cursor-pointer",
                place === chosen && "bg-sunk",
              )}
            >
              <p className="flex items-baseline gap-3">
                <b
                  className={cx(
                    "min-w-0 [overflow-wrap:anywhere]",
                    one.kind === "call" && "font-mono text-14 font-semibold",
                  )}
                >
                  <Marked pieces={one.title} />
                </b>
                <span className="label ml-auto whitespace-nowrap">{one.under}</span>
              </p>
              <p className="text-14 text-ink-2 line-clamp-2 [overflow-wrap:anywhere]">
                <Marked pieces={one.excerpt} />
              </p>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function Marked({ pieces }: { pieces: readonly string[] }) {
  return pieces.map((piece, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text in their order
      <mark key={index} className="bg-marker text-on-marker">
        {piece}
      </mark>
    ) : (
      piece
    ),
  );
}
