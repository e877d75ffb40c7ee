import type { ServerResponse } from "node:http";

/** Whether a response was written out, or its connection closed before. */
export interface ResponseWatch {
  readonly closed: boolean;
  readonly finished: boolean;
  /** Called once when the connection closes, with nothing if it has already; undefined to stop listening. */
  onClose: (() => void) | undefined;
}

/**
 * Watches a response to its end. An AbortController per poll would do the same, but its abort makes an error object
 * with a stack each time, at the end of every single request.
 */
export function watchResponse(response: ServerResponse): ResponseWatch {
  const watch = { closed: false, finished: false, onClose: undefined as (() => void) | undefined };
  response.once("finish", () => {
    watch.finished = true;
  });
  response.once("close", () => {
    watch.closed = true;
    watch.onClose?.();
  });
  return watch;
}
