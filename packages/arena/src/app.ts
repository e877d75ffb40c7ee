import { BODY_MAX_BYTES, problemStatus } from "@agon/protocol";
import helmet from "@fastify/helmet";
import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import fastify, {
  type FastifyBaseLogger,
  type FastifyContextConfig,
  type FastifyInstance,
  LogController,
} from "fastify";
import {
  jsonSchemaTransform,
  jsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from "fastify-type-provider-zod";
import type { Logger } from "pino";
import { type AuthenticationOptions, addAuthentication } from "./http/authentication.ts";
import { callProblems } from "./http/call-problems.ts";
import { closeConnectionsAtEnd } from "./http/close-connections-at-end.ts";
import { JUDGE_COOKIE, OPERATOR_COOKIE, SESSION_COOKIE } from "./http/cookies.ts";
import { addHostCheck } from "./http/host-check.ts";
import { addBodyParser } from "./http/json-body.ts";
import { addProblemHandler, answerClientError, answerUnroutable } from "./http/problem-handler.ts";
import { addQueryTextCheck } from "./http/query-text.ts";
import type { Clock } from "./ports.ts";

export interface AppOptions {
  log: Logger;
  clock: Clock;
  version: string;
  host: string;
  publicUrl: string | undefined;
  trustedProxies: number;
  authentication: AuthenticationOptions;
}

/** Longer than the idle time of the usual balancers (60 s): closing first would answer some requests with a 502. */
const KEEP_ALIVE_MS = 72_000;

/** Ids for requests: random once per process, then counted, which costs a hundredth of a random one each. */
function createRequestIds(): () => string {
  const node = crypto.randomUUID().slice(0, 13);
  let count = 0;
  return () => {
    count += 1;
    return `${node}-${count.toString(36)}`;
  };
}

/** The HTTP application without its routes: what holds for every request. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    // Its own notes on listening and closing say nothing that the command line does not.
    loggerInstance: options.log.child(
      {},
      { level: options.log.level === "info" ? "warn" : options.log.level },
    ) as FastifyBaseLogger,
    // One line for each poll would be nearly all of the log; faults are logged where they are handled.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX_BYTES,
    // Only the address of a caller is taken from a proxy, by `request.ip`; the host never is.
    trustProxy: (_address: string, hop: number) => hop < options.trustedProxies,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A body may trickle in this long at the most, whatever the rate.
    requestTimeout: 60_000,
    forceCloseConnections: "idle",
    genReqId: createRequestIds(),
    // The routes themselves say what is wrong with a long id; more than this Node does not read as a request line.
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: answerUnroutable,
    clientErrorHandler: answerClientError,
    // Its answer would be no problem document; closeConnectionsAtEnd gives one.
    return503OnClosing: false,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest("arrivedAt", 0);
  app.addHook("onRequest", (request, _reply, done) => {
    request.arrivedAt = options.clock.now();
    done();
  });
  closeConnectionsAtEnd(app);
  addProblemHandler(app);
  addBodyParser(app);
  addHostCheck(app, options);
  addQueryTextCheck(app);
  const isHttps = options.publicUrl?.startsWith("https:") === true;
  await app.register(helmet, {
    // Both would send a browser that came by plain http to an https that nobody serves.
    hsts: isHttps,
    contentSecurityPolicy: { directives: { upgradeInsecureRequests: isHttps ? [] : null } },
  });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Agon",
        version: options.version,
        description: "An arena for AI agents. Errors are RFC 9457 problem details.",
      },
      components: {
        securitySchemes: {
          account: { type: "http", scheme: "bearer", description: "an account's api_key" },
          owner: { type: "http", scheme: "bearer", description: "the api_key of the account that owns the agent" },
          admin: { type: "http", scheme: "bearer", description: "the operator's key" },
          agent: { type: "apiKey", in: "header", name: "X-Arena-Secret", description: "the agent's webhook_secret" },
          signature: {
            type: "apiKey",
            in: "header",
            name: "X-EdgeArena-Signature",
            description: "sha256= and the HMAC of timestamp, host and path, and body under the agent's key",
          },
          session: { type: "apiKey", in: "cookie", name: SESSION_COOKIE, description: "set by POST /api/session" },
          operator: {
            type: "apiKey",
            in: "cookie",
            name: OPERATOR_COOKIE,
            description: "set by POST /api/session with the operator's key",
          },
          judge: { type: "apiKey", in: "cookie", name: JUDGE_COOKIE, description: "set by the first look at a battle" },
        },
      },
    },
    transform: (route) => jsonSchemaTransform({ ...route, schema: withProblems(route, withSecurity(route)) }),
    transformObject: jsonSchemaTransformObject,
  });
  await app.register(swaggerUi, { routePrefix: "/api/reference", staticCSP: true });
  // After the reader of the API, whose own files need no word on who may fetch them.
  addAuthentication(app, { ...options.authentication, publicUrl: options.publicUrl });
  return app;
}

/** Writes into a route's description what it may be refused with. */
function withProblems(
  { url, route }: { url: string; route: { method: string | string[]; config?: FastifyContextConfig } },
  schema: object,
) {
  const auth = route.config?.auth;
  if (auth === undefined) return schema;
  const method = String(route.method);
  const codes = callProblems({ method, url, auth, isTesserax: route.config?.dialect === "tesserax", schema });
  return { ...schema, "x-problems": codes.map((code) => ({ code, status: problemStatus[code] })) };
}

/** Writes who may call a route into its description, from the same word that the check uses. */
function withSecurity(route: { schema: object; route: { config?: { auth?: string } } }) {
  const auth = route.route.config?.auth;
  if (auth === undefined || auth === "public") return route.schema;
  const others =
    auth === "judge"
      ? [{ account: [] }, { session: [] }]
      : auth === "account" || auth === "owner"
        ? [{ session: [] }]
        : auth === "admin"
          ? [{ operator: [] }]
          : [];
  return { ...route.schema, security: [{ [auth]: [] }, ...others] };
}
