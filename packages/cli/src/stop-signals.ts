/**
 * npx and npm run pass a Ctrl-C on to a program that the terminal has sent it to already. A person who means it twice is
 * slower than this.
 */
const SAME_SIGNAL_MS = 300;

/** What the signals to this process ask for. */
export interface StopSignals {
  /** Aborts at the first signal: finish what is in hand. */
  readonly stop: AbortSignal;
  /** Aborts at the second, or when the terminal goes away: at once. */
  readonly abort: AbortSignal;
  /** Leaves the signals to Node again. */
  ignore(): void;
}

/** Listens for SIGINT, SIGTERM and SIGHUP. */
export function listenForSignals(): StopSignals {
  const stop = new AbortController();
  const abort = new AbortController();
  let firstAt: number | undefined;
  const onSignal = () => {
    const now = performance.now();
    if (firstAt === undefined) {
      firstAt = now;
      stop.abort();
    } else if (now - firstAt > SAME_SIGNAL_MS) abort.abort();
  };
  const onHangUp = () => abort.abort();
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  process.on("SIGHUP", onHangUp);
  return {
    stop: stop.signal,
    abort: abort.signal,
    ignore() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
      process.off("SIGHUP", onHangUp);
    },
  };
}
