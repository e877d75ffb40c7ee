import { createServer, type ServerResponse } from "node:http";

const answer = JSON.stringify({ response: "42" });
const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(answer) };
let open = true;
let answered = 0;
const waiting: ServerResponse[] = [];

function send(response: ServerResponse): void {
  answered += 1;
  response.writeHead(200, headers);
  response.end(answer);
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { prompt_id: id } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { prompt_id: string };
    // Pings are always answered: an agent that is being registered has no turn to wait for.
    if (open || id === "0") send(response);
    else waiting.push(response);
  });
});
server.listen({ port: Number(process.argv[2]), host: "127.0.0.1", backlog: 4096 }, () => process.send?.("ready"));

process.on("message", (message: { open?: boolean }) => {
  if (message.open === undefined) return void process.send?.({ answered, waiting: waiting.length });
  open = message.open;
  if (open) for (const response of waiting.splice(0)) send(response);
});
