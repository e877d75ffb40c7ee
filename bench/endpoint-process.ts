import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { freePort } from "../scripts/drills/server-process.ts";

export interface Endpoint {
  url: string;
  /** Lets answers go out, or keeps every prompt waiting, which is how a contestant is stopped between its turns. */
  setOpen(open: boolean): void;
  /** Whether it keeps the connection after an answer, as at the start. */
  setKeeps(keeps: boolean): void;
  /** Prompts answered so far, and waiting now. */
  counts(): Promise<{ answered: number; waiting: number }>;
  stop(): Promise<void>;
}

/** An agent's webhook in a process of its own, which answers at once and does nothing. */
export async function startEndpoint(): Promise<Endpoint> {
  const port = await freePort();
  const child: ChildProcess = fork(fileURLToPath(new URL("./bare-endpoint.ts", import.meta.url)), [String(port)]);
  await once(child, "message");
  return {
    url: `http://127.0.0.1:${port}/hook`,
    setOpen: (open) => void child.send({ open }),
    setKeeps: (keeps) => void child.send({ keeps }),
    async counts() {
      child.send({});
      const [counts] = await once(child, "message");
      return counts as { answered: number; waiting: number };
    },
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}
