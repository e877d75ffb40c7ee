import { extname } from "node:path";
import { Worker } from "node:worker_threads";

/** Pictures kept: a link that is shared is asked for by many within minutes. About 40 KB each. */
const KEPT = 100;
/** Beyond this many at once a caller is told to come again. */
const WAITING_MOST = 50;

export interface CardPainter {
  /** Undefined when too many wait. */
  paint(svg: string): Promise<Buffer> | undefined;
  stop(): Promise<void>;
}

/** Turns cards into PNG, each once while it is kept. The thread is begun by the first. */
export function createCardPainter(): CardPainter {
  const kept = new Map<string, Promise<Buffer>>();
  const waiting = new Map<number, { resolve: (png: Buffer) => void; reject: (error: Error) => void }>();
  let worker: Worker | undefined;
  let last = 0;

  function begin(): Worker {
    // In the source it is TypeScript, in what is built JavaScript.
    const made = new Worker(new URL(`./card-worker${extname(import.meta.url)}`, import.meta.url));
    made.unref();
    made.on("message", ({ id, png, error }: { id: number; png?: Uint8Array; error?: string }) => {
      const one = waiting.get(id);
      waiting.delete(id);
      if (png === undefined) one?.reject(new Error(error));
      else one?.resolve(Buffer.from(png));
    });
    made.on("error", (error) => {
      worker = undefined;
      for (const one of waiting.values()) one.reject(error as Error);
      waiting.clear();
    });
    return made;
  }

  return {
    paint(svg) {
      const known = kept.get(svg);
      if (known !== undefined) return known;
      if (waiting.size >= WAITING_MOST) return undefined;
      worker ??= begin();
      const id = ++last;
      const png = new Promise<Buffer>((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ id, svg });
      kept.set(svg, png);
      png.catch(() => kept.delete(svg));
      for (const oldest of kept.keys()) {
        if (kept.size <= KEPT) break;
        kept.delete(oldest);
      }
      return png;
    },
    async stop() {
      await worker?.terminate();
    },
  };
}
