import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { Dialog } from "../ui/dialog.tsx";

const EVERYWHERE: [keys: string[], what: string][] = [
  [["?"], "this list"],
  [["g", "l"], "to the ladder"],
  [["g", "j"], "to judging"],
  [["g", "b"], "to the battles"],
  [["g", "c"], "to connecting an agent"],
  [["g", "d"], "to the docs"],
  [["g", "r"], "to the ratings"],
  [["/"], "search the docs"],
];
const JUDGING: [keys: string[], what: string][] = [
  [["←"], "A is better"],
  [["→"], "B is better"],
  [["↓"], "a tie"],
  [["↑"], "both are bad"],
  [["s"], "skip"],
  [["space"], "the next battle"],
];
const GO = { l: "/", j: "/judge", b: "/battles", c: "/connect", d: "/docs", r: "/ratings" } as const;
const PAIR_MS = 1_000;

/** Whether a key is meant for what is being typed into. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    target?.isContentEditable === true ||
    /^(INPUT|TEXTAREA|SELECT)$/.test(target?.tagName ?? "")
  );
}

/** Keys that work on every page, and the list of them all. */
export function Shortcuts() {
  const [open, setOpen] = useState(false);
  const navigate = useNavigate();
  useEffect(() => {
    let goSince = 0;
    function onKey(event: KeyboardEvent) {
      if (isTyping(event)) return;
      if (event.key === "?") return setOpen(true);
      // Who judges and slips a key shall not lose the battle from sight.
      if (event.key === "/" && !location.pathname.startsWith("/judge")) {
        // Or the slash would be the first letter in the box.
        event.preventDefault();
        const box = document.getElementById("docs-search");
        if (box !== null) box.focus();
        else void navigate({ to: "/docs", hash: "docs-search" });
        return;
      }
      if (event.key === "g") {
        goSince = Date.now();
        return;
      }
      const to = GO[event.key as keyof typeof GO];
      if (to !== undefined && Date.now() - goSince < PAIR_MS) void navigate({ to });
      goSince = 0;
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [navigate]);
  return (
    <Dialog open={open} onOpenChange={setOpen} title="Keys">
      <div className="grid sm:grid-cols-2 gap-6">
        <Keys title="Everywhere" keys={EVERYWHERE} />
        <Keys title="When judging" keys={JUDGING} />
      </div>
    </Dialog>
  );
}

function Keys({ title, keys }: { title: string; keys: [string[], string][] }) {
  return (
    <div>
      <h3 className="text-14 mb-2">{title}</h3>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-2 text-14">
        {keys.map(([pressed, what]) => (
          <div key={what} className="contents">
            <dt className="flex gap-1">
              {pressed.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd className="text-ink-2">{what}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

export function Key({ children }: { children: string }) {
  return (
    <kbd className="inline-block min-w-6 px-1.5 h-6 leading-[22px] text-center border border-edge rounded-sm bg-sheet text-ink font-mono text-12">
      {children}
    </kbd>
  );
}
