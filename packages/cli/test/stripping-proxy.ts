import { once } from "node:events";
import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy that takes a prefix off the path, as `location /mine/ { proxy_pass http://agent/; }` of nginx does. */
export interface StrippingProxy extends AsyncDisposable {
  /** The prefix, by which it is called. */
  readonly url: string;
  /** The paths that it passed on. */
  readonly passed: string[];
}

/** @param keepsHost passes the Host header on as it came; otherwise it names the agent's own address */
export async function startStrippingProxy(options: {
  prefix: string;
  agentUrl: string;
  keepsHost: boolean;
}): Promise<StrippingProxy> {
  const { prefix, agentUrl, keepsHost } = options;
  const agent = new URL(agentUrl);
  const passed: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    if (!path.startsWith(prefix)) return response.writeHead(404).end();
    const stripped = `/${path.slice(prefix.length)}`;
    passed.push(stripped);
    const headers = { ...request.headers, ...(keepsHost ? {} : { host: agent.host }) };
    const onward = sendRequest(
      { hostname: agent.hostname, port: agent.port, method: request.method, path: stripped, headers },
      (answer) => answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    onward.on("error", () => response.destroy());
    return request.pipe(onward);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    passed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
