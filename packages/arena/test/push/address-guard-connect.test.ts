import net from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createAddressGuard } from "../../src/push/address-guard.ts";
import { expectAnswer, expectFailure, openOutbound, post, stubLookup } from "./support/outbound-fixture.ts";
import { answer, startRawEndpoint } from "./support/raw-endpoint.ts";

const start = () => startRawEndpoint((socket) => socket.end(answer("{}")));

describe("a guarded connection", () => {
  test("never reaches a private server when the second answer of the resolver leads there", async () => {
    const inside = await start();
    const url = `https://rebind.example.com:${inside.port}/`;
    const lookup = stubLookup(["93.184.216.34"], ["127.0.0.1"]);
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: [], lookup });
    // What a check at registration sees.
    await expect(guard.resolve(new URL(url))).resolves.toHaveLength(1);

    const result = await openOutbound({ guard }).exchange(post(url));
    expect(expectFailure(result)).toMatchObject({ cause: "unreachable", code: "address_refused" });
    expect(inside.accepted).toBe(0);
  });

  test("asks the resolver once per connection, so that there is no second answer", async () => {
    const inside = await start();
    const lookup = stubLookup(["127.0.0.1"], ["169.254.169.254"]);
    const result = await openOutbound({ lookup }).exchange(post(`http://once.example.com:${inside.port}/`));
    expectAnswer(result);
    expect(lookup.asked).toEqual(["once.example.com"]);
  });

  test("vets again for each new connection", async () => {
    const inside = await start();
    const outbound = openOutbound({ lookup: stubLookup(["127.0.0.1"], ["169.254.169.254"]) });
    expectAnswer(await outbound.exchange(post(`http://twice.example.com:${inside.port}/`)));
    const second = expectFailure(await outbound.exchange(post(`http://twice.example.com:${inside.port}/`)));
    expect(second.code).toBe("address_refused");
    expect(inside.accepted).toBe(1);
  });

  test("makes no connection at all for a mixed set of addresses", async () => {
    const inside = await start();
    const lookup = stubLookup(["127.0.0.1", "169.254.169.254"]);
    const result = await openOutbound({ lookup }).exchange(post(`http://mixed.example.com:${inside.port}/`));
    expect(expectFailure(result).code).toBe("address_refused");
    expect(inside.accepted).toBe(0);
  });

  test("vets addresses written into the URL, which no lookup ever sees", async () => {
    const inside = await start();
    const outbound = openOutbound({ allowPrivate: false });
    for (const host of ["127.0.0.1", "2130706433", "[::ffff:127.0.0.1]", "localhost"]) {
      const result = await outbound.exchange(post(`https://${host}:${inside.port}/`));
      expect(expectFailure(result).code, host).toBe("address_refused");
    }
    expect(inside.accepted).toBe(0);
  });

  test("refuses a connection that ends elsewhere than the guard allows", async () => {
    const inside = await start();
    const guard = createAddressGuard({ allowPrivate: true, allowedOrigins: [], lookup: stubLookup(["127.0.0.1"]) });
    // As if a way around the lookup existed: the set passes, the other end of the socket does not.
    const careless = {
      ...guard,
      resolve: async (url: URL) => {
        const addresses = await guard.resolve(url);
        guard.change({ allowPrivate: false });
        return addresses;
      },
    };
    const result = await openOutbound({ guard: careless }).exchange(post(`http://odd.example.com:${inside.port}/`));
    expect(expectFailure(result).code).toBe("address_refused");
    expect(inside.requests).toEqual([]);
  });

  test("allows the exact origin of a sample while the setting is off", async () => {
    const sample = await start();
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: [new URL(sample.url).origin] });
    const outbound = openOutbound({ guard });
    expectAnswer(await outbound.exchange(post(sample.url)));
    const other = await start();
    expect(expectFailure(await outbound.exchange(post(other.url))).code).toBe("address_refused");
    expect(other.accepted).toBe(0);
  });

  test("keeps a changed setting from being passed by on a kept connection", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.write(answer("{}")));
    const lookup = stubLookup(["127.0.0.1"]);
    const origin = `http://kept.example.com:${endpoint.port}`;
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: [origin], lookup });
    const outbound = openOutbound({ guard });
    const request = post(`${origin}/`, { reuse: true });

    expectAnswer(await outbound.exchange(request));
    expect(expectAnswer(await outbound.exchange(request)).reusedSocket).toBe(true);

    guard.change({ allowedOrigins: [] });
    expect(expectFailure(await outbound.exchange(request)).code).toBe("address_refused");
    expect(endpoint.requests).toHaveLength(2);
  });

  test("keeps a change from being passed by on a kept https name, where only the address tells", async () => {
    const lookup = stubLookup(["127.0.0.1"]);
    const endpoint = await startRawEndpoint((socket) => socket.write(answer("{}")));
    const url = `http://kept.example.com:${endpoint.port}/`;
    const guard = createAddressGuard({ allowPrivate: true, allowedOrigins: [], lookup });
    // The text of the URL passes under either setting, as an https URL's would.
    const outbound = openOutbound({ guard: { ...guard, checkUrl: () => ({ ok: true, url: new URL(url) }) } });
    expectAnswer(await outbound.exchange(post(url, { reuse: true })));
    guard.change({ allowPrivate: false });
    expect(expectFailure(await outbound.exchange(post(url, { reuse: true }))).code).toBe("address_refused");
    expect(endpoint.requests).toHaveLength(1);
    await endpoint.allClosed();
  });

  test("goes on to the next address when the first refuses", async () => {
    const endpoint = await start();
    const lookup = stubLookup(["127.0.0.77", "127.0.0.1"]);
    const result = await openOutbound({ lookup }).exchange(post(`http://two.example.com:${endpoint.port}/`));
    expect(expectAnswer(result).remoteAddress).toBe("127.0.0.1");
    expect(endpoint.requests[0]?.head).toContain(`host: two.example.com:${endpoint.port}`);
  });

  test("gives each of several addresses longer than Node's 250 ms, within which far agents never answer", async () => {
    const endpoint = await start();
    const connect = vi.spyOn(net, "connect");
    onTestFinished(() => connect.mockRestore());
    const lookup = stubLookup(["127.0.0.1"]);
    expectAnswer(await openOutbound({ lookup }).exchange(post(`http://far.example.com:${endpoint.port}/`)));
    const [options] = connect.mock.calls[0] as unknown as [net.TcpSocketConnectOpts];
    expect(options.autoSelectFamily).toBe(true);
    expect(options.autoSelectFamilyAttemptTimeout).toBeGreaterThanOrEqual(1_000);
    expect(options.autoSelectFamilyAttemptTimeout).toBeLessThanOrEqual(2_000);
  });

  test("lists every address with its code when none can be connected to", async () => {
    const endpoint = await start();
    const lookup = stubLookup(["127.0.0.77", "127.0.0.78"]);
    const failure = expectFailure(
      await openOutbound({ lookup }).exchange(post(`http://none.example.com:${endpoint.port}/`)),
    );
    expect(failure).toMatchObject({ cause: "unreachable", code: "refused" });
    expect(failure.detail).toContain(`ECONNREFUSED at 127.0.0.77 port ${endpoint.port}`);
    expect(failure.detail).toContain(`ECONNREFUSED at 127.0.0.78 port ${endpoint.port}`);
  });
});
