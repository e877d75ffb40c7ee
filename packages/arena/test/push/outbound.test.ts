import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { expectAnswer, expectFailure, openOutbound, post, stubLookup } from "./support/outbound-fixture.ts";
import { answer, closeServer, startRawEndpoint } from "./support/raw-endpoint.ts";
import { CERTIFICATE, PRIVATE_KEY } from "./support/tls-certificate.ts";

describe("an exchange", () => {
  test("brings status, headers and body of any answer, with how long each stage took", async () => {
    const endpoint = await startRawEndpoint((socket) =>
      socket.end(
        answer('{"a":"é"}', { status: "418 Teapot", headers: ["Set-Cookie: a=1", "set-cookie: b=2", "X-One: 1"] }),
      ),
    );
    const lookup = stubLookup(["127.0.0.1"]);
    const url = `http://agents.example.com:${endpoint.port}/hook`;
    const result = expectAnswer(await openOutbound({ lookup }).exchange(post(url)));
    expect(result).toMatchObject({
      status: 418,
      headers: { "set-cookie": ["a=1", "b=2"], "x-one": "1" },
      remoteAddress: "127.0.0.1",
      reusedSocket: false,
      startedAt: 1_700_000_000_000,
    });
    expect(result.body.toString()).toBe('{"a":"é"}');
    const { dns, connect, tls, firstByte, total } = result.timings;
    expect(tls).toBeUndefined();
    for (const ms of [dns, connect, firstByte, total]) expect(ms).toBeGreaterThanOrEqual(0);
    expect(total).toBeGreaterThanOrEqual(firstByte!);
  });

  test("names no time for a name that is an address", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.end(answer("{}")));
    const { timings } = await openOutbound().exchange(post(endpoint.url));
    expect(timings.dns).toBeUndefined();
    expect(timings.connect).toBeGreaterThanOrEqual(0);
  });

  test("sends path and query, no fragment, and asks for an uncompressed body", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.end(answer("{}")));
    const headers = { "x-arena-signature": "ab", "accept-encoding": "gzip" };
    expectAnswer(await openOutbound().exchange(post(`${endpoint.url}hook?tenant=7#frag`, { headers })));
    const head = endpoint.requests[0]?.head ?? "";
    expect(head.split("\r\n")[0]).toBe("POST /hook?tenant=7 HTTP/1.1");
    expect(head).toContain(`host: 127.0.0.1:${endpoint.port}`);
    expect(head).toContain("x-arena-signature: ab");
    expect(head.match(/^accept-encoding: .*$/gim)).toEqual(["accept-encoding: identity"]);
  });

  test("declares the length of the body in bytes", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.end(answer("{}")));
    const body = JSON.stringify({ prompt: "😀".repeat(1_000) });
    for (const form of [body, Buffer.from(body)]) {
      expectAnswer(await openOutbound().exchange(post(endpoint.url, { body: form })));
    }
    for (const request of endpoint.requests) {
      expect(request.head).toContain(`content-length: ${Buffer.byteLength(body)}`);
      expect(request.head).not.toMatch(/transfer-encoding/i);
      expect(request.body.toString()).toBe(body);
    }
  });

  test("sends a GET without a body or a length", async () => {
    const endpoint = await startRawEndpoint((socket) => socket.end(answer("")));
    const request = { url: endpoint.url, method: "GET", headers: {}, deadlineMs: 5_000, maxResponseBytes: 10 } as const;
    expect(expectAnswer(await openOutbound().exchange(request)).body).toHaveLength(0);
    expect(endpoint.requests[0]?.head).not.toMatch(/content-length|transfer-encoding/i);
  });

  test.each([
    ["204 No Content", ""],
    ["200 OK", ""],
  ])("brings an empty body for %s", async (status, body) => {
    const endpoint = await startRawEndpoint((socket) => socket.end(answer(body, { status, headers: [] })));
    expect(expectAnswer(await openOutbound().exchange(post(endpoint.url))).body).toHaveLength(0);
  });

  test.each([301, 302, 303, 307, 308])("does not follow a %i, neither as GET nor as POST", async (status) => {
    const target = await startRawEndpoint((socket) => socket.end(answer("<html>login</html>")));
    const endpoint = await startRawEndpoint((socket) =>
      socket.end(answer("", { status: `${status} Moved`, headers: [`location: ${target.url}`] })),
    );
    const result = expectAnswer(await openOutbound().exchange(post(endpoint.url)));
    expect(result).toMatchObject({ status, headers: { location: target.url } });
    expect(target.accepted).toBe(0);
  });

  test("works with a server of HTTP/1.0 that ends its body by closing", async () => {
    const endpoint = await startRawEndpoint((socket) =>
      socket.end('HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{"response":"old"}'),
    );
    const result = expectAnswer(await openOutbound().exchange(post(endpoint.url)));
    expect(result.body.toString()).toBe('{"response":"old"}');
    expect(endpoint.requests[0]?.head).toContain("content-length: 10");
  });

  test("takes a chunked body together, with interim answers before it", async () => {
    const endpoint = await startRawEndpoint((socket) => {
      socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n");
      socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;x=y\r\n{}\r\n");
      socket.end("3\r\n   \r\n0\r\ntrailer: 1\r\n\r\n");
    });
    expect(expectAnswer(await openOutbound().exchange(post(endpoint.url))).body.toString()).toBe("{}   ");
  });

  test("takes a body of exactly the limit and refuses one more byte", async () => {
    const endpoint = await startRawEndpoint((socket, _request, { requests }) =>
      socket.end(answer("x".repeat(requests.length === 1 ? 1_000 : 1_001))),
    );
    const request = post(endpoint.url, { maxResponseBytes: 1_000 });
    expect(expectAnswer(await openOutbound().exchange(request)).body).toHaveLength(1_000);
    expect(expectFailure(await openOutbound().exchange(request))).toMatchObject({
      cause: "invalid",
      code: "too_large",
    });
  });

  test("is refused before anything is sent when the URL may not be called", async () => {
    const result = expectFailure(await openOutbound({ allowPrivate: false }).exchange(post("http://10.0.0.1/")));
    expect(result).toMatchObject({ cause: "unreachable", code: "address_refused", timings: { total: 0 } });
    expect(result.detail).toContain("10.0.0.1 is a private address");
  });

  test.each([
    ["a line break", "abc\r\nx-evil: 1"],
    ["NUL", "abc\u0000"],
    ["a character beyond latin-1", "Zoë 😀"],
  ])("throws for %s in a header, which is our own mistake and no fault of the endpoint", async (_what, value) => {
    const endpoint = await startRawEndpoint((socket) => socket.end(answer("{}")));
    await expect(openOutbound().exchange(post(endpoint.url, { headers: { "x-name": value } }))).rejects.toThrow(
      TypeError,
    );
    expect(endpoint.accepted).toBe(0);
  });
});

