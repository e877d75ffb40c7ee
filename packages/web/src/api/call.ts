import { reportReached, reportUnreached } from "./connection.ts";
import { ApiProblem, ConnectionLost } from "./problem.ts";
import type { paths } from "./schema.d.ts";

type Method = "get" | "post" | "patch" | "delete";
/** The paths that have a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;
type Json<Part> = Part extends { content: { "application/json": infer Body } } ? Body : undefined;
/** What a call answers when it goes well. */
export type Answer<P extends keyof paths, M extends Method = "get"> =
  Operation<P, M> extends { responses: infer Responses }
    ? Json<Responses[keyof Responses & (200 | 201 | 202)]>
    : undefined;
type Body<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: infer Sent } ? Json<NonNullable<Sent>> : undefined;

export interface Params {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | undefined>;
}

/** The address of a call. */
export function addressOf(path: string, params: Params = {}): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params.path?.[name] ?? "")));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params.query ?? {})) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

export function get<P extends PathOf<"get">>(path: P, params?: Params, signal?: AbortSignal): Promise<Answer<P>> {
  return send("GET", addressOf(path, params), undefined, signal) as Promise<Answer<P>>;
}

export function post<P extends PathOf<"post">>(
  path: P,
  params?: Params,
  body?: Body<P, "post">,
): Promise<Answer<P, "post">> {
  return send("POST", addressOf(path, params), body) as Promise<Answer<P, "post">>;
}

/** Posts a file as it is. */
export function postFile<P extends PathOf<"post">>(path: P, params: Params, file: Blob): Promise<Answer<P, "post">> {
  return send("POST", addressOf(path, params), file) as Promise<Answer<P, "post">>;
}

export function patch<P extends PathOf<"patch">>(
  path: P,
  params: Params,
  body: Body<P, "patch">,
): Promise<Answer<P, "patch">> {
  return send("PATCH", addressOf(path, params), body) as Promise<Answer<P, "patch">>;
}

export function remove<P extends PathOf<"delete">>(path: P, params?: Params): Promise<void> {
  return send("DELETE", addressOf(path, params)) as Promise<void>;
}

async function send(method: string, address: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(address, {
      method,
      credentials: "same-origin",
      headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    reportUnreached();
    throw new ConnectionLost();
  }
  const type = answer.headers.get("content-type") ?? "";
  // A proxy's page in front of an arena that is away says nothing about the call.
  if ([502, 503, 504].includes(answer.status) && !type.includes("json")) {
    reportUnreached();
    throw new ConnectionLost();
  }
  reportReached();
  if (answer.status === 204) return undefined;
  const text = await answer.text();
  let parsed: unknown;
  try {
    parsed = text === "" ? {} : JSON.parse(text);
  } catch {
    parsed = {};
  }
  if (!answer.ok) throw new ApiProblem(answer.status, parsed as object, answer.headers.get("retry-after"));
  return parsed;
}
