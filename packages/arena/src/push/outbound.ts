import type { Logger } from "pino";
import type { Clock } from "../ports.ts";
import type { AddressGuard } from "./address-guard.ts";
import { CallOffs } from "./call-offs.ts";
import { OutboundConnection } from "./outbound-connection.ts";
import { type ExchangeRequest, runExchange } from "./outbound-exchange.ts";
import type { ExchangeResult } from "./outbound-result.ts";

/**
 * How long after an answer its connection counts as hot. Servers close idle connections after a second at the very
 * least, so within this time a request does not meet a connection that is being closed; that would look like a fault of
 * an endpoint which is well, and a task is never sent twice.
 */
const HOT_MS = 500;
/** More idle connections to one origin than this would be used by nobody before they end. */
const KEPT_PER_ORIGIN = 256;

/** How the arena calls the endpoints of agents. */
export interface Outbound {
  /**
   * One request, sent once. Resolves for whatever the endpoint does, refusals of the guard included.
   *
   * @throws TypeError for a request that cannot be sent at all
   */
  exchange(request: ExchangeRequest): Promise<ExchangeResult>;
  /** Calls off what is under way and closes every kept connection. */
  close(): void;
}

/** @param options.ca trusted instead of the usual authorities */
export function createOutbound(options: {
  guard: AddressGuard;
  clock: Clock;
  log: Pick<Logger, "debug">;
  ca?: string;
}): Outbound {
  const { guard, clock, log } = options;
  const callOffs = new CallOffs();
  /** Idle connections by origin, the latest last. */
  const kept = new Map<string, { connection: OutboundConnection; since: number }[]>();

  const open = (url: URL) => {
    const connection: OutboundConnection = new OutboundConnection({
      url,
      guard,
      ca: options.ca,
      onLost: () => {
        if (forget(connection)) connection.destroy();
      },
    });
    return connection;
  };

  const forget = (connection: OutboundConnection): boolean => {
    const idle = kept.get(connection.origin);
    const place = idle?.findIndex((each) => each.connection === connection) ?? -1;
    if (idle === undefined || place < 0) return false;
    idle.splice(place, 1);
    if (idle.length === 0) kept.delete(connection.origin);
    return true;
  };

  /** A kept connection was vetted when it was made; the settings may have changed since. */
  const takeKept = (url: URL, reuse: true | "hot"): OutboundConnection | undefined => {
    const idle = kept.get(url.origin)?.pop();
    if (idle === undefined) return undefined;
    if (kept.get(url.origin)?.length === 0) kept.delete(url.origin);
    const { connection, since } = idle;
    try {
      const isFresh = reuse === true || performance.now() - since <= HOT_MS;
      if (isFresh && connection.isOpen && connection.remoteAddress !== undefined) {
        guard.vet(url, connection.remoteAddress);
        return connection;
      }
    } catch {
      // The new connection that is made instead is refused with the reason.
    }
    connection.destroy();
    return undefined;
  };

  const keep = (connection: OutboundConnection) => {
    const idle = kept.get(connection.origin) ?? [];
    kept.set(connection.origin, idle);
    connection.rest();
    idle.push({ connection, since: performance.now() });
    if (idle.length > KEPT_PER_ORIGIN) idle.shift()?.connection.destroy();
  };

  return {
    async exchange(request) {
      const startedAt = clock.now();
      const checked = guard.checkUrl(request.url);
      if (!checked.ok) {
        const { detail } = checked;
        const timings = { total: 0 };
        return {
          ok: false,
          cause: "unreachable",
          code: "address_refused",
          detail,
          startedAt,
          timings,
          reusedSocket: false,
        };
      }
      const { url } = checked;
      const connection = (request.reuse ? takeKept(url, request.reuse) : undefined) ?? open(url);
      let isKept = false;
      try {
        const result = await runExchange(connection, url, request, startedAt, callOffs);
        isKept = Boolean(request.reuse) && result.ok && connection.isOpen && !callOffs.isOver;
        if (isKept) keep(connection);
        if (!result.ok) {
          const { code, detail, timings } = result;
          log.debug({ host: url.host, code, detail, timings }, "an endpoint gave no answer");
        }
        return result;
      } finally {
        if (!isKept) connection.destroy();
      }
    },

    close() {
      callOffs.callOff();
      for (const idle of kept.values()) for (const { connection } of idle) connection.destroy();
      kept.clear();
    },
  };
}
