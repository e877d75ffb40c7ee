import { pino } from "pino";
import { onTestFinished } from "vitest";
import { type AddressGuard, createAddressGuard, type Lookup } from "../../../src/push/address-guard.ts";
import { createOutbound, type Outbound } from "../../../src/push/outbound.ts";
import type { ExchangeRequest } from "../../../src/push/outbound-exchange.ts";
import type { ExchangeAnswer, ExchangeFailure, ExchangeResult } from "../../../src/push/outbound-result.ts";

/** An outbound that may call loopback unless told otherwise. It ends with the test. */
export function openOutbound(
  options: { guard?: AddressGuard; lookup?: Lookup; ca?: string; allowPrivate?: boolean } = {},
): Outbound {
  const guard =
    options.guard ??
    createAddressGuard({
      allowPrivate: options.allowPrivate ?? true,
      allowedOrigins: [],
      ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
    });
  const outbound = createOutbound({
    guard,
    clock: { now: () => 1_700_000_000_000 },
    log: pino({ level: "silent" }),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  onTestFinished(() => outbound.close());
  return outbound;
}

/** A POST of a small JSON body with generous limits, changed as given. */
export function post(url: string, changes: Partial<ExchangeRequest> = {}): ExchangeRequest {
  return {
    url,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"task":1}',
    deadlineMs: 10_000,
    maxResponseBytes: 100_000,
    ...changes,
  };
}

export function expectAnswer(result: ExchangeResult): ExchangeAnswer {
  if (!result.ok) throw new Error(`expected an answer, got ${result.code}: ${result.detail}`);
  return result;
}

export function expectFailure(result: ExchangeResult): ExchangeFailure {
  if (result.ok) throw new Error(`expected a failure, got ${result.status}`);
  return result;
}

/** A lookup that gives the same addresses for every name and remembers which names were asked for. */
export function stubLookup(...answers: string[][]): Lookup & { asked: string[] } {
  const asked: string[] = [];
  const lookup = async (hostname: string) => {
    const addresses = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return Object.assign(lookup, { asked });
}
