import { type ProblemCode, ProblemError, type ProblemField, problemStatus, toProblem } from "@agon/protocol";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";

/** The one place where an error becomes an answer: problem details, with our own faults hidden and logged. */
export function addProblemHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const problem = normalise(error, request);
    if (problemStatus[problem.code] >= 500) {
      request.log.error({ err: error }, "a request failed through a fault of ours");
    }
    return sendProblem(reply, request, problem);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0] as string;
    return sendProblem(reply, request, methodOrPath(app, request.method, path));
  });
}

function methodOrPath(app: FastifyInstance, method: string, path: string): ProblemError {
  const others = (["GET", "POST", "PATCH", "DELETE", "PUT"] as const).filter(
    (each) => each !== method && app.findRoute({ method: each, url: path }) !== null,
  );
  if (others.length === 0) return new ProblemError("not_found", `there is nothing at ${path}`);
  return new ProblemError("method_not_allowed", `${path} takes ${others.join(", ")}, not ${method}`, {
    headers: { allow: others.join(", ") },
  });
}

function sendProblem(reply: FastifyReply, request: FastifyRequest, error: ProblemError): FastifyReply {
  for (const [name, value] of Object.entries(error.headers ?? {})) reply.header(name, value);
  const problem = toProblem({ code: error.code, detail: error.detail, requestId: request.id, errors: error.errors });
  return reply
    .code(problemStatus[error.code])
    .header("cache-control", "no-store")
    .type("application/problem+json; charset=utf-8")
    .send(JSON.stringify(problem));
}

function normalise(error: unknown, request: FastifyRequest): ProblemError {
  if (error instanceof ProblemError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return invalid(error.validation, request);
  const { code, statusCode } = error as FastifyError;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new ProblemError("payload_too_large", `the body is larger than ${request.routeOptions.bodyLimit} bytes`);
  }
  if (code === "FST_ERR_CTP_INVALID_CONTENT_LENGTH") {
    return new ProblemError("invalid_request", "the body does not have the length that Content-Length says");
  }
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) {
    return new ProblemError("invalid_request", (error as Error).message, { cause: error });
  }
  const detail = "the arena failed at this request; it is not your fault. Quote the request_id to the operator";
  return new ProblemError("internal", detail, { cause: error });
}

interface Issue {
  instancePath: string;
  message?: string;
}

function invalid(issues: readonly Issue[], request: FastifyRequest): ProblemError {
  const errors: ProblemField[] = issues.map((issue) => ({
    field: issue.instancePath.replace(/^\//, "").replaceAll("/", ".") || "body",
    detail: issue.message ?? "not valid",
  }));
  const detail = errors.map((each) => `${each.field}: ${each.detail}`).join("; ");
  const code: ProblemCode = request.routeOptions.config.dialect === "tesserax" ? "unprocessable" : "invalid_request";
  return new ProblemError(code, detail, { errors });
}
