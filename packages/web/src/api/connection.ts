/** Whether the arena can be reached, as the last calls found it, and how a page that lost it finds it again. */
type State = "reached" | "lost";

let state: State = "reached";
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const AGAIN_MS = 2_000;

export function connectionState(): State {
  return state;
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function reportReached(): void {
  clearTimeout(timer);
  timer = undefined;
  change("reached");
}

export function reportUnreached(): void {
  change("lost");
  timer ??= setTimeout(look, AGAIN_MS);
}

async function look(): Promise<void> {
  timer = undefined;
  try {
    const answer = await fetch("/healthz", { cache: "no-store" });
    if (answer.ok) return reportReached();
  } catch {
    // Still away.
  }
  timer = setTimeout(look, AGAIN_MS);
}

function change(next: State): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}

// The browser knows at once what a call would find out later.
addEventListener("offline", reportUnreached);
addEventListener("online", () => void look());
