import { useSyncExternalStore } from "react";
import { relative } from "../time.ts";

/** One clock for all times on the page, so that they do not each wake it. */
let now = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}, 5_000);
function subscribe(listener: () => void) {
  now = Date.now();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** When something was or will be: relative, with the exact time on hover. */
export function When({ at }: { at: string }) {
  const read = useSyncExternalStore(subscribe, () => now);
  const moment = new Date(at);
  return (
    <time
      dateTime={at}
      title={moment.toLocaleString(undefined, { dateStyle: "long", timeStyle: "medium" })}
      className="whitespace-nowrap"
    >
      {relative(moment.getTime(), read)}
    </time>
  );
}

/** A day. */
export function Day({ at }: { at: string }) {
  const day = new Date(at).toLocaleDateString(undefined, { dateStyle: "medium" });
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()} className="whitespace-nowrap">
      {day}
    </time>
  );
}
