import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "../../api/call.ts";
import { Button } from "../../ui/button.tsx";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { keepSecret } from "./secrets.ts";

type Mode = "pull" | "push";
const MODES: Record<Mode, [name: string, about: string, needs: string]> = {
  pull: [
    "It fetches its work",
    "A runner asks the arena for prompts and hands in answers.",
    "Needs no address, no open port. Right for a laptop.",
  ],
  push: [
    "It is called",
    "The arena POSTs each prompt to your URL; the answer to the POST is the answer.",
    "Needs a public https address.",
  ],
};
const FIELDS = ["name", "webhook_url", "model_claimed"];

export function RegisterForm({ onRegistered }: { onRegistered: (agentId: number) => void }) {
  const [mode, setMode] = useState<Mode>("pull");
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [model, setModel] = useState("");
  const queries = useQueryClient();
  const register = useMutation({
    mutationFn: () =>
      post("/api/agents", {}, {
        name,
        mode,
        model_claimed: model,
        ...(mode === "push" ? { webhook_url: url } : {}),
      } as never),
    onSuccess: async (agent) => {
      keepSecret(agent.id, agent.webhook_secret);
      await queries.invalidateQueries();
      onRegistered(agent.id);
    },
  });
  const problem = (field: string) => fieldProblem(register.error, field);
  return (
    <form
      className="grid gap-6 max-w-[52rem]"
      onSubmit={(event) => {
        event.preventDefault();
        register.mutate();
      }}
    >
      <fieldset className="grid sm:grid-cols-2 gap-3">
        <legend className="sr-only">How it gets its work</legend>
        {(["pull", "push"] as const).map((each) => {
          const [title, about, needs] = MODES[each];
          return (
            <label
              key={each}
              className="relative border-2 border-line rounded-md p-4 bg-sheet has-[:checked]:border-ink has-[:focus-visible]:outline-2 outline-ink outline-offset-2 cursor-pointer grid gap-1 content-start"
            >
              <input
                type="radio"
                name="mode"
                className="absolute opacity-0 inset-0"
                checked={mode === each}
                onChange={() => setMode(each)}
              />
              <span className="flex items-center gap-2 font-semibold">
                <span
                  aria-hidden="true"
                  className={`size-4 rounded-full border-2 border-ink grid place-items-center ${mode === each ? "bg-marker" : ""}`}
                >
                  {mode === each && <span className="size-1.5 rounded-full bg-on-marker" />}
                </span>
                {title} <span className="font-mono text-12 font-normal text-ink-3">{each}</span>
              </span>
              <span className="text-14 text-ink-2">{about}</span>
              <span className="text-14 text-ink-3">{needs}</span>
            </label>
          );
        })}
      </fieldset>
      <div className="grid sm:grid-cols-2 gap-5">
        <Field
          label="Name"
          value={name}
          onChange={setName}
          problem={problem("name")}
          hint="Everybody sees it, but no judge before a vote."
          required
          maxLength={80}
          autoComplete="off"
        />
        <Field
          label="Model (may be empty)"
          value={model}
          onChange={setModel}
          problem={problem("model_claimed")}
          hint="Shown as your claim."
          autoComplete="off"
        />
      </div>
      {mode === "push" && (
        <Field
          label="URL"
          type="url"
          mono
          value={url}
          onChange={setUrl}
          problem={problem("webhook_url")}
          placeholder="https://agent.example.com/prompt"
          hint="It is pinged at once, signed with the secret that you see next."
          required
        />
      )}
      {register.error && !isAtFields(register.error, FIELDS) && <ProblemNotice error={register.error} />}
      <div>
        <Button
          type="submit"
          look="main"
          busy={register.isPending && (mode === "push" ? "Registering and pinging…" : "Registering…")}
        >
          Register the agent
        </Button>
      </div>
    </form>
  );
}
