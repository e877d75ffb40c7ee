import type { Socket } from "node:net";
import { Client, type Dispatcher } from "undici";
import type { AddressGuard } from "./address-guard.ts";
import { type ConnectStage, createGuardedConnect } from "./address-guard-connect.ts";

/** What Node's own server takes by default; an answer with more than that in its head is no accident. */
const HEADERS_MAX_BYTES = 16_384;

/** Servers close idle connections after 5 s by habit; ours has to let go first. */
const KEEP_ALIVE_MS = 4_000;

/** Nobody sees it. Without one, two are made for each connection, and an error's stack costs more than a request. */
const ENDED = new Error("the exchange is over");

/**
 * One connection to one origin, behind the guard, for one exchange at a time.
 *
 * The client library's pools are left out: they decide by themselves which connection carries a request and when to
 * make another, and here a POST must go out once, on a connection vetted under the settings of that moment.
 */
export class OutboundConnection {
  readonly origin: string;
  readonly #client: Client;
  readonly #ended = new AbortController();
  #socket: Socket | undefined;
  #remoteAddress: string | undefined;
  #onStage: ((stage: ConnectStage) => void) | undefined;
  /** Connections made for the present exchange. */
  #made = 0;

  constructor(options: { url: URL; guard: AddressGuard; ca: string | undefined; onLost: () => void }) {
    this.origin = options.url.origin;
    const connect = createGuardedConnect({
      guard: options.guard,
      ca: options.ca,
      signal: this.#ended.signal,
      onStage: (stage) => this.#onStage?.(stage),
      onSocket: (socket) => {
        this.#socket = socket;
        this.#remoteAddress = socket.remoteAddress;
      },
    });
    this.#client = new Client(this.origin, {
      connect: (target, callback) => {
        this.#made += 1;
        // Undici connects again by itself when a connection is lost before the request was written. Once is enough.
        if (this.#made > 1) callback(new Error("the connection was lost at once"), null);
        else connect(target, callback);
      },
      allowH2: false,
      pipelining: 1,
      // The deadline of the exchange covers these; undici's default would end an answer after 300 s.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADERS_MAX_BYTES,
    });
    this.#client.on("disconnect", options.onLost);
  }

  get remoteAddress(): string | undefined {
    return this.#remoteAddress;
  }

  get bytesRead(): number {
    return this.#socket?.bytesRead ?? 0;
  }

  /** Whether the connection stands and could carry another exchange. */
  get isOpen(): boolean {
    return this.#socket !== undefined && !this.#socket.destroyed && !this.#ended.signal.aborted;
  }

  /** Whether the present exchange goes over a connection that an earlier one made. */
  get isReused(): boolean {
    return this.#made === 0 && this.#socket !== undefined;
  }

  /** Begins an exchange; the handler hears of it as undici defines. */
  dispatch(
    request: Dispatcher.DispatchOptions,
    handler: Dispatcher.DispatchHandler,
    onStage: (stage: ConnectStage) => void,
  ): void {
    this.#made = 0;
    this.#onStage = onStage;
    this.#client.dispatch(request, handler);
  }

  /** Lets go of the exchange that is over. An idle connection would keep all of it in memory, its answer included. */
  rest(): void {
    this.#onStage = undefined;
  }

  /** Ends it at whatever stage it is. Harmless when repeated. */
  destroy(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort(ENDED);
    this.#client.destroy(ENDED).catch(() => undefined);
  }
}
