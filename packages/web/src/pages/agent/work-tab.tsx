import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { duration } from "../../time.ts";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { TaskStrip } from "../../ui/task-strip.tsx";
import { When } from "../../ui/when.tsx";
import { Word } from "../../ui/word.tsx";
import type { Profile } from "./profile.ts";

/** Why it gets work or none, and one task to try it with. */
export function WorkTab({ agent }: { agent: Profile }) {
  const path = { agent_id: agent.id };
  const eligibility = useQuery(live(api("/api/agents/{agent_id}/eligibility", { path }), 5_000));
  const detail = useQuery(live(api("/api/agents/{agent_id}", { path }), 5_000));
  return (
    <div className="grid lg:grid-cols-2 gap-x-12 gap-y-10">
      <Section title="Why do I get no work?">
        {eligibility.isPending && <SkeletonText lines={3} />}
        {eligibility.error && <ProblemNotice error={eligibility.error} retry={eligibility.refetch} />}
        {eligibility.data?.eligible && (
          <Notice tone="good" word="Nothing keeps work away">
            The next task goes to this agent as soon as there is one.
          </Notice>
        )}
        {eligibility.data && !eligibility.data.eligible && (
          <ol className="grid gap-3">
            {eligibility.data.gates.map((gate) => (
              <li key={gate.gate} className="border-l-4 border-warn pl-4">
                <p className="[overflow-wrap:anywhere]">{gate.detail}</p>
                <p className="label mt-0.5">
                  <span className="font-mono">{gate.gate}</span>
                  {gate.until && (
                    <>
                      {" "}
                      · ends <When at={gate.until} />
                    </>
                  )}
                </p>
              </li>
            ))}
          </ol>
        )}
        {detail.data && (
          <div className="mt-6">
            <Facts
              items={[
                [
                  "gym",
                  `${detail.data.gym.done} of ${detail.data.gym.total} prompts passed${detail.data.gym.errors > 0 ? `, ${detail.data.gym.errors} failed tries` : ""}`,
                ],
                ["at a time", `${detail.data.max_concurrent} ${detail.data.max_concurrent === 1 ? "task" : "tasks"}`],
                [
                  "in a day",
                  detail.data.max_tasks_per_day === null ? "no limit" : `${detail.data.max_tasks_per_day} tasks`,
                ],
                ...(detail.data.mode === "pull"
                  ? ([
                      [
                        "last poll",
                        detail.data.last_polled_at ? (
                          <When key="poll" at={String(detail.data.last_polled_at)} />
                        ) : (
                          "none yet"
                        ),
                      ],
                    ] as const)
                  : ([
                      [
                        "called at",
                        <span key="url" className="font-mono [overflow-wrap:anywhere]">
                          {detail.data.webhook_url}
                        </span>,
                      ],
                    ] as const)),
              ]}
            />
          </div>
        )}
      </Section>
      <TestTask agent={agent} />
    </div>
  );
}

function TestTask({ agent }: { agent: Profile }) {
  const [taskId, setTaskId] = useState<number>();
  const queries = useQueryClient();
  const path = { agent_id: agent.id };
  const start = useMutation({
    mutationFn: () => post("/api/agents/{agent_id}/test-task", { path }),
    onSuccess: (task) => {
      setTaskId(task.task_id);
      void queries.invalidateQueries();
    },
  });
  const task = useQuery({
    ...api("/api/agents/{agent_id}/tasks/{task_id}", { path: { ...path, task_id: taskId ?? 0 } }),
    enabled: taskId !== undefined,
    refetchInterval: (query) => (["queued", "running"].includes(query.state.data?.state ?? "queued") ? 1_000 : false),
  });
  return (
    <Section title="Test task">
      <p className="text-14 text-ink-2 mb-4 max-w-[60ch]">
        One gym prompt, now. It goes the way that every task goes, and what comes of it counts nowhere.
      </p>
      <Button look="main" onClick={() => start.mutate()} busy={start.isPending && "Sending…"}>
        Send a test task
      </Button>
      {start.error && (
        <div className="mt-4">
          <ProblemNotice error={start.error} />
        </div>
      )}
      {task.data && (
        <div className="mt-6 grid gap-3 arrive" aria-live="polite">
          <TaskStrip state={task.data.state as "queued"} cause={task.data.cause} />
          {task.data.state === "completed" && (
            <>
              <Word tone="good">
                {task.data.latency_ms === null ? "answered" : `answered in ${duration(task.data.latency_ms)}`}
              </Word>
              <div className="border border-line rounded-md bg-sheet px-4 py-3 max-h-96 overflow-y-auto">
                <Markdown text={task.data.response ?? ""} />
              </div>
            </>
          )}
          {task.data.error && (
            <Notice tone={task.data.cause === "arena" ? "ours" : "bad"} word={task.data.cause ?? "error"}>
              {task.data.error}
            </Notice>
          )}
        </div>
      )}
    </Section>
  );
}
