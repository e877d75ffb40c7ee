import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** A command that reads its task and answers, and takes no time of its own beyond that. */
const COMMAND = ["sh", "-c", "read -r task; echo 42"];
const BIN = fileURLToPath(new URL("../packages/cli/bin/agon.js", import.meta.url));
/** The first tasks warm up. */
const WARM_UP = 10;

/** What the runner needed beyond the command's own time, in ms: median and p90, and the median of the command alone. */
export interface RunnerOverhead {
  readonly tasks: number;
  readonly median: number;
  readonly p90: number;
  readonly command: number;
}

/**
 * Has `agon run` do tasks one after the other. Just before each is handed out, the command is run by hand, so that
 * neither the machine's pace nor its noise is the runner's; what counts is the time from a task on its way out to the
 * next poll on its way in, result and all, less that.
 */
export async function measureRunner(tasks: number): Promise<RunnerOverhead> {
  const commands: number[] = [];
  const overheads: number[] = [];
  const finished = Promise.withResolvers<void>();
  let handed: { at: number; command: number } | undefined;
  let given = 0;

  const give = async (response: ServerResponse) => {
    if (handed !== undefined) {
      const spent = performance.now() - handed.at;
      if (given > WARM_UP) {
        overheads.push(spent - handed.command);
        commands.push(handed.command);
      }
    }
    if (overheads.length >= tasks) {
      response.writeHead(204).end();
      return finished.resolve();
    }
    given += 1;
    const work = JSON.stringify({
      ...{ kind: "main", work_id: `main-${given}`, prompt_id: String(given) },
      ...{ prompt: "How much is 41 + 1? Answer with the number.", category: "bench", deadline_seconds: 300 },
    });
    const command = await runByHand(work);
    handed = { at: performance.now(), command };
    response.writeHead(200, { "content-type": "application/json" }).end(work);
  };

  const server = createServer(async (request, response) => {
    if (request.method === "GET") return give(response).catch(finished.reject);
    const { response: answer } = JSON.parse(await text(request));
    if (answer !== "42") finished.reject(new Error(`the command answered ${JSON.stringify(answer)}`));
    response.writeHead(200, { "content-type": "application/json" }).end('{"recorded":true}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const home = await mkdtemp(join(tmpdir(), "agon-bench-"));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const runner = spawn(
    process.execPath,
    [
      "--conditions=@agon/source",
      BIN,
      "run",
      "--base-url",
      address,
      "--agent",
      "1",
      "--secret",
      "whsec_bench",
      "--",
    ].concat(COMMAND),
    { env: { PATH: process.env.PATH, HOME: home }, stdio: ["ignore", "ignore", "inherit"] },
  );
  const gone = once(runner, "exit");
  try {
    await Promise.race([
      finished.promise,
      gone.then(([code]) => Promise.reject(new Error(`agon run ended with ${code}`))),
    ]);
  } finally {
    runner.kill("SIGINT");
    await gone;
    server.closeAllConnections();
    server.close();
    await rm(home, { recursive: true, force: true });
  }
  const at = (values: readonly number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
  return { tasks, median: at(overheads, 0.5), p90: at(overheads, 0.9), command: at(commands, 0.5) };
}

/** The command's own time: started, fed, read to its end. */
async function runByHand(work: string): Promise<number> {
  const begun = performance.now();
  const [file = "", ...args] = COMMAND;
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(`${work}\n`);
  await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return performance.now() - begun;
}
