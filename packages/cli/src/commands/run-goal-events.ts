import { setTimeout as delay } from "node:timers/promises";
import { ArenaError, requestArena } from "@agon/agent";
import { z } from "zod";

const slotSchema = z.looseObject({
  id: z.number(),
  candidate_id: z.string().nullable(),
  position: z.number(),
  state: z.string(),
  task_state: z.string().nullable(),
  agent: z.looseObject({ id: z.number(), name: z.string(), house: z.boolean() }).nullable(),
  own_account: z.boolean(),
  cause: z.string().nullable(),
  latency_ms: z.number().nullable(),
});
const progressSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  reason: z.string().nullable(),
  finished_at: z.string().nullable(),
  phases: z.array(z.looseObject({ phase: z.string(), slots: z.array(slotSchema) })),
  candidates: z.array(
    z.looseObject({
      id: z.string(),
      number: z.number(),
      title: z.string(),
      state: z.string(),
      reason: z.string().nullable(),
    }),
  ),
  ranking: z.array(z.looseObject({ rank: z.number(), title: z.string(), score: z.number(), sum: z.string() })),
});

/** Where a run stands, as far as it is shown. */
export type RunProgress = z.infer<typeof progressSchema>;

const RECONNECT_MS = 1_000;
/** Heartbeats come every 15 s; silence of this length means that the connection is dead. */
const SILENCE_MS = 45_000;

/**
 * Follows a run by its events until it is over. A stream that breaks off is opened again; each event is the whole of
 * where the run stands, so nothing is missed.
 *
 * @returns where it stood at its end; undefined when the signal gave it up
 * @throws ArenaError when the arena refuses, such as for a run that there is not
 */
export async function followRun(
  baseUrl: string,
  id: string,
  onProgress: (progress: RunProgress) => void,
  signal?: AbortSignal,
): Promise<RunProgress | undefined> {
  while (signal?.aborted !== true) {
    const last = await readStream(baseUrl, id, onProgress, signal).catch((error) => {
      if (error instanceof ArenaError) throw error;
      return undefined;
    });
    if (last !== undefined && last.finished_at !== null) return last;
    await delay(RECONNECT_MS, undefined, { signal }).catch(() => {});
    // Tells a run that is gone, or an arena that refuses, from a stream that broke off; an arena that is away it waits for.
    const progress = await requestArena({ baseUrl, path: `/api/runs/${id}`, signal }).then(
      ({ body }) => parseProgress(baseUrl, body),
      (error) => {
        if (error instanceof ArenaError && (error.status ?? 500) < 500) throw error;
        return undefined;
      },
    );
    if (progress !== undefined) onProgress(progress);
    if (progress !== undefined && progress.finished_at !== null) return progress;
  }
  return undefined;
}

async function readStream(
  baseUrl: string,
  id: string,
  onProgress: (progress: RunProgress) => void,
  signal: AbortSignal | undefined,
): Promise<RunProgress | undefined> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), SILENCE_MS);
  try {
    const response = await fetch(`${baseUrl}/api/runs/${id}/events`, {
      headers: { accept: "text/event-stream", "user-agent": "agon" },
      redirect: "manual",
      signal: signal === undefined ? silent.signal : AbortSignal.any([signal, silent.signal]),
    });
    if (!response.ok || response.body === null) return undefined;
    let last: RunProgress | undefined;
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      timer.refresh();
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const data = /^event: progress\ndata: (.*)$/m.exec(text.slice(0, end))?.[1];
        text = text.slice(end + 2);
        if (data === undefined) continue;
        last = parseProgress(baseUrl, JSON.parse(data));
        onProgress(last);
      }
    }
    return last;
  } finally {
    clearTimeout(timer);
  }
}

function parseProgress(baseUrl: string, body: unknown): RunProgress {
  const parsed = progressSchema.safeParse(body);
  if (!parsed.success)
    throw new ArenaError("not-arena", `${baseUrl} answered, but not with a run that this version can read.`);
  return parsed.data;
}
