import { Button } from "./button.tsx";

export const PAGE_SIZE = 50;

/** Steps through a list whose page is part of the address. */
export function Pager({
  total,
  offset,
  size = PAGE_SIZE,
  onOffset,
}: {
  total: number;
  offset: number;
  size?: number;
  onOffset: (offset: number) => void;
}) {
  if (total <= size) return null;
  return (
    <nav aria-label="Pages" className="flex items-center gap-3 py-4 text-14 text-ink-2">
      <Button small disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - size))}>
        Newer
      </Button>
      <span className="font-mono">
        {offset + 1}–{Math.min(total, offset + size)} of {total}
      </span>
      <Button small disabled={offset + size >= total} onClick={() => onOffset(offset + size)}>
        Older
      </Button>
    </nav>
  );
}
