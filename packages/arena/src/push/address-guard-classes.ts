import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * What an address is, from the view of a server that calls strangers' URLs. Only `public` is safe by itself. `private`
 * and `loopback` may be allowed by a setting; the others never.
 */
export type AddressClass = "public" | "private" | "loopback" | "link-local" | "metadata" | "reserved";

/**
 * Where cloud providers hand out credentials to whoever asks from inside. Most lie in link-local or private ranges, but
 * they have their own class, because a setting that allows private addresses must not open them. 168.63.129.16 (Azure)
 * even looks public.
 */
const METADATA = new Set([
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
  "fd00:42::42",
]);

/**
 * Classifies one IP address as a resolver or a URL parser writes it. Anything that is no such address is `reserved`:
 * other spellings of one (octal, a single number) mean different things to different libraries.
 *
 * IPv6 addresses that carry an IPv4 address inside take the class of that one, since a gateway or the kernel may
 * unpack it. A public address inside makes only the mapped and the NAT64 form public: 6to4, Teredo and the
 * IPv4-compatible form are dead, and no agent of today is reached by them.
 */
export function classifyAddress(ip: string): AddressClass {
  const known = classes.get(ip);
  if (known !== undefined) return known;
  const found = classify(ip);
  if (classes.size >= CLASSES_KEPT) classes.delete(classes.keys().next().value as string);
  classes.set(ip, found);
  return found;
}

/** Asked several times for each call, of the same few addresses; what an address is never changes. */
const classes = new Map<string, AddressClass>();
const CLASSES_KEPT = 4_096;

function classify(ip: string): AddressClass {
  if (isIP(ip) === 0) return "reserved";
  return isIPv4(ip) ? classifyIpv4(ipaddr.IPv4.parse(ip)) : classifyIpv6(parseIpv6(ip));
}

function classifyIpv4(address: ipaddr.IPv4): AddressClass {
  if (METADATA.has(address.toString())) return "metadata";
  const range = address.range();
  if (range === "unicast") return "public";
  if (range === "private" || range === "carrierGradeNat") return "private";
  if (range === "loopback") return "loopback";
  return range === "linkLocal" ? "link-local" : "reserved";
}

/** Written in hex first: ipaddr.js reads `::1.2.3.4` as `::ffff:1.2.3.4`. Without a zone (`%eth0`), which decides nothing. */
function parseIpv6(ip: string): ipaddr.IPv6 {
  return ipaddr.IPv6.parse(new URL(`http://[${ip.replace(/%.*/s, "")}]`).hostname.slice(1, -1));
}

function classifyIpv6(address: ipaddr.IPv6): AddressClass {
  const bytes = address.toByteArray();
  if (METADATA.has(address.toRFC5952String())) return "metadata";
  const range: string = address.range();
  if (range === "loopback") return "loopback";
  if (range === "linkLocal") return "link-local";
  if (range === "uniqueLocal" || range === "deprecatedSiteLocal") return "private";

  if (range === "ipv4Mapped" || startsWith(bytes, NAT64)) return classifyInside(bytes, 12);
  if (startsWith(bytes, COMPATIBLE) || range === "rfc6145") return unlessPublic(classifyInside(bytes, 12));
  if (range === "6to4") return unlessPublic(classifyInside(bytes, 2));
  // The relay at 4, and the host behind it at 12, written inverted.
  if (range === "teredo") {
    const host = unlessPublic(classifyInside(invert(bytes), 12));
    return host === "reserved" ? unlessPublic(classifyInside(bytes, 4)) : host;
  }
  if (isIsatap(bytes)) {
    const inside = classifyInside(bytes, 12);
    if (inside !== "public") return inside;
  }
  // Only 2000::/3 is handed out so far. ipaddr.js calls the rest of the space unicast too.
  return range === "unicast" && (bytes[0]! & 0xe0) === 0x20 ? "public" : "reserved";
}

const NAT64 = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0];
/** Twelve zero bytes: besides old IPv4-compatible addresses also `::`, whose inside is 0.0.0.0 and thereby reserved. */
const COMPATIBLE = new Array<number>(12).fill(0);

function classifyInside(bytes: readonly number[], at: number): AddressClass {
  return classifyIpv4(new ipaddr.IPv4(bytes.slice(at, at + 4)));
}

function unlessPublic(found: AddressClass): AddressClass {
  return found === "public" ? "reserved" : found;
}

function invert(bytes: readonly number[]): number[] {
  return bytes.map((byte) => byte ^ 0xff);
}

/** Interface ids of tunnels inside a site: 00-00-5E-FE, or 02-… for a globally unique one, then the IPv4 address. */
function isIsatap(bytes: readonly number[]): boolean {
  return (bytes[8]! & 0xfd) === 0 && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}

function startsWith(bytes: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}
