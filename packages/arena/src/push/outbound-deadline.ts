/** From here on a late timer says more about us than about the endpoint. */
const LAG_MS = 250;

/** Turns of the event loop granted after such a lag while bytes keep coming: enough for megabytes, and an end. */
const LAG_TURNS = 32;

/** Longer delays make a timer fire at once. */
const TIMER_MAX_MS = 2_147_483_647;

/**
 * The one authority over the time of an exchange.
 *
 * When its timer fires, bytes of a complete answer may already lie in the kernel, unread because our own loop was busy.
 * So the end waits for one turn of the loop, in which sockets are read; after a lag of over 250 ms for more turns, as
 * long as each brings further bytes.
 *
 * @param options.bytesRead bytes that the socket has delivered so far
 * @param options.onExpired gets the lag in ms; never called after the returned function, which ends the deadline
 */
export function startDeadline(options: {
  deadlineMs: number;
  bytesRead: () => number;
  onExpired: (lagMs: number) => void;
}): () => void {
  const delay = Math.min(Math.max(options.deadlineMs, 0), TIMER_MAX_MS);
  // Real time, whatever the arena's clock says: this is about the lag of this process.
  const due = performance.now() + delay;
  let immediate: NodeJS.Immediate | undefined;

  const timer = setTimeout(() => {
    const lagMs = performance.now() - due;
    let turns = lagMs > LAG_MS ? LAG_TURNS : 1;
    const giveTurn = () => {
      const seen = options.bytesRead();
      immediate = setImmediate(() => {
        turns -= 1;
        if (turns > 0 && options.bytesRead() > seen) giveTurn();
        else options.onExpired(lagMs > LAG_MS ? lagMs : 0);
      });
    };
    giveTurn();
  }, delay);

  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}
