import { describe, expect, it } from "vitest";
import { parseBaseUrl } from "../src/base-url.ts";

describe("parseBaseUrl", () => {
  it.each([
    ["https://tesserax.net/api", "https://tesserax.net"],
    ["https://tesserax.net/api/", "https://tesserax.net"],
    ["https://tesserax.net", "https://tesserax.net"],
    ["https://TESSERAX.net:443//", "https://tesserax.net"],
    ["http://127.0.0.1:4600/", "http://127.0.0.1:4600"],
    ["https://h.example/arena/api/", "https://h.example/arena"],
    ["https://h.example/apiary", "https://h.example/apiary"],
    ["https://h.example/?x=1#y", "https://h.example"],
  ])("%s is the arena at %s", (text, root) => {
    expect(parseBaseUrl(text)).toBe(root);
  });

  it.each([
    ["arena.example", "is not a URL"],
    ["", "is not a URL"],
    ["localhost:4600", "has to start with http:// or https://"],
    ["ftp://arena.example", "has to start with http:// or https://"],
  ])("%j is refused: it %s", (text, reason) => {
    expect(() => parseBaseUrl(text)).toThrow(reason);
  });

  it("a password in it is refused and not repeated", () => {
    expect(() => parseBaseUrl("https://me:hunter2@arena.example")).toThrow(/^(?!.*hunter2).*must not hold a user name/);
  });
});
