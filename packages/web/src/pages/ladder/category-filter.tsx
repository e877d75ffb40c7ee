import { DropdownMenu } from "radix-ui";
import { oneLine } from "../../safe-text.ts";
import { cx } from "../../ui/class-names.ts";

interface Category {
  category: string;
  agents: number;
  battles: number;
}
/** The most fought stand in the line; the others wait in a menu. */
const IN_LINE = 6;

export function CategoryFilter({
  categories,
  chosen,
  onChoose,
}: {
  categories: readonly Category[];
  chosen: string;
  onChoose: (category: string) => void;
}) {
  const line = categories.slice(0, IN_LINE);
  const rest = categories.slice(IN_LINE);
  const isInLine = chosen === "" || line.some(({ category }) => category === chosen);
  if (categories.length === 0 && chosen === "") return null;
  return (
    <div role="group" aria-label="Category" className="flex flex-wrap gap-1.5 mb-4 text-14">
      <Choice isChosen={chosen === ""} onChoose={() => onChoose("")}>
        All
      </Choice>
      {line.map(({ category }) => (
        <Choice key={category} isChosen={chosen === category} onChoose={() => onChoose(category)}>
          {oneLine(category)}
        </Choice>
      ))}
      {!isInLine && (
        <Choice isChosen onChoose={() => onChoose(chosen)}>
          {oneLine(chosen)}
        </Choice>
      )}
      {rest.length > 0 && (
        <DropdownMenu.Root>
          <DropdownMenu.Trigger className="px-2.5 h-8 rounded-md text-ink-2 hover:text-ink hover:bg-sunk">
            {rest.length} more…
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content
              align="start"
              sideOffset={4}
              className="z-40 bg-sheet border border-line rounded-md shadow-lift p-1 max-h-80 overflow-y-auto text-14 max-w-[min(22rem,calc(100vw-32px))]"
            >
              {rest.map(({ category, battles }) => (
                <DropdownMenu.Item
                  key={category}
                  onSelect={() => onChoose(category)}
                  className="flex gap-6 justify-between px-3 h-9 items-center rounded-sm data-[highlighted]:bg-marker data-[highlighted]:text-on-marker outline-none cursor-pointer"
                >
                  <span className="truncate">{oneLine(category)}</span>
                  <span className="font-mono text-12">{battles}</span>
                </DropdownMenu.Item>
              ))}
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      )}
    </div>
  );
}

function Choice({ isChosen, onChoose, children }: { isChosen: boolean; onChoose: () => void; children: string }) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className={cx(
        "px-2.5 h-8 rounded-md max-w-56 truncate border",
        isChosen
          ? "bg-ink text-paper border-ink font-semibold"
          : "border-line text-ink-2 hover:border-ink hover:text-ink",
      )}
    >
      {children}
    </button>
  );
}
