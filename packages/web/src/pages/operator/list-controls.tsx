import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";

/** What a list is narrowed by: words, and one of some states. Both stand in the address. */
export function ListControls({
  label,
  search,
  onSearch,
  states,
  state,
  onState,
}: {
  /** Of the search field; without it there is none. */
  label?: string;
  search?: string | undefined;
  onSearch?: (search: string) => void;
  states: readonly string[];
  state: string | undefined;
  onState: (state: string | undefined) => void;
}) {
  const [typed, setTyped] = useState(search ?? "");
  useEffect(() => setTyped(search ?? ""), [search]);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSearch?.(typed.trim());
  }
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-3 items-center mb-4">
      {onSearch && (
        <form role="search" onSubmit={submit} className="flex gap-2 w-full sm:w-auto">
          <input
            type="search"
            aria-label={label}
            placeholder={label}
            value={typed}
            maxLength={200}
            onChange={(event) => setTyped(event.target.value)}
            className="bg-sheet border border-edge rounded-md px-3 h-10 text-16 hover:border-ink placeholder:text-ink-3 min-w-0 flex-1 sm:w-72"
          />
          <Button type="submit">Search</Button>
        </form>
      )}
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">State</legend>
        {[undefined, ...states].map((each) => (
          <button
            key={each ?? ""}
            type="button"
            aria-pressed={state === each}
            onClick={() => onState(each)}
            className={cx(
              "h-8 px-2.5 rounded-md text-14 font-semibold border",
              state === each ? "border-ink text-ink bg-sheet" : "border-transparent text-ink-2 hover:bg-sunk",
            )}
          >
            {each ?? "all"}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
