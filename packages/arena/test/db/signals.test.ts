import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { Writable } from "node:stream";
import { Client } from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createLocalSignals, createPostgresSignals, type Signals, type Topic } from "../../src/db/signals.ts";
import { type FreshPostgresUrl, freshPostgresUrl, hasPostgres } from "../support/test-databases.ts";

const TOPICS: Topic[] = ["agent", "pool", "answers"];

/** Everything that a node hears, in order, such as `agent 7` or `pool all`. */
function listen(signals: Signals): string[] {
  const heard: string[] = [];
  for (const topic of TOPICS) signals.subscribe(topic, (id) => heard.push(`${topic} ${id ?? "all"}`));
  return heard;
}

describe("signals within one process", () => {
  it("reach every listener of their topic at once, until it stops listening", async () => {
    const signals = createLocalSignals();
    const heard = listen(signals);
    const others: unknown[] = [];
    const stop = signals.subscribe("agent", (id) => others.push(id));
    signals.publish("agent", 7);
    signals.publishHere("pool");
    stop();
    signals.publish("agent");
    expect([heard, others]).toEqual([["agent 7", "pool all", "agent all"], [7]]);
    await signals.close();
    signals.publish("agent", 8);
    expect(heard).toHaveLength(3);
  });
});

describe.skipIf(!hasPostgres())("signals between nodes", () => {
  let fresh: FreshPostgresUrl;
  let observer: Client;
  let notified: string[];
  let warnings: string[];
  const open: Signals[] = [];
  const servers: Server[] = [];

  beforeEach(async () => {
    fresh = await freshPostgresUrl();
    observer = new Client({ connectionString: fresh.url });
    await observer.connect();
    await observer.query("listen agon");
    notified = [];
    observer.on("notification", ({ payload }) => {
      // Not what nodes send to themselves to see whether anything arrives.
      if (!payload?.endsWith(",[]]")) notified.push(payload ?? "");
    });
    warnings = [];
  });
  afterEach(async () => {
    for (const signals of open.splice(0)) await signals.close();
    for (const server of servers.splice(0)) server.close();
    await observer.end();
    await fresh.drop();
  });

  async function openNode(node: string, url = fresh.url): Promise<Signals> {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        warnings.push(`${node}: ${JSON.parse(String(chunk)).msg}`);
        done();
      },
    });
    const signals = await createPostgresSignals({ url, log: pino({ level: "warn" }, stream), node });
    open.push(signals);
    return signals;
  }

  /** Ends the connections on which the nodes listen, and waits until the server has none of them left. */
  async function cutConnections() {
    await observer.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'agon signals' and datname = current_database()",
    );
  }
  const connections = async () => {
    const { rows } = await observer.query(
      "select count(*)::int as open from pg_stat_activity where application_name = 'agon signals' and datname = current_database()",
    );
    return rows[0].open as number;
  };

  it("reach the publisher at once and every other node within a second, the publisher not twice", async () => {
    const [one, two, three] = [await openNode("one"), await openNode("two"), await openNode("three")];
    const heard = [one, two, three].map(listen);
    const begun = performance.now();
    one.publish("agent", 7);
    one.publish("pool");
    expect(heard[0]).toEqual(["agent 7", "pool all"]);
    for (const each of heard) await expect.poll(() => each).toEqual(["agent 7", "pool all"]);
    expect(performance.now() - begun).toBeLessThan(1000);
    two.publish("answers");
    for (const each of heard) await expect.poll(() => each).toEqual(["agent 7", "pool all", "answers all"]);
    expect(notified).toHaveLength(2);
  });

  it("stay on their node when they are meant for it only", async () => {
    const [one, two] = [await openNode("one"), await openNode("two")];
    const heard = listen(two);
    one.publishHere("agent", 1);
    one.publish("agent", 2);
    await expect.poll(() => heard).toEqual(["agent 2"]);
  });

  it("go out together when they come together, each id once", async () => {
    const [one, two] = [await openNode("one"), await openNode("two")];
    const heard = listen(two);
    for (let round = 0; round < 3; round += 1) for (let id = 1; id <= 100; id += 1) one.publish("agent", id);
    await expect.poll(() => heard).toHaveLength(100);
    expect(heard).toEqual(Array.from({ length: 100 }, (_, index) => `agent ${index + 1}`));
    expect(notified).toHaveLength(1);
  });

  it("become one for everybody when one of them is, and when their ids do not fit into a notification", async () => {
    const [one, two] = [await openNode("one"), await openNode("two")];
    const heard = listen(two);
    one.publish("agent", 1);
    one.publish("agent");
    one.publish("agent", 2);
    await expect.poll(() => heard).toEqual(["agent all"]);
    for (let id = 1; id <= 5000; id += 1) one.publish("agent", id);
    one.publish("pool", 3);
    await expect.poll(() => heard).toEqual(["agent all", "agent all", "pool all"]);
    expect(notified.every((payload) => Buffer.byteLength(payload) < 8000)).toBe(true);
  });

  it("fit as ids up to the last one that a notification holds", async () => {
    const [one, two] = [await openNode("one"), await openNode("two")];
    const heard = listen(two);
    // Seven digits and a comma each: 900 ids are within the 7,500 bytes that are sent at the most, 1,000 are not.
    for (let id = 1; id <= 900; id += 1) one.publish("agent", 1_000_000 + id);
    await expect.poll(() => heard).toHaveLength(900);
    for (let id = 1; id <= 1000; id += 1) one.publish("agent", 1_000_000 + id);
    await expect.poll(() => heard.length).toBe(901);
    expect(heard.at(-1)).toBe("agent all");
  });

  it("tell everybody to look again after their connection was cut, and go on afterwards", async () => {
    const [one, two] = [await openNode("one"), await openNode("two")];
    const heard = [listen(one), listen(two)];
    await cutConnections();
    for (const each of heard)
      await expect
        .poll(() => each, { timeout: 5000 })
        .toEqual(expect.arrayContaining(TOPICS.map((topic) => `${topic} all`)));
    expect(warnings.toSorted()).toEqual(
      ["one", "two"].map((node) => expect.stringMatching(`^${node}: the connection for signals was lost`)),
    );
    await expect.poll(connections).toBe(2);
    one.publish("agent", 42);
    await expect.poll(() => heard[1]).toContain("agent 42");
    two.publish("agent", 43);
    await expect.poll(() => heard[0]).toContain("agent 43");
  });

  it("are sent when the connection is back if they could not be before", async () => {
    const one = await openNode("one");
    await cutConnections();
    await expect.poll(() => warnings).toHaveLength(1);
    one.publish("agent", 42);
    one.publish("pool");
    await expect.poll(() => notified, { timeout: 5000 }).toHaveLength(1);
    expect(JSON.parse(notified[0] as string)).toEqual([
      "one",
      [
        ["agent", [42]],
        ["pool", null],
      ],
    ]);
  });

  it("mean to look again when they are of no form that a node sends", async () => {
    const one = await openNode("one");
    const heard = listen(one);
    for (const payload of [
      "",
      "garbage",
      "7",
      "null",
      "{}",
      "[]",
      '["two"]',
      '["two",[["agent"]]]',
      '["two",[["agent",7]]]',
    ]) {
      heard.length = 0;
      await observer.query("select pg_notify('agon', $1)", [payload]);
      await expect.poll(() => heard.length).toBeGreaterThan(0);
    }
    await observer.query("select pg_notify('agon', $1)", ['["two",[["agent",[5]],["unheard of",null]]]']);
    await expect.poll(() => heard).toContain("agent 5");
  });

  it("are warned about at the start when nothing arrives, as behind a pooler that swallows LISTEN", async () => {
    const { port, hostname } = new URL(fresh.url);
    const server = createServer((socket) => {
      const upstream: Socket = connect(Number(port), hostname);
      // The statement that such a pooler loses, replaced by one of the same length.
      socket.on("data", (bytes) =>
        upstream.write(Buffer.from(bytes.toString("latin1").replace("listen agon", "select 1234"), "latin1")),
      );
      upstream.pipe(socket);
      socket.on("close", () => upstream.destroy());
      for (const each of [socket, upstream]) each.on("error", () => {});
    }).listen(0, "127.0.0.1");
    servers.push(server);
    await once(server, "listening");
    const url = new URL(fresh.url);
    url.port = String((server.address() as { port: number }).port);
    await openNode("pooled", url.href);
    await openNode("direct");
    await expect.poll(() => warnings, { timeout: 5000 }).toEqual([expect.stringContaining("pooled: notifications")]);
  });

  it("end with the node: what is pending goes out, and no connection is left", async () => {
    const [one, two] = [await openNode("one"), await openNode("two")];
    const heard = listen(two);
    one.publish("agent", 9);
    await one.close();
    await expect.poll(() => heard).toEqual(["agent 9"]);
    await expect.poll(connections).toBe(1);
    await two.close();
    await expect.poll(connections).toBe(0);
    expect(warnings).toEqual([]);
  });

  it("end with the node also while it waits to connect again", async () => {
    const one = await openNode("one");
    await cutConnections();
    await expect.poll(() => warnings).toHaveLength(1);
    await one.close();
    expect(await connections()).toBe(0);
  });
});
