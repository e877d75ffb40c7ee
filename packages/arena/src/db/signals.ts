import { EventEmitter } from "node:events";
import pg from "pg";
import type { Logger } from "pino";

const TOPICS = ["agent", "pool", "answers", "push", "runs", "run", "house"] as const;

/**
 * What a wake-up is about: an agent may have work, the pool of prompts changed, answers wait for judging, a push is due,
 * runs may go on, one run went on, the house has work.
 */
export type Topic = (typeof TOPICS)[number];

export interface Signals {
  /** Tells this node at once and the others soon. Only a hint: whoever listens looks at the database. */
  publish(topic: Topic, id?: number): void;
  /** Tells this node only. */
  publishHere(topic: Topic, id?: number): void;
  /** `id` is undefined when it may concern any. Returns the way to stop listening. */
  subscribe(topic: Topic, listener: (id: number | undefined) => void): () => void;
  close(): Promise<void>;
}

const CHANNEL = "agon";
// PostgreSQL refuses a payload of 8,000 bytes or more, and the refusal would be ours to explain.
const PAYLOAD_MAX_BYTES = 7_500;
const FLUSH_MS = 50;
const RECONNECT_MS = 1_000;
/** A notification to oneself takes a few milliseconds; one that has not come by then does not come at all. */
const SELF_TEST_MS = 2_000;

/** Signals within one process, for the embedded database. */
export function createLocalSignals(): Signals {
  const emitter = new EventEmitter().setMaxListeners(0);
  const publish = (topic: Topic, id?: number) => void emitter.emit(topic, id);
  return {
    publish,
    publishHere: publish,
    subscribe(topic, listener) {
      emitter.on(topic, listener);
      return () => void emitter.off(topic, listener);
    },
    async close() {
      emitter.removeAllListeners();
    },
  };
}

/**
 * Signals between all nodes by LISTEN and NOTIFY, on a connection of their own: inside a transaction NOTIFY takes a lock
 * that makes all commits wait for each other. What is published within 50 ms goes out as one notification; what could
 * not be sent goes out when the connection is back. After a lost connection every listener is told to look again, since
 * notifications in between are gone.
 */
export async function createPostgresSignals(options: { url: string; log: Logger; node: string }): Promise<Signals> {
  const local = createLocalSignals();
  const pending = new Map<Topic, Set<number> | "all">();
  let client: pg.Client | undefined;
  let flushTimer: NodeJS.Timeout | undefined;
  let reconnectTimer: NodeJS.Timeout | undefined;
  let selfTestTimer: NodeJS.Timeout | undefined;
  let closed = false;

  function lookAgain() {
    for (const topic of TOPICS) local.publish(topic);
  }

  function receive(payload: string | undefined) {
    try {
      const [from, topics] = JSON.parse(payload ?? "") as [string, [Topic, number[] | null][]];
      if (from === options.node) return clearTimeout(selfTestTimer);
      for (const [topic, ids] of topics) {
        if (ids === null) local.publish(topic);
        else for (const id of ids) local.publish(topic, id);
      }
    } catch {
      // Whoever may connect to the database may notify on this channel, also with something that we do not understand.
      lookAgain();
    }
  }

  async function connect() {
    const next = new pg.Client({ connectionString: options.url, application_name: "agon signals", keepAlive: true });
    next.on("notification", (message) => receive(message.payload));
    next.on("error", () => {});
    next.on("end", () => {
      if (client !== next || closed) return;
      client = undefined;
      options.log.warn("the connection for signals was lost; waiting polls look for themselves until it is back");
      retry();
    });
    try {
      await next.connect();
      await next.query(`listen ${CHANNEL}`);
    } catch (error) {
      next.end().catch(() => {});
      throw error;
    }
    if (closed) return void next.end().catch(() => {});
    client = next;
    await testSelf(next);
  }

  /** A pooler that shares connections between transactions swallows LISTEN without an error. */
  async function testSelf(connection: pg.Client) {
    selfTestTimer = setTimeout(() => {
      options.log.warn(
        "notifications of the database do not arrive, perhaps because of a pooler in front of it; waiting polls look for themselves",
      );
    }, SELF_TEST_MS);
    await connection.query("select pg_notify($1, $2)", [CHANNEL, JSON.stringify([options.node, []])]);
  }

  function retry() {
    reconnectTimer = setTimeout(async () => {
      try {
        await connect();
        lookAgain();
        if (pending.size > 0) flushSoon();
      } catch {
        if (!closed && client === undefined) retry();
      }
    }, RECONNECT_MS);
  }

  function flushSoon() {
    flushTimer ??= setTimeout(flush, FLUSH_MS);
  }

  async function flush() {
    flushTimer = undefined;
    if (client === undefined) return;
    const topics = [...pending].map(([topic, ids]) => [topic, ids === "all" ? null : [...ids]] as const);
    pending.clear();
    let payload = JSON.stringify([options.node, topics]);
    if (Buffer.byteLength(payload) > PAYLOAD_MAX_BYTES) {
      payload = JSON.stringify([options.node, topics.map(([topic]) => [topic, null])]);
    }
    try {
      await client.query("select pg_notify($1, $2)", [CHANNEL, payload]);
    } catch (error) {
      for (const [topic] of topics) pending.set(topic, "all");
      options.log.debug({ err: error }, "a signal was not sent");
    }
  }

  await connect();
  return {
    publish(topic, id) {
      local.publish(topic, id);
      const ids = pending.get(topic);
      if (id === undefined) pending.set(topic, "all");
      else if (ids === undefined) pending.set(topic, new Set([id]));
      else if (ids !== "all") ids.add(id);
      flushSoon();
    },
    publishHere: local.publish,
    subscribe: local.subscribe,
    async close() {
      closed = true;
      clearTimeout(reconnectTimer);
      clearTimeout(selfTestTimer);
      if (flushTimer !== undefined) {
        clearTimeout(flushTimer);
        await flush();
      }
      await local.close();
      await client?.end();
    },
  };
}
