import { createServer, type ServerResponse } from "node:http";
import { roleOutput } from "../packages/arena/test/support/role-outputs.ts";

const PROMPT_ANSWER = JSON.stringify({ response: "42" });
const DISPATCH_ANSWER = JSON.stringify({
  output: roleOutput("SCOUT"),
  promptTokens: 11,
  completionTokens: 7,
  modelId: "bench",
});
let open = true;
let keeps = true;
let answered = 0;
const waiting: [ServerResponse, string][] = [];

function send([response, answer]: [ServerResponse, string]): void {
  answered += 1;
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(answer),
    ...(keeps ? {} : { connection: "close" }),
  });
  response.end(answer);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    if (chunks.length === 0) return void response.end();
    const json = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { prompt_id?: string; taskId?: string };
    const held: [ServerResponse, string] = [response, json.taskId === undefined ? PROMPT_ANSWER : DISPATCH_ANSWER];
    // Pings are always answered: an agent that is being registered has no turn to wait for.
    if (open || json.prompt_id === "0") send(held);
    else waiting.push(held);
  });
});
server.listen({ port: Number(process.argv[2]), host: "127.0.0.1", backlog: 4096 }, () => process.send?.("ready"));

process.on("message", (message: { open?: boolean; keeps?: boolean }) => {
  keeps = message.keeps ?? keeps;
  if (message.keeps !== undefined) return;
  if (message.open === undefined) return void process.send?.({ answered, waiting: waiting.length });
  open = message.open;
  if (open) for (const held of waiting.splice(0)) send(held);
});
