import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import {
  type ProblemCode,
  ProblemError,
  type ProblemField,
  problemStatus,
  toProblem,
  truncateUtf8,
} from "@agon/protocol";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { sqlState } from "../db/database.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** Answers people, rather than programs, where there is nothing; undefined leaves it to the problem. */
    missingPage: { answer?: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined };
  }
}

/** Refused fields that are named; a body of a mebibyte can hold a hundred thousand faults. */
const ERRORS_NAMED = 20;
/** What PostgreSQL says to NUL in a text or a jsonb, and to half of a surrogate pair in a jsonb. */
const UNSTORABLE_TEXT = new Set(["22021", "22P05", "22P02"]);

/** The one place where an error becomes an answer: problem details, with our own faults hidden and logged. */
export function addProblemHandler(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const problem = normalise(error, request);
    if (problem.code === "internal") request.log.error({ err: error }, "a request failed through a fault of ours");
    return sendProblem(reply, request, problem);
  });
  app.decorate("missingPage", {});
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split("?")[0] as string;
    const problem = methodOrPath(app, request.method, path);
    const page = problem.code === "not_found" ? app.missingPage.answer?.(request, reply) : undefined;
    return page ?? sendProblem(reply, request, problem);
  });
}

/** Answers what the router refuses before any hook runs: a path that cannot be decoded or is too long. */
export function answerUnroutable(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const detail =
    error.code === "FST_ERR_BAD_URL"
      ? "the path is not valid percent-encoded UTF-8"
      : "a part of the path is longer than anything that has an address here";
  const problem = new ProblemError("invalid_request", detail, { errors: [{ field: "path", detail }] });
  void sendProblem(reply, request, problem);
}

/** Answers what is no HTTP request at all, on the bare socket: there is no reply to send it with. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const detail =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "the headers are larger than the arena reads"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "the request did not arrive in time"
        : "this is not an HTTP request";
  const body = JSON.stringify(toProblem({ code: "invalid_request", detail, requestId: crypto.randomUUID() }));
  const head = [
    `HTTP/1.1 400 ${STATUS_CODES[400]}`,
    "content-type: application/problem+json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function methodOrPath(app: FastifyInstance, method: string, path: string): ProblemError {
  const others = (["GET", "POST", "PATCH", "DELETE", "PUT"] as const).filter(
    (each) => each !== method && app.findRoute({ method: each, url: path }) !== null,
  );
  // Not all of a path of many kilobytes: nobody reads it, and repeating it would cost us more than its sender.
  const place = truncateUtf8(path, 200, "…");
  if (others.length === 0) return new ProblemError("not_found", `there is nothing at ${place}`);
  return new ProblemError("method_not_allowed", `${place} takes ${others.join(", ")}, not ${method}`, {
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
  if (UNSTORABLE_TEXT.has(sqlState(error) ?? "")) {
    request.log.warn({ err: error }, "a text that cannot be stored got as far as the database");
    const detail = "a text in this request holds a character that cannot be stored: NUL, or half of a surrogate pair";
    return new ProblemError(invalidCode(request), detail, { cause: error });
  }
  const detail = "the arena failed at this request; it is not your fault. Quote the request_id to the operator";
  return new ProblemError("internal", detail, { cause: error });
}

interface Issue {
  instancePath: string;
  message?: string;
}

function invalid(issues: readonly Issue[], request: FastifyRequest): ProblemError {
  const errors = issues.map((issue) => ({
    field: issue.instancePath.replace(/^\//, "").replaceAll("/", ".") || "body",
    detail: issue.message ?? "not valid",
  }));
  return refuseFields(request, errors);
}

/** The refusal of one or more fields, with the code that the dialect of the call has for it. */
export function refuseFields(request: FastifyRequest, fields: readonly ProblemField[]): ProblemError {
  const errors = fields.slice(0, ERRORS_NAMED);
  const more = fields.length > errors.length ? [`and ${fields.length - errors.length} more`] : [];
  const detail = [...errors.map((each) => `${each.field}: ${each.detail}`), ...more].join("; ");
  return new ProblemError(invalidCode(request), detail, { errors });
}

function invalidCode(request: FastifyRequest): ProblemCode {
  return request.routeOptions.config.dialect === "tesserax" ? "unprocessable" : "invalid_request";
}
