import { setTimeout as delay } from "node:timers/promises";
import { type Agent, defineAgent, serve, type WebhookEvent } from "@agon/agent";
import type { Role } from "@agon/protocol";
import { pickIdea, pickNumber } from "./trades.ts";

/** A sample that is called, signed, for the phases of runs. */
interface SignedSample {
  readonly name: string;
  readonly description: string;
  readonly roles: readonly Role[];
  /** Acknowledges a dispatch and sends the answer by a call of its own. */
  readonly answersLater: boolean;
  readonly makeAgent: (think: Think) => Agent;
}

/** A sample that listens. Before its key is installed it refuses what is signed, as any agent would. */
export interface ServedSample extends Omit<SignedSample, "makeAgent"> {
  /** The URL to register. */
  readonly url: string;
  installKey(key: string): void;
  /** Resolves when it does nothing any more. */
  stop(): Promise<void>;
}

/** Least and most, in ms. */
type Span = readonly [least: number, most: number];

type Think = (signal: AbortSignal) => Promise<void>;

/** Thinking time, so that a person can watch. */
const THINK_MS: Span = [700, 2_500];

/** Scouts by looking at trades, and says of others' candidates what can be said without knowing anything. */
const makeSurveyor = (think: Think) =>
  defineAgent({
    name: "surveyor",
    async scout({ taskId, goal }, { signal }) {
      await think(signal);
      const { trade, errand, help } = pickIdea(taskId);
      return {
        candidate_title: `${capital(help)} for ${trade}`,
        target_customer: `Owners of ${trade} with two to ten people`,
        core_problem: `${capital(errand)} takes hours each week, outside the hours that are paid`,
        proposed_solution: `${capital(help)}, set up in an afternoon and paid by the month`,
        why_now: "Phones and language models do the part that used to need an office",
        claims: [
          { type: "problem", text: `${capital(errand)} is done by hand in most ${trade}` },
          {
            type: "solution",
            text: `${capital(help)} answers the goal: ${(goal ?? "a small business").slice(0, 200)}`,
          },
        ],
        evidence: [
          { kind: "reasoning", summary: "From a table of trades that this sample agent carries; nobody was asked." },
        ],
      };
    },
    async verify({ taskId }, { signal }) {
      await think(signal);
      const score = 35 + pickNumber(taskId, 40);
      return {
        evidence_assessments: [
          { kind: "reasoning", summary: "Plausible, but nobody was asked", reliability: "low", specificity: "medium" },
        ],
        claim_assessments: [
          { type: "problem", text: "The errand is done by hand", supported: true, confidence: "medium" },
          { type: "solution", text: "The tool would answer the goal", supported: false, confidence: "low" },
        ],
        evidence_quality_score: score,
        claim_coverage_score: 50,
        overall_confidence: score > 60 ? "medium" : "low",
        red_flags: ["No customer has been spoken to"],
      };
    },
    async critique({ taskId }, { signal }) {
      await think(signal);
      return {
        strengths: ["One kind of customer with one errand", "Can be tried within weeks"],
        weaknesses: ["Evidence is thin", "Switching costs are unknown"],
        score_adjustments: { evidence: -4, feasibility: 3 },
        penalty_points: pickNumber(taskId, 6),
        verdict: "pass",
        fatal_flaw: false,
      };
    },
  });

/** Builds plans, and scouts where there is room. Answers by callback, as an agent behind a queue does. */
const makeCarpenter = (think: Think) =>
  defineAgent({
    name: "carpenter",
    async scout({ taskId }, { signal }) {
      await think(signal);
      const { trade, errand, help } = pickIdea(`carpenter ${taskId}`);
      return {
        candidate_title: `An assistant for ${trade}: ${help}`,
        target_customer: capital(trade),
        core_problem: `${capital(errand)} is what owners put off`,
        proposed_solution: `${capital(help)}, first as a service by hand, then as software`,
        why_now: "It can be sold before it is built",
        claims: [{ type: "price", text: `${capital(trade)} would pay 30 a month for it` }],
        evidence: [{ kind: "analogy", summary: "Tools for one trade at a time have sold before." }],
      };
    },
    async build(_task, { signal }) {
      await think(signal);
      return {
        execution: {
          objective: "Three customers who pay within eight weeks",
          first_milestone: "Five owners have said what the errand costs them",
          success_check: "Three of them pay for a second month",
          phases: [
            {
              title: "Ask",
              steps: ["Write to twenty owners", "Visit five"],
              outcome: "A price that they named themselves",
            },
            { title: "Do it by hand", steps: ["Run the errand for two of them", "Write down each step"] },
            {
              title: "Build",
              steps: ["Automate the slowest step", "Let them use it alone"],
              outcome: "A second month is paid",
            },
          ],
        },
        claims: [{ type: "effort", text: "One person can do this beside a job" }],
      };
    },
  });

const SIGNED_SAMPLES: readonly SignedSample[] = [
  {
    name: "surveyor",
    description: "Scouts from a table of trades and judges others' candidates. Answers at once.",
    roles: ["SCOUT", "ANALYST"],
    answersLater: false,
    makeAgent: makeSurveyor,
  },
  {
    name: "carpenter",
    description: "Builds plans, and scouts where there is room. Answers by callback.",
    roles: ["SCOUT", "BUILDER"],
    answersLater: true,
    makeAgent: makeCarpenter,
  },
];

/** What they are called, for whoever shows them. */
export const SIGNED_SAMPLE_NAMES = SIGNED_SAMPLES.map(({ name }) => name);

/**
 * Has the samples of edgearena-v1 listen on free ports of the loopback; whoever calls this registers them.
 *
 * @param thinkMs how long they think, least and most
 */
export async function serveSignedSamples(
  onEvent: (name: string, event: WebhookEvent) => void = () => {},
  thinkMs: Span = THINK_MS,
): Promise<ServedSample[]> {
  const serveOne = (sample: SignedSample) => serveSample(sample, thinkMs, (event) => onEvent(sample.name, event));
  return Promise.all(SIGNED_SAMPLES.map(serveOne));
}

async function serveSample(
  { makeAgent, ...about }: SignedSample,
  [least, most]: Span,
  onEvent: (event: WebhookEvent) => void,
): Promise<ServedSample> {
  const agent = makeAgent(async (signal) => {
    await delay(least + Math.random() * (most - least), undefined, { signal });
  });
  let key: string | undefined;
  const stop = new AbortController();
  const { url, done } = await serve(agent, {
    key: () => key,
    port: 0,
    answerLater: about.answersLater,
    abortSignal: stop.signal,
    onEvent,
  });
  return {
    ...about,
    url: `${url}/`,
    installKey(installed) {
      key = installed;
    },
    async stop() {
      stop.abort();
      await done;
    },
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
