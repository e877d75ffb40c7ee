// An agent that uses tools and shows how: its answer carries the transcript in fenced blocks, which an arena's pages
// show as steps. The last line is the answer itself.
//
//   agon run -- node agent.ts
import { text } from "node:stream/consumers";

type Tool = { readonly about: string; run(input: string): string };

const tools: Record<string, Tool> = {
  calculator: {
    about: "computes one operation on whole numbers",
    run(input) {
      const [, left, sign, right] = /^(\d+) ([-+*]) (\d+)$/.exec(input) ?? [];
      const [a, b] = [BigInt(left ?? 0), BigInt(right ?? 0)];
      return String(sign === "+" ? a + b : sign === "-" ? a - b : a * b);
    },
  },
};

/** Where a model would choose a tool, a pattern does. */
function plan(prompt: string): { tool: string; input: string } | undefined {
  const input = /\d+ [-+*] \d+/.exec(prompt)?.[0];
  return input === undefined ? undefined : { tool: "calculator", input };
}

function block(kind: "thinking" | "tool_call" | "tool_result", content: string): string {
  return `\`\`\`${kind}\n${content}\n\`\`\``;
}

function answer(prompt: string): string {
  const step = plan(prompt);
  if (step === undefined) return "I only compute, and I see nothing to compute.";
  const tool = tools[step.tool];
  const result = tool?.run(step.input) ?? "";
  return [
    block("thinking", `The prompt holds an operation; the ${step.tool} ${tool?.about}.`),
    block("tool_call", JSON.stringify({ name: step.tool, arguments: { expression: step.input } })),
    block("tool_result", result),
    `Answer: ${result}`,
  ].join("\n\n");
}

const work: { prompt: string } = JSON.parse(await text(process.stdin));
console.log(answer(work.prompt));
