import { lookup as resolveName } from "node:dns/promises";
import { isIP } from "node:net";
import { type AddressClass, classifyAddress } from "./address-guard-classes.ts";
import { AddressRefusedError, describeRefusedHost } from "./address-guard-refusal.ts";

/** One address of a name, as `dns.lookup` gives it. */
export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Finds all addresses of a name. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface AddressGuardSettings {
  /** Private and loopback addresses may be called, and plain http is enough. */
  allowPrivate: boolean;
  /** Origins, such as `http://127.0.0.1:4611`, for which the same holds although the setting is off. */
  allowedOrigins: readonly string[];
}

/** A URL as it may be called, without its fragment; or a sentence that says why not. */
export type CheckedUrl = { ok: true; url: URL } | { ok: false; detail: string };

export interface AddressGuard {
  /** What the text of a URL decides. Names are judged later, by `resolve`, at each connection. */
  checkUrl(text: string): CheckedUrl;
  /**
   * All addresses of the URL's host. One that may not be called spoils the set: whoever mixes them is trying something,
   * and which of them would be connected to is not for a resolver to decide.
   *
   * @throws AddressRefusedError, or the error of the lookup
   */
  resolve(url: URL): Promise<ResolvedAddress[]>;
  /** Throws AddressRefusedError unless this address may be called for this URL under the settings of this moment. */
  vet(url: URL, address: string): void;
  /** Takes effect for the next exchange, kept connections included. */
  change(settings: Partial<AddressGuardSettings>): void;
}

const lookupAll: Lookup = (hostname) => resolveName(hostname, { all: true, order: "verbatim" });

/**
 * Keeps the arena from being used to call into its own network. A name is resolved once per connection and every
 * address vetted; `createGuardedConnect` then connects to these addresses only. Checking a name at registration and
 * connecting by name later would leave the second answer of the resolver to the attacker.
 *
 * @param options.lookup dns.lookup unless given
 * @throws TypeError for an allowed origin that is not one
 */
export function createAddressGuard(options: AddressGuardSettings & { lookup?: Lookup }): AddressGuard {
  const lookup = options.lookup ?? lookupAll;
  let allowPrivate = options.allowPrivate;
  let allowedOrigins = toOrigins(options.allowedOrigins);

  const isTrusted = (url: URL) => allowPrivate || allowedOrigins.has(url.origin);

  const refused = (url: URL, found: AddressClass) => {
    if (found === "public") return false;
    return found !== "private" && found !== "loopback" ? true : !isTrusted(url);
  };

  const vet = (url: URL, address: string) => {
    const found = classifyAddress(address);
    if (!refused(url, found)) return;
    const host = hostnameOf(url);
    throw new AddressRefusedError(describeRefusedHost(host, found, isIP(host) !== 0), address);
  };

  return {
    vet,

    checkUrl(text) {
      if (!URL.canParse(text)) return refusal("The URL is not an absolute URL. It has to look like https://host/path.");
      const url = new URL(text);
      if (url.protocol !== "https:" && url.protocol !== "http:") {
        return refusal(`The URL begins with ${url.protocol}, and only https can be called.`);
      }
      // They would end up in logs, and no header carries them anyway.
      if (url.username !== "" || url.password !== "") {
        return refusal("The URL holds a user or password. Leave them out; requests are signed instead.");
      }
      url.hash = "";
      const host = hostnameOf(url);
      const found = isIP(host) !== 0 ? classifyAddress(host) : isLocalName(host) ? "loopback" : "public";
      if (refused(url, found)) return refusal(describeRefusedHost(host, found, isIP(host) !== 0));
      // Last: whoever registers http://127.0.0.1 is not helped by https.
      if (url.protocol === "http:" && !isTrusted(url)) {
        return refusal("The URL begins with http:, so anyone on the way could read and change it. Use https.");
      }
      return { ok: true, url };
    },

    async resolve(url) {
      const host = hostnameOf(url);
      // net.connect never asks its lookup about a literal, so this is the only place that sees one.
      const family = isIP(host);
      const addresses = family !== 0 ? [{ address: host, family }] : [...(await lookup(host))];
      if (addresses.length === 0) {
        throw Object.assign(new Error(`no address for ${host}`), { code: "ENOTFOUND", hostname: host });
      }
      for (const { address } of addresses) vet(url, address);
      return addresses;
    },

    change(settings) {
      if (settings.allowedOrigins !== undefined) allowedOrigins = toOrigins(settings.allowedOrigins);
      if (settings.allowPrivate !== undefined) allowPrivate = settings.allowPrivate;
    },
  };
}

/** The host without the brackets of an IPv6 literal. URL has already turned every spelling of an address into one. */
function hostnameOf(url: URL): string {
  return url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname;
}

function isLocalName(host: string): boolean {
  return /(^|\.)localhost\.?$/.test(host);
}

function refusal(detail: string): CheckedUrl {
  return { ok: false, detail };
}

function toOrigins(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.map((text) => {
      const origin = URL.canParse(text) ? new URL(text).origin : "null";
      // A longer text would be a mistake: a path in it would promise a limit that is not kept.
      if (origin === "null" || (text !== origin && text !== `${origin}/`)) {
        throw new TypeError(`${text} is not an origin such as http://127.0.0.1:4611`);
      }
      return origin;
    }),
  );
}
