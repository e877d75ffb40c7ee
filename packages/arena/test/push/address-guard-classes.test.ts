import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AddressClass, classifyAddress } from "../../src/push/address-guard-classes.ts";

const CASES: Record<AddressClass, string[]> = {
  public: [
    "8.8.8.8",
    "93.184.216.34",
    "1.0.0.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "169.255.0.0",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
    "192.167.255.255",
    "192.169.0.1",
    "198.17.255.255",
    "198.20.0.0",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
    "168.63.129.17",
    "2606:2800:220:1:248:1893:25c8:1946",
    "2001:4860:4860::8888",
    "2a00:1450:4001:81b::200e",
    "3ffe::1",
    "::ffff:8.8.8.8",
    "::ffff:808:808",
    "64:ff9b::8.8.8.8",
    "2606:2800::5efe:808:808",
  ],
  private: [
    "10.0.0.0",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "100.64.0.1",
    "100.127.255.255",
    "fc00::1",
    "fd12:3456:789a::1",
    "fdff:ffff::1",
    "fec0::1",
    "::ffff:10.0.0.1",
    "::ffff:c0a8:1",
    "::10.0.0.1",
    "::ffff:0:10.0.0.1",
    "64:ff9b::10.0.0.1",
    "2002:a00:1::",
    "2002:c0a8:101::1",
    "2001:0:a00:1::f5ff:fffe",
    "2001:0:808:808:0:0:f5ff:fffe",
    "2606:2800::5efe:a00:1",
    "2606:2800::200:5efe:c0a8:1",
  ],
  loopback: [
    "127.0.0.1",
    "127.127.127.127",
    "127.255.255.255",
    "::1",
    "0:0:0:0:0:0:0:1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "64:ff9b::127.0.0.1",
    "2002:7f00:1::",
    "2001:0:808:808::80ff:fffe",
    "::ffff:0:127.0.0.1",
  ],
  "link-local": [
    "169.254.0.1",
    "169.254.1.1",
    "169.254.255.255",
    "fe80::1",
    "fe80::1%eth0",
    "febf::1",
    "fe80::a9fe:a9fe",
    "::ffff:169.254.1.1",
    "64:ff9b::169.254.1.1",
    "2002:a9fe:101::",
  ],
  metadata: [
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd00:0ec2:0000::0254",
    "fd00:ec2::254%eth0",
    "fd00:ec2::23",
    "fd20:ce::254",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "2002:a9fe:a9fe::",
    "2001:0:808:808::5601:5601",
    "::ffff:100.100.100.200",
    "2606:2800::5efe:a9fe:a9fe",
  ],
  reserved: [
    "0.0.0.0",
    "0.1.2.3",
    "192.0.0.1",
    "192.0.0.255",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.254",
    "255.255.255.255",
    "::",
    "::ffff:0.0.0.0",
    "::8.8.8.8",
    "::ffff:0:8.8.8.8",
    "64:ff9b::",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:808:808::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "ff02::1",
    "ff0e::1",
    // Not addresses as a resolver writes them.
    "",
    "localhost",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "8.8.8.8 ",
    "1.2.3.4.5",
    "::g",
  ],
};

describe("classifyAddress", () => {
  const rows = Object.entries(CASES).flatMap(([expected, addresses]) => addresses.map((ip) => [ip, expected] as const));

  test.each(rows)("classes %j as %s", (ip, expected) => {
    expect(classifyAddress(ip)).toBe(expected);
  });

  test("has many rows and each address once", () => {
    expect(rows.length).toBeGreaterThan(80);
    expect(new Set(rows.map(([ip]) => ip)).size).toBe(rows.length);
  });

  test("judges an IPv4 address the same in its mapped and its NAT64 form", () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        const expected = classifyAddress(ip);
        expect(classifyAddress(`::ffff:${ip}`)).toBe(expected);
        expect(classifyAddress(`64:ff9b::${ip}`)).toBe(expected);
      }),
    );
  });

  test("never finds a public address in a dead tunnel form", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (ip, other) => {
        const hex = (text: string) =>
          Buffer.from(text.split(".").map(Number))
            .toString("hex")
            .replace(/^(.{4})/, "$1:");
        expect(classifyAddress(`::${ip}`)).not.toBe("public");
        expect(classifyAddress(`2002:${hex(ip)}::1`)).not.toBe("public");
        expect(classifyAddress(`2001:0:${hex(ip)}:0:0:${hex(other)}`)).not.toBe("public");
      }),
    );
  });

  test("calls anything that is no address reserved, whatever the text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => classifyAddress(`x${text}`) === "reserved"));
  });

  test("lets no IPv6 address outside 2000::/3 pass as public unless it carries an IPv4 address", () => {
    fc.assert(
      fc.property(fc.ipV6(), (ip) => {
        fc.pre(!/^(::ffff:|64:ff9b:)/i.test(ip) && !/^[23]/.test(ip));
        return classifyAddress(ip) !== "public";
      }),
    );
  });
});
