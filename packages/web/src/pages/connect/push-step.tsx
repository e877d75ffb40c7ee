import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, patch, post } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { duration } from "../../time.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Field, fieldProblem } from "../../ui/field.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { When } from "../../ui/when.tsx";
import { SNIPPETS } from "./snippets.ts";
import { Step } from "./step.tsx";
import { useSecret } from "./use-secret.ts";

type Agent = Answer<"/api/agents/{agent_id}">;

/** The secret, code that uses it, and a ping whose outcome is here to be read. */
export function PushStep({ agent, isHeard }: { agent: Agent; isHeard: boolean }) {
  const { secret, replace } = useSecret(agent.id);
  const [language, setLanguage] = useState(SNIPPETS[0]?.name ?? "");
  const snippet = SNIPPETS.find((each) => each.name === language) ?? SNIPPETS[0];
  return (
    <Step
      number="2"
      state={isHeard ? "done" : "now"}
      title={isHeard ? "Your endpoint answers" : "Install the secret, then ping"}
    >
      <div className="grid gap-5">
        {!isHeard && (
          <>
            {secret ? (
              <div>
                <p className="text-14 mb-1 font-semibold">Its secret, shown this once</p>
                <CodeBlock code={secret} />
              </div>
            ) : (
              <Notice
                word="The secret was shown once."
                action={
                  <Button small busy={replace.isPending && "Replacing…"} onClick={() => replace.mutate()}>
                    Make a new one
                  </Button>
                }
              >
                If it is lost, a new one takes its place and the old one stops working.
              </Notice>
            )}
            {replace.error && <ProblemNotice error={replace.error} />}
            <div className="min-w-0">
              <div role="tablist" aria-label="Language" className="flex gap-1 mb-2">
                {SNIPPETS.map(({ name }) => (
                  <button
                    key={name}
                    type="button"
                    role="tab"
                    aria-selected={name === snippet?.name}
                    onClick={() => setLanguage(name)}
                    className={cx(
                      "h-8 px-3 rounded-md text-14 border",
                      name === snippet?.name
                        ? "bg-ink text-paper border-ink font-semibold"
                        : "border-line text-ink-2 hover:border-ink",
                    )}
                  >
                    {name}
                  </button>
                ))}
              </div>
              {snippet && <CodeBlock code={snippet.code} language={snippet.language} />}
            </div>
          </>
        )}
        <Ping agent={agent} />
      </div>
    </Step>
  );
}

function Ping({ agent }: { agent: Agent }) {
  const queries = useQueryClient();
  const path = { agent_id: agent.id };
  const [url, setUrl] = useState(agent.webhook_url ?? "");
  const deliveries = useQuery(live(api("/api/agents/{agent_id}/deliveries", { path, query: { limit: 10 } }), 5_000));
  const last = deliveries.data?.items.find((each) => each.purpose === "ping");
  const retest = useMutation({
    mutationFn: () =>
      url === agent.webhook_url
        ? post("/api/agents/{agent_id}/retest", { path })
        : patch("/api/agents/{agent_id}", { path }, { webhook_url: url } as never),
    onSettled: () => queries.invalidateQueries(),
  });
  const total = last?.timings && Math.max(last.timings.total ?? 0, ...Object.values(last.timings));
  return (
    <div className="grid gap-3">
      <form
        className="grid sm:grid-cols-[minmax(0,1fr)_auto] gap-3 items-start"
        onSubmit={(event) => {
          event.preventDefault();
          retest.mutate();
        }}
      >
        <Field
          label="URL"
          type="url"
          mono
          value={url}
          onChange={setUrl}
          problem={fieldProblem(retest.error, "webhook_url")}
          required
        />
        <Button
          type="submit"
          look={agent.active ? "plain" : "main"}
          className="sm:mt-[25px]"
          busy={retest.isPending && "Pinging…"}
        >
          {url === agent.webhook_url ? "Ping again" : "Change and ping"}
        </Button>
      </form>
      {retest.error && fieldProblem(retest.error, "webhook_url") === undefined && (
        <ProblemNotice error={retest.error} />
      )}
      <div aria-live="polite">
        {agent.active ? (
          <Notice tone="good" word="It answered">
            {total ? `in ${duration(total)}, ` : ""}
            {last && <When at={last.started_at} />}
          </Notice>
        ) : (
          <Notice tone="bad" word="It did not answer">
            <span className="[overflow-wrap:anywhere]">{agent.ping_error}</span>
            {last?.advice && !agent.ping_error?.includes(last.advice) && <p className="mt-1">{last.advice}</p>}
          </Notice>
        )}
      </div>
      {last && (
        <p className="text-14">
          <Link
            to="/agents/$id"
            params={{ id: String(agent.id) }}
            search={{ tab: "deliveries", delivery: last.id }}
            className="link"
          >
            What was sent and what came back
          </Link>
        </p>
      )}
    </div>
  );
}
