import { createServer } from "node:http";

/** The floor: the two exchanges of the pull API by hand on node:http, with nothing behind them. */
const work = JSON.stringify({
  kind: "main",
  work_id: "main-42",
  prompt_id: "42",
  prompt: "How much is 41 + 1? Answer with the number.",
  category: "bench",
  deadline_seconds: 300,
});
const recorded = JSON.stringify({ work_id: "main-42", recorded: true });

const server = createServer((request, response) => {
  const send = (body: string) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
    response.end(body);
  };
  if (request.method === "GET") return send(work);
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    JSON.parse(Buffer.concat(chunks).toString("utf8"));
    send(recorded);
  });
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => process.send?.("ready"));
