import { createServer } from "node:http";
import { Pool } from "undici";

/** Holds requests and does nothing else: as a server that answers nobody, or as a client that waits for answers. */
const [mode, port, count] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const held: unknown[] = [];

if (mode === "serve") {
  createServer((_request, response) => held.push(response)).listen({ port, host: "127.0.0.1", backlog: 4096 }, () =>
    process.send?.("ready"),
  );
} else {
  process.send?.("ready");
}

process.on("message", (message) => {
  if (message === "memory") return void process.send?.(process.memoryUsage.rss());
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: count, headersTimeout: 0 });
  const body = JSON.stringify({
    prompt_id: "42",
    prompt: "How much is 41 + 1?",
    category: "bench",
    deadline_seconds: 300,
  });
  for (let index = 0; index < count; index += 1) {
    held.push(pool.request({ method: "POST", path: "/hook", body }).catch(() => {}));
  }
});
