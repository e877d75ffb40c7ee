import { describe, expect, test } from "vitest";
import { createAddressGuard } from "../../src/push/address-guard.ts";
import { AddressRefusedError } from "../../src/push/address-guard-refusal.ts";
import { stubLookup } from "./support/outbound-fixture.ts";

const strict = createAddressGuard({ allowPrivate: false, allowedOrigins: [] });
const lenient = createAddressGuard({ allowPrivate: true, allowedOrigins: [] });

function refusalOf(guard: typeof strict, url: string): string {
  const checked = guard.checkUrl(url);
  if (checked.ok) throw new Error(`${url} passed`);
  return checked.detail;
}

describe("checkUrl", () => {
  test.each([
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://１２７.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://agent.localhost:8443/hook",
  ])("refuses %s as loopback, however it is spelled", (url) => {
    expect(refusalOf(strict, url)).toContain("is this arena's own machine");
    expect(lenient.checkUrl(url).ok).toBe(true);
  });

  test("refuses the number 0, which means this machine and is never allowed", () => {
    expect(refusalOf(lenient, "https://0/")).toContain("0.0.0.0 is a reserved address");
  });

  test.each([
    "0.1.2.3",
    "100.64.0.1",
    "169.254.1.1",
    "127.127.127.127",
    "198.18.0.1",
    "192.0.0.1",
    "224.0.0.1",
    "255.255.255.255",
  ])("refuses %s, wherever in its block it lies", (ip) => {
    expect(strict.checkUrl(`https://${ip}/`).ok).toBe(false);
  });

  test.each(["172.15.0.1", "172.32.0.1"])("lets %s pass, just outside the private block", (ip) => {
    expect(strict.checkUrl(`https://${ip}/`).ok).toBe(true);
  });

  test.each([
    "https://169.254.169.254/latest/meta-data/",
    "https://[fd00:ec2::254]/",
    "https://100.100.100.200/",
    "https://169.254.1.1/",
    "https://[fe80::1]/",
    "https://[::ffff:169.254.169.254]/",
  ])("refuses %s under every setting", (url) => {
    const everything = createAddressGuard({ allowPrivate: true, allowedOrigins: [new URL(url).origin] });
    expect(refusalOf(everything, url)).toContain("no setting of an arena allows this one");
  });

  test("refuses a user or password, also where they hide the real host", () => {
    for (const url of ["https://user:pw@agents.example.com/hook", "https://agents.example.com@10.0.0.1/hook"]) {
      expect(refusalOf(lenient, url)).toContain("user or password");
    }
  });

  test("takes a backslash as the slash that it is to a URL parser", () => {
    const checked = strict.checkUrl("https://agents.example.com\\@10.0.0.1/hook");
    expect(checked.ok && checked.url.href).toBe("https://agents.example.com/@10.0.0.1/hook");
  });

  test("keeps the query and drops the fragment", () => {
    const checked = strict.checkUrl("https://agents.example.com/hook?tenant=7#frag");
    expect(checked.ok && checked.url.href).toBe("https://agents.example.com/hook?tenant=7");
  });

  test.each([6000, 6666, 10080, 22, 25])("lets port %i pass, which browsers block", (port) => {
    expect(strict.checkUrl(`https://agents.example.com:${port}/hook`).ok).toBe(true);
  });

  test.each(["agents.example.com/hook", "/hook", "", "https://", "https://a b/"])(
    "refuses %j, which is no URL",
    (url) => {
      expect(refusalOf(strict, url)).toContain("not an absolute URL");
    },
  );

  test.each(["ftp://agents.example.com/", "file:///etc/passwd", "javascript:alert(1)", "ws://agents.example.com/"])(
    "refuses %s for its scheme",
    (url) => {
      expect(refusalOf(lenient, url)).toContain("only https");
    },
  );

  test("refuses plain http unless private addresses or this origin are allowed", () => {
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: ["http://127.0.0.1:4611"] });
    expect(refusalOf(guard, "http://agents.example.com/hook")).toContain("Use https");
    expect(refusalOf(guard, "http://127.0.0.1:4612/hook")).toContain("is a loopback address");
    expect(guard.checkUrl("http://127.0.0.1:4611/hook").ok).toBe(true);
    expect(lenient.checkUrl("http://agents.example.com/hook").ok).toBe(true);
  });

  test("allows an origin exactly: no other port, scheme or host", () => {
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: ["http://127.0.0.1:4611/"] });
    for (const url of [
      "http://127.0.0.1:4612/",
      "https://127.0.0.1:4611/",
      "http://127.0.0.2:4611/",
      "http://localhost:4611/",
    ]) {
      expect(guard.checkUrl(url).ok, url).toBe(false);
    }
  });
});

