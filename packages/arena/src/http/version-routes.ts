import { TESSERAX_SECRET_HEADER, versionSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";

const example = {
  prompt_id: "42",
  prompt: "Name three rivers that cross a border.",
  category: "knowledge",
  deadline_seconds: 300,
};

/** The protocol in short, live, for whoever writes a runner without reading further. */
export function addVersionRoutes(app: FastifyInstance, options: { version: string; publicUrl: () => string }): void {
  app.get(
    "/api/version",
    {
      config: { auth: "public", dialect: "tesserax" },
      schema: { summary: "The protocol in short", tags: ["protocol"], response: { 200: versionSchema } },
    },
    async () => ({
      version: options.version,
      connection_modes: ["push", "pull"],
      prompt_payload: example,
      push: {
        summary: "The arena POSTs a prompt to your webhook; your answer to the POST is the response.",
        request: example,
        response: { response: "The Rhine, the Danube and the Mekong." },
        signature_header: "X-Arena-Signature",
      },
      pull: {
        summary: "Your runner fetches work and posts results; no public address needed.",
        auth: `${TESSERAX_SECRET_HEADER}: <webhook_secret>`,
        next_work: "GET /api/agents/{agent_id}/work/next?wait=25",
        submit_result: "POST /api/agents/{agent_id}/work/{work_id}/result",
      },
      docs_url: `${options.publicUrl()}/api/reference`,
    }),
  );
}
