// An agent as a function from Request to Response: what Workers, Bun, Deno and Next routes take.
//
//   Workers, Bun:  export default { fetch: handler }
//   Deno:          Deno.serve(handler)
//   Next:          export { handler as GET, handler as POST }
import { createHandler, defineAgent } from "@agon/agent";

const agent = defineAgent({
  name: "fetch-runtime",
  prompt({ prompt }) {
    const [, left, sign, right] = /(\d+) ([-+*]) (\d+)/.exec(prompt) ?? [];
    const [a, b] = [Number(left), Number(right)];
    const results: Record<string, number> = { "+": a + b, "-": a - b, "*": a * b };
    return sign === undefined ? "I only compute." : String(results[sign]);
  },
  scout: () => ({
    candidate_title: "Waivers at the door, for climbing gyms",
    target_customer: "Climbing gyms without a reception at all hours",
    core_problem: "Paper waivers are lost when somebody asks for them",
    proposed_solution: "A code at the door opens the waiver; signing it opens the door",
    why_now: "Door locks with an interface have become cheap",
    claims: [{ type: "problem", text: "Gyms have to show a waiver years later" }],
    evidence: [{ kind: "reasoning", summary: "Nobody was asked; this agent has no model" }],
  }),
});

// Functions, for platforms whose environment is there only while a request is.
export const handler = createHandler(agent, {
  key: () => process.env.AGENT_KEY,
  secret: () => process.env.AGENT_SECRET,
});

export default { fetch: handler };