describe("createAddressGuard", () => {
  test.each(["127.0.0.1:4611", "http://127.0.0.1:4611/hook", "http://user@127.0.0.1", "file:///x", "*"])(
    "throws for the allowed origin %j",
    (origin) => {
      expect(() => createAddressGuard({ allowPrivate: false, allowedOrigins: [origin] })).toThrow(TypeError);
    },
  );
});

describe("resolve", () => {
  const url = new URL("https://agents.example.com/hook");

  test("gives every address of the name when all are public", async () => {
    const lookup = stubLookup(["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"]);
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: [], lookup });
    expect(await guard.resolve(url)).toEqual([
      { address: "93.184.216.34", family: 4 },
      { address: "2606:2800:220:1:248:1893:25c8:1946", family: 6 },
    ]);
    expect(lookup.asked).toEqual(["agents.example.com"]);
  });

  test.each([
    ["a private one", ["10.1.2.3"]],
    ["loopback, as wildcard DNS services offer", ["127.0.0.1"]],
    ["a mixed set, wherever the bad one stands", ["93.184.216.34", "127.0.0.1"]],
    ["a mapped private one", ["93.184.216.34", "::ffff:10.1.2.3"]],
    ["something that is no address", ["93.184.216.34", "10.1"]],
  ])("refuses %s", async (_what, addresses) => {
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: [], lookup: stubLookup(addresses) });
    await expect(guard.resolve(url)).rejects.toBeInstanceOf(AddressRefusedError);
  });

  test("names the host but not the address in the sentence, for owners must not map the network by it", async () => {
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: [], lookup: stubLookup(["10.1.2.3"]) });
    const error = await guard.resolve(url).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "address_refused", address: "10.1.2.3" });
    expect((error as Error).message).toBe(
      "agents.example.com leads to a private address. Register a URL that can be reached from the internet, or ask the operator of this arena to allow private endpoints.",
    );
  });

  test("refuses metadata and link-local addresses although private ones are allowed", async () => {
    for (const address of ["169.254.169.254", "100.100.100.200", "fe80::1"]) {
      const guard = createAddressGuard({
        allowPrivate: true,
        allowedOrigins: [url.origin],
        lookup: stubLookup([address]),
      });
      await expect(guard.resolve(url), address).rejects.toBeInstanceOf(AddressRefusedError);
    }
  });

  test("fails as an unknown name does when the answer is empty", async () => {
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: [], lookup: stubLookup([]) });
    await expect(guard.resolve(url)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  test("does not ask the resolver about an address", async () => {
    const lookup = stubLookup(["93.184.216.34"]);
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: [], lookup });
    await expect(guard.resolve(new URL("https://[::1]/"))).rejects.toBeInstanceOf(AddressRefusedError);
    await expect(guard.resolve(new URL("https://127.0.0.1/"))).rejects.toBeInstanceOf(AddressRefusedError);
    expect(await guard.resolve(new URL("https://8.8.8.8/"))).toEqual([{ address: "8.8.8.8", family: 4 }]);
    expect(lookup.asked).toEqual([]);
  });

  test("goes by the settings of the moment", async () => {
    const guard = createAddressGuard({ allowPrivate: false, allowedOrigins: [], lookup: stubLookup(["10.1.2.3"]) });
    guard.change({ allowPrivate: true });
    await expect(guard.resolve(url)).resolves.toHaveLength(1);
    guard.change({ allowPrivate: false });
    await expect(guard.resolve(url)).rejects.toBeInstanceOf(AddressRefusedError);
    guard.change({ allowedOrigins: ["https://agents.example.com"] });
    await expect(guard.resolve(url)).resolves.toHaveLength(1);
  });
});
