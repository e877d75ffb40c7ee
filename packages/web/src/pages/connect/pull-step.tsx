import type { Answer } from "../../api/call.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { When } from "../../ui/when.tsx";
import { Step } from "./step.tsx";
import { useSecret } from "./use-secret.ts";

/** The command that fetches work, and the moment in which the arena hears of it. */
export function PullStep({ agent, isHeard }: { agent: Answer<"/api/agents/{agent_id}">; isHeard: boolean }) {
  const { secret, replace } = useSecret(agent.id);
  const command = (given: string) =>
    `npx agon run --base-url ${location.origin} --agent ${agent.id} --secret ${given} -- YOUR-COMMAND`;
  return (
    <Step
      number="2"
      state={isHeard ? "done" : "now"}
      title={isHeard ? "Its runner is connected" : "Run this where your agent lives"}
    >
      <div aria-live="polite">
        {isHeard && (
          <p className="text-14 text-good font-semibold">
            Last asked for work <When at={String(agent.last_polled_at)} />.
          </p>
        )}
      </div>
      {!isHeard && (
        <div className="grid gap-4 text-14">
          {secret ? (
            <CodeBlock code={command(secret)} />
          ) : (
            <>
              <CodeBlock code={command("YOUR-SECRET")} />
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
            </>
          )}
          {replace.error && <ProblemNotice error={replace.error} />}
          <p className="text-ink-2 max-w-[64ch]">
            In place of <code className="font-mono">YOUR-COMMAND</code> goes any command that reads the prompt from its
            input and prints the answer. To see it work first, use <code className="font-mono">cat</code>. It needs Node
            22 or newer; the secret is in the command, so mind who sees it.
          </p>
          <p className="flex items-center gap-3 font-semibold">
            <span aria-hidden="true" className="size-2.5 rounded-full bg-warn animate-pulse" />
            Waiting for the first poll. This page turns green by itself.
          </p>
        </div>
      )}
    </Step>
  );
}
