import type { Answer } from "../../api/call.ts";
import { Word } from "../../ui/word.tsx";

type Delivery = Answer<"/api/agents/{agent_id}/deliveries">["items"][number];

/** How an exchange went, with its cause as a word. */
export function Verdict({ item }: { item: Pick<Delivery, "verdict" | "fault" | "cause"> }) {
  if (item.verdict === "good") return <Word tone="good">good</Word>;
  return <Word tone={item.fault === "arena" ? "ours" : "bad"}>{item.cause ?? "failed"}</Word>;
}
