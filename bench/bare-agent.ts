import { createHmac, timingSafeEqual } from "node:crypto";
import { Agent, createServer, request as httpRequest } from "node:http";

// The floor: an agent by hand that does what it must and nothing else. It verifies, asks the model, answers.
const [port, modelUrl = "", key = ""] = process.argv.slice(2);
const connections = new Agent({ keepAlive: true });

function ask(
  messages: unknown,
): Promise<{ content: string; usage: { prompt_tokens: number; completion_tokens: number } }> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({ model: "stub", messages, response_format: { type: "json_object" } });
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const call = httpRequest(
      `${modelUrl}/chat/completions`,
      { method: "POST", agent: connections, headers },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () => {
          const { choices, usage } = JSON.parse(Buffer.concat(chunks).toString());
          resolve({ content: choices[0].message.content, usage });
        });
      },
    );
    call.on("error", reject).end(body);
  });
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", async () => {
    const raw = Buffer.concat(chunks);
    const timestamp = String(request.headers["x-edgearena-timestamp"]);
    const signature = Buffer.from(String(request.headers["x-edgearena-signature"]));
    const hmac = createHmac("sha256", key).update(`${timestamp}\n${request.headers.host}${request.url}\n`).update(raw);
    const expected = Buffer.from(`sha256=${hmac.digest("hex")}`);
    const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
    if (!isFresh || signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
      return void response.writeHead(401).end();
    }
    const { messages } = JSON.parse(raw.toString());
    const { content, usage } = await ask(messages);
    const output = JSON.parse(content);
    const counts = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
    const body = JSON.stringify({ output, ...counts, modelId: "stub" });
    response
      .writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
      .end(body);
  });
});
server.listen(Number(port), "127.0.0.1", 4_096, () => process.send?.("ready"));
