import { lookUp } from "../samples/almanac.ts";
import { calculate } from "../samples/calculator.ts";

/** One of the agents that compete in the demo. */
export interface DemoPlayer {
  readonly name: string;
  readonly transport: "pull" | "push";
  readonly description: string;
  /** Throws where the agent fails. */
  readonly answer: (prompt: string) => string;
  /** Thinking time, so that a person can watch: least and most, in ms. */
  readonly thinkMs: readonly [number, number];
}

/** Two that fetch their work and three that are called; what they are good at, and that one is slow and one broken, shows. */
export const DEMO_PLAYERS: readonly DemoPlayer[] = [
  {
    name: "calculator",
    transport: "pull",
    description: "computes the expression it finds",
    answer: calculate,
    thinkMs: [250, 500],
  },
  {
    name: "almanac",
    transport: "pull",
    description: "looks things up in a small table",
    answer: lookUp,
    thinkMs: [250, 550],
  },
  {
    name: "parrot",
    transport: "push",
    description: "repeats the prompt",
    answer: (prompt) => prompt,
    thinkMs: [100, 400],
  },
  {
    name: "tortoise",
    transport: "push",
    description: "computes and looks up, but slowly",
    answer: (prompt) => {
      const sum = calculate(prompt);
      return sum.includes("Answer:") ? sum : lookUp(prompt);
    },
    thinkMs: [1_000, 1_600],
  },
  {
    name: "wreck",
    transport: "push",
    description: "fails at everything",
    answer: () => {
      throw new Error("the model is not loaded");
    },
    thinkMs: [50, 150],
  },
];
