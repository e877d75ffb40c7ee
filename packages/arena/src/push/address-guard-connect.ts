import { isIP, type LookupFunction, type Socket } from "node:net";
import { buildConnector } from "undici";
import type { AddressGuard, ResolvedAddress } from "./address-guard.ts";

/**
 * Time for one address of several before the next is tried. Node's 250 ms give up on agents that are merely far away,
 * and those then fail always: every address gets the same 250 ms.
 */
const ATTEMPT_MS = 1_500;

/** How far a connection has got. */
export type ConnectStage = "dns" | "connect" | "tls" | "connected";

export interface GuardedConnectOptions {
  guard: AddressGuard;
  /** Trusted instead of the usual authorities. */
  ca?: string | undefined;
  onStage?: (stage: ConnectStage) => void;
  /** Is given the socket once it is vetted and ready. */
  onSocket?: (socket: Socket) => void;
  /** Ends an attempt; undici has no way to end one that is still resolving. */
  signal?: AbortSignal;
}

/**
 * The `connect` of an undici dispatcher behind the guard: resolves and vets, then connects to these addresses and no
 * others, while Host, SNI and the check of the certificate keep the name. It sets no timeout of its own; the deadline
 * of the exchange covers connecting.
 */
export function createGuardedConnect(options: GuardedConnectOptions): buildConnector.connector {
  const { guard, signal, onStage } = options;
  return (target, callback) => {
    const url = new URL(`${target.protocol}//${target.host}`);
    if (isIP(target.hostname) === 0) onStage?.("dns");
    guard
      .resolve(url)
      .then((addresses) => {
        signal?.throwIfAborted();
        onStage?.("connect");
        const connect = buildConnector({
          ...(options.ca === undefined ? {} : { ca: options.ca }),
          lookup: pinTo(addresses),
          autoSelectFamily: true,
          autoSelectFamilyAttemptTimeout: ATTEMPT_MS,
          timeout: 0,
          allowH2: false,
          maxCachedSessions: 0,
        } as buildConnector.BuildOptions);

        const connected: buildConnector.Callback = (error, socket) => {
          signal?.removeEventListener("abort", giveUp);
          const refused = error ?? vetSocket(guard, url, socket as Socket);
          if (refused !== undefined) {
            attempt?.destroy();
            return callback(refused, null);
          }
          onStage?.("connected");
          options.onSocket?.(socket as Socket);
          callback(null, socket as Socket);
        };
        // Typed as void, but undici's own connector returns the socket, and undici itself cancels by it.
        const attempt = connect(target, connected) as unknown as Socket | undefined;
        const giveUp = () => attempt?.destroy();
        signal?.addEventListener("abort", giveUp, { once: true });
        if (url.protocol === "https:") attempt?.once("connect", () => onStage?.("tls"));
      })
      .catch((error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null));
  };
}

/** Answers every question of net.connect with the vetted addresses. */
function pinTo(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    if (options.all) return callback(null, [...addresses]);
    const [first] = addresses;
    callback(null, first!.address, first!.family);
  };
}

/** The other end as the kernel sees it: should a way around the lookup ever appear, it ends here. */
function vetSocket(guard: AddressGuard, url: URL, socket: Socket): Error | undefined {
  try {
    if (socket.remoteAddress !== undefined) guard.vet(url, socket.remoteAddress);
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
