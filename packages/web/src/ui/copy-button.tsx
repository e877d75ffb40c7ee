import { useEffect, useState } from "react";
import { cx } from "./class-names.ts";

/** Copies and says so. Where the browser lets no page copy, it says that too. */
export function CopyButton({
  text,
  what,
  label = "Copy",
  className,
}: {
  text: string;
  what: string;
  label?: string;
  className?: string;
}) {
  const [said, setSaid] = useState<"copied" | "refused">();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), 1_600);
    return () => clearTimeout(timer);
  }, [said]);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("copied");
    } catch {
      setSaid("refused");
    }
  }
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={label === "Copy" ? `Copy ${what}` : label}
      className={cx(
        "inline-flex items-center h-7 px-2 rounded-md border border-line bg-sheet text-12 font-semibold text-ink-2 hover:border-ink hover:text-ink shrink-0",
        className,
      )}
    >
      <span aria-live="polite">{said === "copied" ? "Copied" : said === "refused" ? "Select it" : label}</span>
    </button>
  );
}
