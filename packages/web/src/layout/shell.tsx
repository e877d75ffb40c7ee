import { Outlet, useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { ConnectionBar } from "./connection-bar.tsx";
import { Foot } from "./foot.tsx";
import { Shortcuts } from "./shortcuts.tsx";
import { TopBar } from "./top-bar.tsx";

/** What stands around every page. */
export function Shell() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [seen, setSeen] = useState(path);
  // A reader that cannot see the page change hears it: the focus goes to where the new page begins.
  useEffect(() => {
    if (seen === path) return;
    setSeen(path);
    document.getElementById("page")?.focus({ preventScroll: true });
  }, [path, seen]);
  return (
    <div className="min-h-dvh flex flex-col">
      <a
        href="#page"
        className="absolute left-4 top-2 z-50 -translate-y-16 focus:translate-y-0 bg-marker text-on-marker px-3 py-1 rounded-md font-semibold"
      >
        Skip to the page
      </a>
      <TopBar />
      <ConnectionBar />
      <main id="page" tabIndex={-1} className="flex-1 w-full outline-none">
        <Outlet />
      </main>
      <Foot />
      <Shortcuts />
    </div>
  );
}
