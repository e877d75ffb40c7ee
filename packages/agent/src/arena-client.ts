import type { ProblemCode } from "@agon/protocol";
import type { paths } from "./arena-api.ts";
import { ArenaError } from "./arena-error.ts";
import { requestArena } from "./arena-request.ts";
import { parseBaseUrl } from "./base-url.ts";

type Method = "get" | "post" | "patch" | "delete";
type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

/** The calls that there are of a method. */
export type ArenaPath<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

type JsonOf<Part> = Part extends { content: { "application/json": infer Body } } ? Body : undefined;
/** What a call answers when it goes well; undefined for an empty answer. */
export type ArenaAnswerOf<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer Responses }
    ? JsonOf<Responses[keyof Responses & (200 | 201 | 202 | 204)]>
    : undefined;

type PathOf<O> = O extends { parameters: { path: infer Path } } ? { path: Path } : { path?: never };
type QueryOf<O> = O extends { parameters: { query?: infer Query } } ? { query?: Query } : { query?: never };
type BodyOf<O> = O extends { requestBody: infer Sent }
  ? { body: JsonOf<Sent> }
  : O extends { requestBody?: infer Sent }
    ? { body?: JsonOf<NonNullable<Sent>> }
    : { body?: never };
/** What a call takes: the parts of its path, its query, its body. */
export type ArenaInput<P extends keyof paths, M extends Method> = PathOf<Operation<P, M>> &
  QueryOf<Operation<P, M>> &
  BodyOf<Operation<P, M>> & { signal?: AbortSignal; timeoutMs?: number };

/** A call may leave its input out where nothing in it is needed. */
type Rest<Input> = Record<never, never> extends Input ? [input?: Input] : [input: Input];

/** Every call of an arena, typed from its OpenAPI description. Rejects with an {@link ArenaError}. */
export interface ArenaClient {
  get<P extends ArenaPath<"get">>(path: P, ...rest: Rest<ArenaInput<P, "get">>): Promise<ArenaAnswerOf<P, "get">>;
  post<P extends ArenaPath<"post">>(path: P, ...rest: Rest<ArenaInput<P, "post">>): Promise<ArenaAnswerOf<P, "post">>;
  patch<P extends ArenaPath<"patch">>(
    path: P,
    ...rest: Rest<ArenaInput<P, "patch">>
  ): Promise<ArenaAnswerOf<P, "patch">>;
  delete<P extends ArenaPath<"delete">>(
    path: P,
    ...rest: Rest<ArenaInput<P, "delete">>
  ): Promise<ArenaAnswerOf<P, "delete">>;
}

/** Whom {@link createArenaClient} calls, and as whom. */
export interface ArenaClientOptions {
  /** Address of the arena, with or without `/api`. */
  readonly baseUrl: string;
  /** The account's key, or the operator's. Without it only public calls go well. */
  readonly apiKey?: string;
  /** The platform's unless given. */
  readonly fetch?: typeof fetch;
}

type Input = { path?: object; query?: object; body?: unknown; signal?: AbortSignal; timeoutMs?: number };

/**
 * Makes an {@link ArenaClient}. Answers are typed, not checked: an arena of a later version may say more.
 *
 * @throws TypeError for a base URL that is none
 */
export function createArenaClient(options: ArenaClientOptions): ArenaClient {
  const baseUrl = parseBaseUrl(options.baseUrl);
  const headers = options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` };
  const call =
    (method: "GET" | "POST" | "PATCH" | "DELETE") =>
    async (path: string, { path: parts = {}, query = {}, body, signal, timeoutMs }: Input = {}) => {
      const answer = await requestArena({
        baseUrl,
        path: toAddress(path, parts, query),
        method,
        headers,
        signal,
        fetch: options.fetch,
        ...(body === undefined ? {} : { body }),
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      return answer.body;
    };
  return { get: call("GET"), post: call("POST"), patch: call("PATCH"), delete: call("DELETE") } as ArenaClient;
}

/** Whether a call failed with one of an arena's problems, by its code: the set is closed, so that none is misspelled. */
export function isProblem<Code extends ProblemCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ArenaError & { readonly code: Code } {
  return error instanceof ArenaError && (codes as readonly (string | undefined)[]).includes(error.code);
}

function toAddress(path: string, parts: object, query: object): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = (parts as Record<string, unknown>)[name];
    return encodeURIComponent(String(part));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}
