import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, patch } from "../../api/call.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { useSecret } from "../connect/use-secret.ts";
import { Details } from "./exchange.tsx";
import { signedSnippets } from "./signed-snippets.ts";

type Agent = Answer<"/api/agents/{agent_id}">;

/** The key for the only time that it can be seen, where it goes, and another URL where the first was wrong. */
export function InstallKey({ agent, isNeeded, isFirst }: { agent: Agent; isNeeded: boolean; isFirst: boolean }) {
  const { secret, replace } = useSecret(agent.id);
  const url = agent.webhook_url ?? "";
  return (
    <div className="grid gap-4 text-14 min-w-0">
      {isNeeded && secret && (
        <div>
          <p className="mb-1">
            <b>Its key, shown this once.</b> Put it where the agent finds it, as AGENT_KEY.
          </p>
          <CodeBlock code={secret} name="Key" />
        </div>
      )}
      {isNeeded && !secret && (
        <Notice
          word="The key was shown once."
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
      {isNeeded && (
        <Details title="How to install it" open={isFirst}>
          <Snippets agent={agent} url={url} />
        </Details>
      )}
      <Details title="Another URL">
        <ChangeUrl agent={agent} url={url} />
      </Details>
    </div>
  );
}

function Snippets({ agent, url }: { agent: Agent; url: string }) {
  const snippets = signedSnippets({ id: agent.id, url, origin: location.origin });
  const [language, setLanguage] = useState(snippets[0]?.name);
  const snippet = snippets.find((each) => each.name === language);
  return (
    <div className="min-w-0">
      <div role="tablist" aria-label="Language" className="flex flex-wrap gap-1 mb-2">
        {snippets.map(({ name }) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === language}
            onClick={() => setLanguage(name)}
            className={cx(
              "h-8 px-3 rounded-md text-14 border",
              name === language
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
  );
}

function ChangeUrl({ agent, url }: { agent: Agent; url: string }) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState(url);
  const change = useMutation({
    mutationFn: () =>
      patch("/api/agents/{agent_id}", { path: { agent_id: agent.id } }, { webhook_url: typed } as never),
    onSuccess: () => queries.invalidateQueries(),
  });
  return (
    <form
      className="grid sm:grid-cols-[minmax(0,1fr)_auto] gap-3 items-start"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <Field
        label="URL"
        type="url"
        mono
        value={typed}
        onChange={setTyped}
        problem={fieldProblem(change.error, "webhook_url")}
        hint="A new one begins the activation anew."
        required
      />
      <Button type="submit" className="sm:mt-[25px]" disabled={typed === url} busy={change.isPending && "Changing…"}>
        Change it
      </Button>
      {change.error && !isAtFields(change.error, ["webhook_url"]) && <ProblemNotice error={change.error} />}
    </form>
  );
}
