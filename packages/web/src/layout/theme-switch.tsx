import { useSyncExternalStore } from "react";

type Theme = "light" | "dark";
const present = () => document.documentElement.dataset.theme as Theme;
const watch = (changed: () => void) => {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
};

/** Light or dark. Until somebody chooses, the page follows their system. */
export function ThemeSwitch() {
  const theme = useSyncExternalStore(watch, present);
  const next = theme === "dark" ? "light" : "dark";
  function change() {
    document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem("agon-theme", next);
    } catch {
      // Chosen for this page only, then.
    }
  }
  return (
    <button
      type="button"
      onClick={change}
      aria-label={`Switch to ${next}`}
      title={`Switch to ${next}`}
      className="size-8 grid place-items-center rounded-md text-ink-2 hover:text-ink hover:bg-sunk"
    >
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <circle cx="10" cy="10" r="7.2" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M10 2.8a7.2 7.2 0 0 1 0 14.4z" fill="currentColor" />
      </svg>
    </button>
  );
}
