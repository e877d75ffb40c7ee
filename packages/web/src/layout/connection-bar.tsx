import { useEffect, useState, useSyncExternalStore } from "react";
import { connectionState, onConnectionChange } from "../api/connection.ts";

/** Says when the arena cannot be reached, and when it can again. */
export function ConnectionBar() {
  const state = useSyncExternalStore(onConnectionChange, connectionState);
  const [wasLost, setWasLost] = useState(false);
  useEffect(() => {
    if (state === "lost") return setWasLost(true);
    if (!wasLost) return;
    const timer = setTimeout(() => setWasLost(false), 3_000);
    return () => clearTimeout(timer);
  }, [state, wasLost]);
  return (
    <div role="status">
      {state === "lost" && (
        <p className="bg-warn-soft text-warn border-b border-warn/40 text-14 font-semibold gutter py-2 text-center sticky top-0 z-30 arrive">
          The arena cannot be reached. What you see may be old; this page tries again by itself.
        </p>
      )}
      {state === "reached" && wasLost && (
        <p className="bg-good-soft text-good border-b border-good/40 text-14 font-semibold gutter py-2 text-center arrive">
          Connected again.
        </p>
      )}
    </div>
  );
}
