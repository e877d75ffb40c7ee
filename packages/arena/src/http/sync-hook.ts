import type { FastifyRequest, HookHandlerDoneFunction } from "fastify";

/**
 * A hook that has nothing to wait for. Written as an async function, each would cost every request a promise and a turn
 * of the microtask queue, and there are several before a request reaches its handler.
 */
export function syncHook(check: (request: FastifyRequest) => void) {
  return (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction): void => {
    try {
      check(request);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  };
}
