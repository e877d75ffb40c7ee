/** Who may make a call. `agent` calls carry the agent's secret, which the statement behind the call checks. */
export type RouteAuth = "public" | "account" | "owner" | "admin" | "agent";

declare module "fastify" {
  interface FastifyContextConfig {
    auth?: RouteAuth;
    /** Calls of the tesserax dialect answer 422 to what they cannot read, the others 400. */
    dialect?: "tesserax";
    rawBody?: boolean;
  }
  interface FastifyRequest {
    /** When the request reached us, in ms since the epoch by the arena's clock. */
    arrivedAt: number;
    /** Set on `account` and `owner` calls. */
    caller: Caller;
  }
}

/** The account behind a call. */
export interface Caller {
  accountId: number;
}
