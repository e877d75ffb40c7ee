import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { createBareApp } from "../support/bare-app.ts";
import { expectProblem } from "./problem-answers.ts";

async function appFor(options: { host?: string; publicUrl?: string }) {
  const app = await createBareApp(options);
  for (const path of ["/healthz", "/readyz", "/api/version"]) {
    app.get(path, { config: { auth: "public" } }, async () => ({ reached: true }));
  }
  return app;
}

/** What each kind of Host header gets, by how the arena is set up. */
const TABLE: [setup: { host?: string; publicUrl?: string }, passes: string[], refused: string[]][] = [
  [
    {},
    [
      "127.0.0.1:4600",
      "127.0.0.1",
      "10.1.2.3:80",
      "203.0.113.9:4600",
      "[::1]:4600",
      "[::1]",
      "[2001:db8::7]:4600",
      "[::ffff:127.0.0.1]:1",
      "localhost",
      "localhost:4600",
      "LOCALHOST:4600",
      "localhost.",
      "localhost.:4600",
    ],
    [
      "evil.example",
      "evil.example:4600",
      "127.0.0.1.nip.example",
      "localhost.evil.example",
      "evil-localhost",
      "127.1",
      "2130706433",
      "0x7f.0.0.1",
      "[::1",
      "::1",
      "user@127.0.0.1",
      "localhost:4600@evil.example",
      "localhost:evil",
      "arena.example.com",
      "x".repeat(15_000),
    ],
  ],
  [
    { publicUrl: "https://Arena.Example.com/games" },
    [
      "arena.example.com",
      "ARENA.EXAMPLE.COM",
      "arena.example.com:443",
      "arena.example.com:4600",
      "arena.example.com.",
      "localhost",
    ],
    ["example.com", "www.arena.example.com", "arena.example.com.evil.example", "xarena.example.com"],
  ],
  [
    { publicUrl: "https://b\u00FCcher.example" },
    ["xn--bcher-kva.example", "xn--bcher-kva.example:443"],
    ["bucher.example"],
  ],
  [{ host: "arena.lan" }, ["arena.lan:4600", "Arena.LAN", "localhost"], ["other.lan:4600", "lan"]],
  [{ host: "0.0.0.0" }, ["192.0.2.5:4600", "0.0.0.0:4600"], ["arena.lan"]],
  [{ host: "::" }, ["[::]:4600", "[fe80::1]:4600"], ["arena.lan"]],
];

describe("the Host header", () => {
  for (const [setup, passes, refused] of TABLE) {
    const how = JSON.stringify(setup);

    it(`passes when it names this arena, set up as ${how}`, async () => {
      const app = await appFor(setup);
      for (const host of passes) {
        const answer = await app.inject({ url: "/api/version", headers: { host } });
        expect([host, answer.statusCode]).toEqual([host, 200]);
      }
      await app.close();
    });

    it(`is refused with 421 when it names something else, set up as ${how}`, async () => {
      const app = await appFor(setup);
      for (const host of refused) {
        for (const url of ["/api/version", "/nowhere", "/api/reference", "/healthz/"]) {
          const answer = await app.inject({ url, headers: { host } });
          const problem = expectProblem(`${host.slice(0, 40)} at ${url}`, answer);
          expect([host, url, problem.code]).toEqual([host, url, "misdirected_host"]);
          expect(problem.detail).toContain("AGON_PUBLIC_URL");
        }
      }
      await app.close();
    });
  }

  it("does not matter to the health calls, which balancers make under any name", async () => {
    const app = await appFor({});
    for (const url of ["/healthz", "/readyz", "/healthz?from=balancer", "/readyz?x"]) {
      const answer = await app.inject({ url, headers: { host: "balancer.internal" } });
      expect([url, answer.statusCode]).toEqual([url, 200]);
    }
    await app.close();
  });

  it("counts as wrong when an old client leaves it out", async () => {
    const app = await appFor({});
    await app.listen({ port: 0, host: "127.0.0.1" });
    const { port } = app.server.address() as { port: number };
    const answer = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = connect(port, "127.0.0.1", () => socket.write("GET /api/version HTTP/1.0\r\n\r\n"));
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("end", () => resolve(text));
      socket.on("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    await app.close();
  });
});
