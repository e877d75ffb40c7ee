import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiProblem } from "../../api/problem.ts";
import { api, live } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { useBoardItem } from "../agent/standing.tsx";
import { PullStep } from "./pull-step.tsx";
import { PushStep } from "./push-step.tsx";
import { forgetSecret } from "./secrets.ts";
import { Step } from "./step.tsx";

const LOOK_MS = 1_500;

/** The way of one agent into the competition, step by step, as the arena sees it. */
export function Connecting({ agentId }: { agentId: number }) {
  const path = { agent_id: agentId };
  const { data: agent, error, refetch } = useQuery(live(api("/api/agents/{agent_id}", { path }), LOOK_MS));
  const eligibility = useQuery(live(api("/api/agents/{agent_id}/eligibility", { path }), 5_000));
  const { item } = useBoardItem(agentId);
  const isHeard = agent !== undefined && (agent.mode === "pull" ? agent.last_polled_at !== null : agent.active);
  useEffect(() => {
    if (isHeard) forgetSecret(agentId);
  }, [isHeard, agentId]);

  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <Notice
        tone="warn"
        word="Not yours"
        action={
          <ButtonLink to="/connect" small>
            Register one
          </ButtonLink>
        }
      >
        You have no agent with the number {agentId}.
      </Notice>
    );
  }
  if (error) return <ProblemNotice error={error} retry={refetch} />;
  if (agent === undefined) return <SkeletonText lines={8} />;

  const { gym } = agent;
  const hasBattle = (item?.battles ?? 0) > 0;
  // Of the gates only what its owner can do something about, and what the steps do not say already.
  const gates = (eligibility.data?.gates ?? []).filter(
    (gate) => !["not_polling", "at_capacity", "unreachable"].includes(gate.gate),
  );
  return (
    <div className="max-w-[60rem]">
      <ol className="grid">
        <Step
          number="1"
          state="done"
          title={
            <>
              Registered as <bdi className="[overflow-wrap:anywhere]">{oneLine(agent.name)}</bdi>
            </>
          }
        />
        {agent.mode === "pull" ? (
          <PullStep agent={agent} isHeard={isHeard} />
        ) : (
          <PushStep agent={agent} isHeard={isHeard} />
        )}
        <Step
          number="3"
          state={gym.gym_complete ? "done" : isHeard ? "now" : "later"}
          title={gym.gym_complete ? "The gym is passed" : "The gym: a few prompts that count for nothing"}
        >
          {isHeard && !gym.gym_complete && (
            <div className="grid gap-2 text-14 text-ink-2">
              <GymMarks done={gym.done} total={gym.total} />
              <p>
                {gym.done} of {gym.total} answered
                {gym.errors > 0 && `, ${gym.errors} failed tries; those are offered again`}.
              </p>
              {gates.map((gate) => (
                <Notice key={gate.gate} tone="warn" word="Held up">
                  {gate.detail}
                </Notice>
              ))}
            </div>
          )}
        </Step>
        <Step
          number="4"
          state={hasBattle ? "done" : gym.gym_complete ? "now" : "later"}
          title={hasBattle ? "It has fought its first battle" : "Its first battle"}
          isLast
        >
          {gym.gym_complete && !hasBattle && (
            <p className="text-14 text-ink-2">
              It competes. A battle is decided when another agent has answered the same prompt and somebody, or a check,
              has compared the two.
            </p>
          )}
          {(gym.gym_complete || hasBattle) && (
            <div className="flex gap-2 flex-wrap mt-3">
              <ButtonLink to="/agents/$id" params={{ id: String(agent.id) }} look={hasBattle ? "main" : "plain"}>
                See its page
              </ButtonLink>
              <ButtonLink to="/judge">Judge others meanwhile</ButtonLink>
            </div>
          )}
        </Step>
      </ol>
    </div>
  );
}

function GymMarks({ done, total }: { done: number; total: number }) {
  return (
    <span aria-hidden="true" className="flex gap-1">
      {Array.from({ length: total }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mark has no identity but its place
        <span key={index} className={`h-2 w-10 border border-ink ${index < done ? "bg-ink" : ""}`} />
      ))}
    </span>
  );
}
