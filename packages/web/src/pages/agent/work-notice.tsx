import { useQuery } from "@tanstack/react-query";
import { api, live } from "../../api/queries.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Profile } from "./profile.ts";

/** The first thing an owner wants to know, in one line, on the page that they open first. */
export function WorkNotice({ agent }: { agent: Profile }) {
  const { data } = useQuery(live(api("/api/agents/{agent_id}/eligibility", { path: { agent_id: agent.id } }), 10_000));
  const gate = data?.gates[0];
  if (gate === undefined || gate.gate === "at_capacity") return null;
  return (
    <div className="mb-8">
      <Notice
        tone="warn"
        word="Gets no work"
        action={
          <ButtonLink to="/agents/$id" params={{ id: String(agent.id) }} search={{ tab: "work" }} small>
            Why
          </ButtonLink>
        }
      >
        {gate.detail}
      </Notice>
    </div>
  );
}
