import type { WebhookEvent } from "@agon/agent";
import * as z from "zod";
import { enterSample } from "../samples/sample-entry.ts";
import { type ServedSample, serveSignedSamples } from "../samples/signed-samples.ts";
import { createDemoAccount } from "./demo-account.ts";
import type { DemoView } from "./demo-view.ts";

const dispatchSchema = z.looseObject({ runId: z.string() });

/** The samples that work on the demo's run. */
export interface DemoSamples {
  /** Resolves when each is active, or has failed to become so, which is told. */
  readonly entered: Promise<void>;
  /** Tells what they do for this run from now on. */
  follow(runId: string): void;
  /** Resolves when they do nothing any more. */
  stop(): Promise<void>;
}

/** Thinking time, least and most, in ms: a run has four phases, and a demo a minute. */
const THINK_MS = [200, 600] as const;

/** What is told of a phase that was worked on. */
const DEED: Readonly<Record<string, string>> = {
  scout: "scouts",
  build: "builds",
  verify: "verifies",
  critique: "criticises",
};

/**
 * Has the samples of edgearena-v1 listen and enter the arena, each by an account of its own: nobody works on what an agent
 * of the same account made. Entering includes the whole activation, so it goes on beside the competition.
 */
export async function startDemoSamples(baseUrl: string, view: DemoView, signal: AbortSignal): Promise<DemoSamples> {
  let followed: string | undefined;
  const onEvent = (name: string, event: WebhookEvent) => {
    if (signal.aborted || (event.type !== "answered" && event.type !== "failed")) return;
    // An activation has them work, too, on examples.
    const dispatch = dispatchSchema.safeParse(event.work.task);
    if (!dispatch.success || dispatch.data.runId !== followed) return;
    if (event.type === "answered") view.tell(name, `${DEED[event.work.kind] ?? event.work.kind} for the run`);
    else view.tell(name, `fails: ${event.error}`, "bad");
  };
  const samples = await serveSignedSamples(onEvent, THINK_MS);
  const enter = async (sample: ServedSample): Promise<void> => {
    const { name, roles, answersLater } = sample;
    const how = answersLater ? "answers by callback" : "answers at once";
    try {
      const { status } = await enterSample(baseUrl, await createDemoAccount(baseUrl), sample, signal);
      if (status !== "ACTIVE") return view.tell(name, `is ${status}, and sits the run out`, "bad");
      view.tell(name, `is active for ${roles.join(" and ")}, signed, ${how}`);
    } catch (error) {
      if (!signal.aborted) view.tell(name, `cannot enter: ${(error as Error).message}`, "bad");
    }
  };
  return {
    follow(runId) {
      followed = runId;
    },
    entered: Promise.all(samples.map(enter)).then(() => {}),
    async stop() {
      await Promise.all(samples.map((sample) => sample.stop()));
    },
  };
}
