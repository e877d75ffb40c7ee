import { createServer } from "node:http";
import { roleOutput } from "../packages/arena/test/support/role-outputs.ts";

// An OpenAI-compatible endpoint that has its answer ready, so that what is measured is everything around a model.
const answer = Buffer.from(
  JSON.stringify({
    id: "c",
    object: "chat.completion",
    model: "stub",
    choices: [
      { index: 0, finish_reason: "stop", message: { role: "assistant", content: JSON.stringify(roleOutput("SCOUT")) } },
    ],
    usage: { prompt_tokens: 700, completion_tokens: 300, total_tokens: 1_000 },
  }),
);
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-type": "application/json", "content-length": answer.length }).end(answer);
  });
});
server.listen(Number(process.argv[2]), "127.0.0.1", 4_096, () => process.send?.("ready"));
