import { setMaxListeners } from "node:events";
import type { Logger } from "pino";
import type { Clock } from "../ports.ts";
import type { AddressGuard } from "./address-guard.ts";
import { OutboundConnection } from "./outbound-connection.ts";
import { type ExchangeRequest, runExchange } from "./outbound-exchange.ts";
import type { ExchangeResult } from "./outbound-result.ts";

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
  const closed = new AbortController();
  setMaxListeners(0, closed.signal);
  /** Idle connections by origin; one each is enough, since an agent is seldom called twice within seconds. */
  const kept = new Map<string, OutboundConnection>();

  const open = (url: URL) => {
    const connection: OutboundConnection = new OutboundConnection({
      url,
      guard,
      ca: options.ca,
      onLost: () => {
        if (kept.get(connection.origin) !== connection) return;
        kept.delete(connection.origin);
        connection.destroy();
      },
    });
    return connection;
  };

  /** A kept connection was vetted when it was made; the settings may have changed since. */
  const takeKept = (url: URL): OutboundConnection | undefined => {
    const connection = kept.get(url.origin);
    if (connection === undefined) return undefined;
    kept.delete(url.origin);
    try {
      if (connection.isOpen && connection.remoteAddress !== undefined) {
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
    kept.get(connection.origin)?.destroy();
    kept.set(connection.origin, connection);
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
      const connection = (request.reuse ? takeKept(url) : undefined) ?? open(url);
      let isKept = false;
      try {
        const result = await runExchange(connection, url, request, startedAt, closed.signal);
        isKept = request.reuse === true && result.ok && connection.isOpen && !closed.signal.aborted;
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
      closed.abort();
      for (const connection of kept.values()) connection.destroy();
      kept.clear();
    },
  };
}
