import { describe, expect, it } from "vitest";
import { readCookie } from "../../src/http/cookies.ts";
import { isSameOrigin } from "../../src/http/same-origin.ts";

describe("a request with a cookie", () => {
  const hosts = ["arena.lan:4600", "arena.example.com", undefined];

  it("is ours when the browser says that our own page or the visitor sent it", () => {
    for (const site of ["same-origin", "none"]) expect(isSameOrigin(site, "https://evil.example", hosts)).toBe(true);
  });

  it("is not ours when the browser says that another page sent it, whatever else it says", () => {
    for (const site of ["cross-site", "same-site", "", "SAME-ORIGIN", ["same-origin", "cross-site"]]) {
      expect([site, isSameOrigin(site, "http://arena.lan:4600", hosts)]).toEqual([site, false]);
    }
  });

  it("is judged by its origin where an older browser says nothing more", () => {
    const own = [
      "http://arena.lan:4600",
      "https://arena.lan:4600",
      "https://arena.example.com",
      "http://ARENA.example.com:80",
    ];
    for (const origin of own) expect([origin, isSameOrigin(undefined, origin, hosts)]).toEqual([origin, true]);
    const others = [
      "null",
      "",
      "arena.lan:4600",
      "http://arena.lan",
      "http://arena.lan:4601",
      "https://arena.example.com:8443",
      "https://evil.example",
      "https://arena.example.com.evil.example",
      "https://arena.example.com@evil.example",
    ];
    for (const origin of others) expect([origin, isSameOrigin(undefined, origin, hosts)]).toEqual([origin, false]);
  });

  it("is no browser's when it says nothing at all", () => {
    expect(isSameOrigin(undefined, undefined, hosts)).toBe(true);
  });
});

describe("a cookie", () => {
  it("is found by its whole name, with its value as it is", () => {
    expect(readCookie("a=1; judge=x-y_z; b=2", "judge")).toBe("x-y_z");
    expect(readCookie(" judge = x ", "judge")).toBe("x");
    expect(readCookie("judge=first; judge=second", "judge")).toBe("first");
    expect(readCookie('judge="x%20y"', "judge")).toBe('"x%20y"');
  });

  it("is missing where only something like it is there", () => {
    for (const header of [undefined, "", "judge", "xjudge=1", "judgex=1", "Judge=1", "a=judge=1", ";;="]) {
      expect([header, readCookie(header, "judge")]).toEqual([header, undefined]);
    }
  });
});
