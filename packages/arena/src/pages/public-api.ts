import type { FastifyInstance } from "fastify";

/** Reads the arena's own public calls: a page, its Markdown twin and its card are then made of the same answer. */
export interface PublicApi {
  /** The answer's body, undefined when there is no such thing. Our own faults are thrown. */
  get<Body>(path: string): Promise<Body | undefined>;
  /** The same of a call that answers with text. */
  text(path: string): Promise<string | undefined>;
}

export function createPublicApi(app: FastifyInstance): PublicApi {
  async function ask(path: string) {
    const answer = await app.inject({ method: "GET", url: path });
    if (answer.statusCode === 200) return answer;
    if (answer.statusCode === 404 || answer.statusCode === 400 || answer.statusCode === 422) return undefined;
    throw new Error(`${path} answered ${answer.statusCode}`);
  }
  return {
    get: async <Body>(path: string) => (await ask(path))?.json() as Body | undefined,
    text: async (path) => (await ask(path))?.payload,
  };
}
