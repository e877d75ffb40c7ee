import { type ProbePorts, type ProbeStep, probeHandshake, probeLiveness, probeSimulation } from "@agon/probes";
import { agentUrlSchema, ROLES } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { exchangeSchemas } from "./activation-views.ts";
import type { ProbeLimits } from "./probe-limits.ts";

const text = z.string();
const body = z.object({ endpoint_url: agentUrlSchema });
const status = z.int().nullable();
const latency = z.number().nullable();

/** Probes of a URL that belongs to no agent yet: what an owner tries before they register. */
export function addProbeRoutes(
  instance: FastifyInstance,
  options: { ports: ProbePorts; probeLimits: ProbeLimits; verifySeconds: number },
): void {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { ports, probeLimits } = options;
  const tags = ["edgearena"];

  app.post(
    "/api/probes/ping",
    {
      config: { auth: "account" },
      schema: {
        summary: "Ask a URL whether anything is there",
        tags,
        body,
        response: {
          200: z.object({ reachable: z.boolean(), status, latency_ms: latency, detail: text, ...exchangeSchemas }),
        },
      },
    },
    async (request) => {
      const url = request.body.endpoint_url;
      const deadlineMs = options.verifySeconds * 1000;
      const step = await probeLimits.run(request.caller.accountId, url, () =>
        probeLiveness(ports, { url, kind: "ping", deadlineMs }),
      );
      return { reachable: step.ok, ...shared(step) };
    },
  );

  app.post(
    "/api/probes/handshake",
    {
      config: { auth: "account" },
      schema: {
        summary: "Shake hands with a URL: does it speak JSON over HTTP?",
        tags,
        body,
        response: {
          200: z.object({
            ok: z.boolean(),
            error_code: text.nullable(),
            errorCode: text.nullable(),
            status,
            latency_ms: latency,
            detail: text,
            ...exchangeSchemas,
          }),
        },
      },
    },
    async (request) => {
      const url = request.body.endpoint_url;
      const step = await probeLimits.run(request.caller.accountId, url, () => probeHandshake(ports, { url }));
      return { ok: step.ok, error_code: step.errorCode, errorCode: step.errorCode, ...shared(step) };
    },
  );

  app.post(
    "/api/probes/simulation",
    {
      config: { auth: "account" },
      schema: {
        summary: "Give a URL the simulated task of a role, unsigned, and check its answer",
        tags,
        body: body.extend({ role: z.enum(ROLES) }),
        response: {
          200: z.object({
            ok: z.boolean(),
            checks: z.array(z.object({ name: text, ok: z.boolean().nullable(), detail: text })),
            latency_ms: latency,
            response_excerpt: text.nullable(),
            detail: text,
            ...exchangeSchemas,
          }),
        },
      },
    },
    async (request) => {
      const { endpoint_url: url, role } = request.body;
      const step = await probeLimits.run(request.caller.accountId, url, () => probeSimulation(ports, { url, role }));
      const { status: _status, ...rest } = shared(step);
      return { ok: step.ok, checks: step.checks, response_excerpt: step.received?.excerpt ?? null, ...rest };
    },
  );
}

function shared({ sent, received, latencyMs, detail, advice }: ProbeStep) {
  return {
    sent,
    received,
    status: received?.status ?? null,
    latency_ms: latencyMs,
    detail: advice === null ? detail : `${detail} ${advice}`,
  };
}