describe("a secure exchange", () => {
  async function startTls() {
    const names: unknown[] = [];
    const hosts: (string | undefined)[] = [];
    const server = createTlsServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, (socket) => {
      names.push(socket.servername);
      socket.once("data", (data) => {
        hosts.push(/^host: (.*)$/im.exec(data.toString())?.[1]?.trim());
        socket.end(answer("{}"));
      });
      socket.on("error", () => undefined);
    });
    const open = new Set<Socket>();
    server.on("connection", (socket) => open.add(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => closeServer(server, open));
    return { port: (server.address() as AddressInfo).port, names, hosts };
  }

  test("keeps the name in SNI, certificate check and Host while it connects to the vetted address", async () => {
    const { port, names, hosts } = await startTls();
    const outbound = openOutbound({ ca: CERTIFICATE, lookup: stubLookup(["127.0.0.1"]) });
    const { timings } = expectAnswer(await outbound.exchange(post(`https://agents.example.com:${port}/hook`)));
    expect(names).toEqual(["agents.example.com"]);
    expect(hosts).toEqual([`agents.example.com:${port}`]);
    expect(timings.tls).toBeGreaterThan(0);
  });

  test("fails as tls, with the reason, for a certificate of another name", async () => {
    const { port } = await startTls();
    const outbound = openOutbound({ ca: CERTIFICATE, lookup: stubLookup(["127.0.0.1"]) });
    const failure = expectFailure(await outbound.exchange(post(`https://other.example.com:${port}/`)));
    expect(failure).toMatchObject({ cause: "unreachable", code: "tls" });
    expect(failure.detail).toMatch(/ERR_TLS_CERT_ALTNAME_INVALID.*agents\.example\.com/);
  });

  test("fails as tls for a certificate that nobody vouches for", async () => {
    const { port } = await startTls();
    const outbound = openOutbound({ lookup: stubLookup(["127.0.0.1"]) });
    const failure = expectFailure(await outbound.exchange(post(`https://agents.example.com:${port}/`)));
    expect(failure).toMatchObject({ cause: "unreachable", code: "tls" });
    expect(failure.detail).toMatch(/self.signed/i);
  });

  test("fails as tls where a port speaks plain HTTP, or closes during the handshake", async () => {
    const plain = createServer((_request, response) => response.end("{}"));
    await new Promise<void>((resolve) => plain.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void plain.close());
    const closing = await startRawEndpoint(() => undefined, { onConnection: (socket) => socket.destroy() });
    for (const port of [(plain.address() as AddressInfo).port, closing.port]) {
      const failure = expectFailure(await openOutbound().exchange(post(`https://127.0.0.1:${port}/`)));
      expect(failure).toMatchObject({ cause: "unreachable", code: "tls" });
    }
  });
});
