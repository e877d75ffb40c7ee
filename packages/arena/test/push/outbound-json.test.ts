import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createBodyBuffer } from "../../src/push/outbound-body.ts";
import { isJsonObject, readJsonBody } from "../../src/push/outbound-json.ts";

const read = (body: string | Buffer, contentType?: string) =>
  readJsonBody(Buffer.from(body as string), contentType === undefined ? {} : { "content-type": contentType });

describe("readJsonBody", () => {
  test.each([
    undefined,
    "application/json",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
    "application/json; charset=utf8",
    "application/vnd.arena+json",
    "text/plain",
    "text/html",
  ])("reads JSON of the type %s", (contentType) => {
    expect(read('{"a":"café 😀"}', contentType)).toEqual({ ok: true, value: { a: "café 😀" } });
  });

  test("gives back any value that was written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  test("never throws, whatever the bytes and the type", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (bytes, contentType) => {
        expect(typeof read(Buffer.from(bytes), contentType).ok).toBe("boolean");
      }),
    );
  });

  test("drops a byte order mark", () => {
    expect(read(Buffer.from("\uFEFF[1]"))).toEqual({ ok: true, value: [1] });
  });

  test("lets the last of two equal keys win", () => {
    expect(read('{"a":1,"a":2}')).toEqual({ ok: true, value: { a: 2 } });
  });

  test.each(["iso-8859-1", "latin1", "windows-1252", "utf-16", '"ISO-8859-15"', "us-ascii"])(
    "refuses a body declared as %s, which is not UTF-8",
    (charset) => {
      const body = Buffer.from('{"a":"caf\xE9"}', "latin1");
      expect(read(body, `application/json; charset=${charset}`)).toMatchObject({ ok: false, reason: "not-utf8" });
      expect(read("{}", `application/json; Charset = ${charset}`)).toMatchObject({ ok: false, reason: "not-utf8" });
    },
  );

  test("refuses bytes that are not UTF-8 instead of storing replacement characters", () => {
    const reading = read(Buffer.from('{"a":"caf\xE9"}', "latin1"), "application/json");
    expect(reading).toMatchObject({ ok: false, reason: "not-utf8" });
    expect(read(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject({ reason: "not-utf8" });
  });

  test.each(["", "  \r\n", "\uFEFF"])("calls %j empty", (body) => {
    expect(read(body)).toMatchObject({ ok: false, reason: "empty" });
  });

  test.each([
    ["<!DOCTYPE html><html><head><title>\n Log  in </title></head></html>", undefined],
    ["<html><TITLE lang=en>Log in</TITLE>", "text/plain"],
    ["Please wait <title>Log in</title>", "text/html; charset=utf-8"],
  ])("recognises the page %j and names its title", (body, contentType) => {
    const reading = read(body, contentType);
    expect(reading).toMatchObject({ ok: false, reason: "html" });
    expect(reading).toHaveProperty("detail", expect.stringContaining("HTML page titled “Log in”"));
  });

  test("recognises a page without a title", () => {
    expect(read("\n<body>hello</body>")).toHaveProperty(
      "detail",
      expect.stringContaining("is an HTML page, as logins"),
    );
  });

  test.each(['{"a":1', "undefined", "{'a':1}", '{"a":1}{"b":2}', "NaN", '```json\n{"a":1}\n```', "<xml/>"])(
    "refuses %j and says where it goes wrong",
    (body) => {
      const reading = read(body);
      expect(reading).toMatchObject({ ok: false, reason: "not-json" });
      expect(reading).toHaveProperty("detail", expect.stringMatching(/^The body is not JSON: .+\.$/s));
    },
  );
});

test("isJsonObject takes objects only", () => {
  expect([{}, { a: 1 }].every(isJsonObject)).toBe(true);
  expect([null, [], "", 0, true, undefined].some(isJsonObject)).toBe(false);
});

describe("createBodyBuffer", () => {
  test("holds what was appended, in whatever pieces, up to the limit", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 6_000 })), fc.nat(20_000), (pieces, limit) => {
        const body = createBodyBuffer(limit);
        const whole = Buffer.concat(pieces);
        const fits = pieces.map((piece) => body.append(piece)).every(Boolean);
        expect(fits).toBe(whole.length <= limit);
        expect(body.bytes().equals(whole.subarray(0, limit))).toBe(true);
        expect(body.length).toBe(Math.min(whole.length, limit));
      }),
    );
  });
});
