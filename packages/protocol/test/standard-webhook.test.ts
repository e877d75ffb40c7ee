import { createHmac } from "node:crypto";
import { describe, expect, it, test } from "vitest";
import { signStandardWebhook, verifyStandardWebhook } from "../src/index.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const timestamp = "1614265330";
const now = 1_614_265_330;
const body = '{"test": 2432232314}';
const signature = signStandardWebhook({ secret, id, timestamp, body });
const good = { secret, id, timestamp, signature, body, now };

it("gives the digest published for this secret and message in the guide to Standard Webhooks", () => {
  expect(signature).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

it("signs id, timestamp and body with the bytes behind the base64", () => {
  const key = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  expect(signature).toBe(`v1,${expected}`);
  expect(verifyStandardWebhook(good)).toEqual({ ok: true });
});

it("accepts a list in which one v1 signature is good and passes over the others", () => {
  const other = signStandardWebhook({ ...good, secret: "whsec_b3RoZXI=" });
  expect(verifyStandardWebhook({ ...good, signature: `v1a,abc ${other} ${signature}` })).toEqual({ ok: true });
  expect(verifyStandardWebhook({ ...good, signature: other })).toMatchObject({ reason: "mismatch" });
});

test.each([
  [{ id: "msg_other" }, "mismatch"],
  [{ body: '{"test":2432232314}' }, "mismatch"],
  [{ timestamp: "1614265331" }, "mismatch"],
  [{ id: undefined }, "missing-signature"],
  [{ id: "" }, "missing-signature"],
  [{ signature: null }, "missing-signature"],
  [{ signature: "" }, "malformed-signature"],
  [{ signature: "v1,short" }, "malformed-signature"],
  [{ signature: signature.replace("v1,", "v2,") }, "malformed-signature"],
  [{ signature: `${signature}=` }, "malformed-signature"],
  [{ timestamp: undefined }, "missing-timestamp"],
  [{ timestamp: "+1614265330" }, "malformed-timestamp"],
  [{ now: now + 300 }, undefined],
  [{ now: now + 301 }, "stale"],
  [{ now: now - 301 }, "stale"],
])("%j gives %s", (change, reason) => {
  const result = verifyStandardWebhook({ ...good, ...change });
  expect(result.ok ? undefined : result.reason).toBe(reason);
});

describe("a secret without a key", () => {
  test.each([[""], ["whsec_"], ["whsec_ "], ["whsec_a"], ["whsec_!!!!"], ["MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]])(
    "%j neither signs nor verifies",
    (bad) => {
      expect(() => signStandardWebhook({ secret: bad, id, timestamp, body })).toThrow(TypeError);
      expect(verifyStandardWebhook({ ...good, secret: bad })).toMatchObject({ reason: "no-key" });
    },
  );

  it("is also null or undefined", () => {
    expect(verifyStandardWebhook({ ...good, secret: null })).toMatchObject({ reason: "no-key" });
    expect(verifyStandardWebhook({ ...good, secret: undefined })).toMatchObject({ reason: "no-key" });
  });
});

it("does not sign without an id", () => {
  expect(() => signStandardWebhook({ secret, id: " ", timestamp, body })).toThrow(TypeError);
});
