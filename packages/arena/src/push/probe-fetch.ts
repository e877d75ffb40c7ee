import type { ProbeFetch } from "@agon/probes";
import type { Outbound } from "./outbound.ts";

/**
 * How probes call endpoints: through the guarded client, like everything else. A GET may use a connection that was used
 * just before, since many agents can live at one origin; one that is reset there is sent once more, for its end may have
 * been on its way already. What is POSTed is sent once, on a connection of its own.
 */
export function createProbeFetch(outbound: Outbound): ProbeFetch {
  return async (request) => {
    if (request.method === "POST") return outbound.exchange(request);
    const first = await outbound.exchange({ ...request, reuse: "hot" });
    if (first.ok || first.code !== "reset" || !first.reusedSocket) return first;
    return outbound.exchange(request);
  };
}
