import type { FastifyInstance } from "fastify";

/** The description of every call, for programs. */
export function addOpenapiRoutes(app: FastifyInstance): void {
  app.get("/api/openapi.json", { config: { auth: "public" }, schema: { hide: true } }, async () => app.swagger());
}
