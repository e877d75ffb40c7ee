import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";

/** Has a server listen. Resolves to where, without a path; rejects with the system's error. */
export async function startListening(server: Server, host: string, port: number): Promise<string> {
  server.listen(port, host);
  await once(server, "listening");
  // A connection that cannot be accepted (too many files are open, say) is lost; the server is not.
  server.on("error", () => {});
  const { port: taken } = server.address() as AddressInfo;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${taken}`;
}
