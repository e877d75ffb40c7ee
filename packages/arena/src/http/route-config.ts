/**
 * Who may make a call. `agent` calls carry the agent's secret, which the statement behind the call checks. `judge` calls
 * carry an account's key, or a judge's cookie, or nothing yet; whose presentation it is, the call itself finds out.
 * `signature` calls are signed under an agent's key, which the call checks over the bytes of its body.
 */
export type RouteAuth = "public" | "account" | "owner" | "admin" | "agent" | "judge" | "signature";

declare module "fastify" {
  interface FastifyContextConfig {
    auth?: RouteAuth;
    /** Calls of the tesserax dialect answer 422 to what they cannot read, the others 400. */
    dialect?: "tesserax";
    rawBody?: boolean;
    /** A public call that says more to who is known: `caller` is set where a good key or session came with it. */
    knowsCaller?: boolean;
  }
  interface FastifyRequest {
    /** When the request reached us, in ms since the epoch by the arena's clock. */
    arrivedAt: number;
    /** Set on `account` and `owner` calls, and on `judge` calls with a key; on public ones see `knowsCaller`. */
    caller: Caller;
  }
}

/** The account behind a call. */
export interface Caller {
  accountId: number;
}
