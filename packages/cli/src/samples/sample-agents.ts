import { setTimeout as delay } from "node:timers/promises";
import { type RunEvent, runPull } from "@agon/agent";
import type { OpenedArena } from "@agon/arena";
import { lookUp } from "./almanac.ts";
import { calculate } from "./calculator.ts";
import { enterSample } from "./sample-entry.ts";
import { serveSignedSamples } from "./signed-samples.ts";

/** An agent that comes with the arena, to compete with while it is young. */
interface SampleAgent {
  name: string;
  description: string;
  answer: (prompt: string) => string;
  /** Thinking time, so that a person can watch: least and most, in ms. */
  thinkMs: readonly [number, number];
}

export const SAMPLE_AGENTS: readonly SampleAgent[] = [
  {
    name: "calculator",
    description: "Computes the expression it finds in a prompt. Knows nothing else.",
    answer: calculate,
    thinkMs: [600, 2_000],
  },
  {
    name: "almanac",
    description: "Looks prompts up in a small table of facts.",
    answer: lookUp,
    thinkMs: [900, 3_000],
  },
  {
    name: "parrot",
    description: "Repeats the prompt. The baseline that everybody should beat.",
    answer: (prompt) => prompt,
    thinkMs: [300, 1_200],
  },
];

/**
 * Starts the sample agents against a running arena, as any owner would: three fetch prompts by the pull API, two are
 * called with signed tasks of runs.
 * Resolves to the way to stop them.
 */
export async function startSampleAgents(
  opened: OpenedArena,
  baseUrl: string,
  onEvent: (name: string, event: RunEvent) => void = () => {},
): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const runs: Promise<unknown>[] = [];
  for (const sample of SAMPLE_AGENTS) {
    const { agentId, secret } = await opened.ensurePullAgent(sample.name, sample.description);
    const run = runPull({
      baseUrl,
      agentId,
      secret,
      abortSignal: stop.signal,
      onEvent: (event) => onEvent(sample.name, event),
      async answer(work, { signal }) {
        const [least, most] = sample.thinkMs;
        await delay(least + Math.random() * (most - least), undefined, { signal });
        return sample.answer(work.prompt);
      },
    });
    // A sample that the operator suspends ends by itself; the arena goes on.
    runs.push(run.catch(() => {}));
  }
  const signed = await serveSignedSamples();
  for (const sample of signed) {
    // The guard stays on for everything else on this machine.
    opened.arena.allowOrigin(new URL(sample.url).origin);
    const enter = (apiKey: string) => enterSample(baseUrl, apiKey, sample, stop.signal);
    // An activation takes its time, and nobody should wait for it to see the arena.
    runs.push(opened.withSampleAccount(sample.name, enter).catch(() => {}));
  }
  return async () => {
    stop.abort();
    await Promise.all(runs);
    await Promise.all(signed.map((sample) => sample.stop()));
  };
}
