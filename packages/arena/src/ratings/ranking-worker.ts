import { parentPort } from "node:worker_threads";
import { createRankingBook, type RankingRequest } from "./ranking-book.ts";

/** The thread that counts and fits: a thousand agents take a second of computing, which no request should wait for. */
const port = parentPort;
if (port === null) throw new Error("ranking-worker.ts runs as a worker thread only");
const book = createRankingBook();
port.on("message", (request: RankingRequest) => {
  if (request.kind === "reset") book.reset();
  else if (request.kind === "add") book.add(request.tallies);
  else port.postMessage(book.fit(new Set(request.hidden), request.all));
});
