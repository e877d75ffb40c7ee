import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** An OpenAI-compatible endpoint that answers by what it was asked. */
export interface ModelEndpoint extends AsyncDisposable {
  /** To be given as the model's URL. */
  readonly url: string;
  /** The messages of each call. */
  readonly asked: { role: string; content: string }[][];
}

/** Starts a {@link ModelEndpoint} on a free port. */
export async function startModelEndpoint(answer: (messages: { content: string }[]) => string): Promise<ModelEndpoint> {
  const asked: ModelEndpoint["asked"] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { messages } = JSON.parse(Buffer.concat(chunks).toString());
    asked.push(messages);
    const message = { role: "assistant", content: answer(messages) };
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        id: "c",
        object: "chat.completion",
        model: "stub-7b",
        choices: [{ index: 0, finish_reason: "stop", message }],
        usage: { prompt_tokens: 90, completion_tokens: 30, total_tokens: 120 },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
