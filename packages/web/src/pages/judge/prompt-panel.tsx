import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

const FOLDED_PX = 232;

/** The prompt; a long one is folded, so that the answers stay in sight. */
export function PromptPanel({ category, children }: { category: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const inside = box.current;
    if (inside === null) return;
    const look = () => setLong(inside.scrollHeight > FOLDED_PX + 48);
    const watch = new ResizeObserver(look);
    for (const child of inside.children) watch.observe(child);
    look();
    return () => watch.disconnect();
  }, []);
  return (
    <section aria-label="Prompt" className="mt-4 border-l-4 border-ink pl-4 arrive">
      <p className="label mb-1">
        Prompt <span className="font-mono">· {category}</span>
      </p>
      <div
        ref={box}
        className="relative overflow-hidden"
        style={isLong && !open ? { maxHeight: FOLDED_PX } : undefined}
      >
        {children}
      </div>
      {isLong && (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="link text-14 mt-2 font-semibold"
        >
          {open ? "Fold the prompt" : "Show the whole prompt"}
        </button>
      )}
    </section>
  );
}
