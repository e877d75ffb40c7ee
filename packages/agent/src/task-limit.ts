import { AgentError } from "./agent-error.ts";
import { timerMs } from "./answer.ts";

/** A handler that heeds its signal needs some time to end what it runs; one that does not is left after this time. */
const SETTLE_MS = 1_000;

/** The bounds of one task: when it has to be done, and what gives it up. */
export interface TaskLimit {
  readonly signal: AbortSignal;
  /** Gives the task up. */
  abort(error: AgentError): void;
  /** Resolves with what `work` does, but rejects soon after the signal, whether or not `work` heeds it. */
  run<T>(work: Promise<T>): Promise<T>;
}

/** @param deadlineMs from now; the answer has to be on its way by then */
export function startTaskLimit(deadlineMs: number): TaskLimit {
  const controller = new AbortController();
  const { signal } = controller;
  let leave = () => {};
  const abort = (error: AgentError) => {
    if (signal.aborted) return;
    clearTimeout(timer);
    controller.abort(error);
    leave();
  };
  // Made when it is needed: an error object with its stack costs more than all else here.
  const expire = () => abort(new AgentError("deadline", `no answer within ${Math.round(deadlineMs / 100) / 10} s`));
  const timer = setTimeout(expire, timerMs(deadlineMs));
  return {
    signal,
    abort,
    run: (work) =>
      new Promise((resolve, reject) => {
        let left: NodeJS.Timeout | undefined;
        leave = () => {
          left = setTimeout(() => reject(signal.reason), SETTLE_MS);
        };
        if (signal.aborted) leave();
        const end = () => {
          clearTimeout(timer);
          clearTimeout(left);
          leave = () => {};
        };
        work.then(
          (made) => {
            end();
            // Too late is too late, also for a handler that went on past its signal.
            if (signal.aborted) reject(signal.reason);
            else resolve(made);
          },
          (error: unknown) => {
            end();
            reject(signal.aborted ? signal.reason : error);
          },
        );
      }),
  };
}
