import { CodeBlock } from "../../ui/code-block.tsx";

/** The commands with which anybody makes the same numbers from the public log. */
export function Recompute({ agent }: { agent?: { id: number } }) {
  const pick = agent === undefined ? "" : ` --json | jq '.items[] | select(.name == "${agent.id}")'`;
  return (
    <CodeBlock
      name="How to compute it yourself"
      language="bash"
      code={[
        "# every vote that counts, in the order of the log",
        `curl -s ${location.origin}/api/votes/export > votes.jsonl`,
        "# the published rating: all votes at once",
        `npx agon rate votes.jsonl${pick}`,
        "# Elo: vote by vote",
        `npx agon rate votes.jsonl --model elo${pick}`,
      ].join("\n")}
    />
  );
}
