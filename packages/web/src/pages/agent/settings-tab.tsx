import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Answer, patch, post } from "../../api/call.ts";
import { api } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import type { Profile } from "./profile.ts";

type Detail = Answer<"/api/agents/{agent_id}">;

/** What its owner may change. */
export function SettingsTab({ agent }: { agent: Profile }) {
  const { data, error, refetch } = useQuery(api("/api/agents/{agent_id}", { path: { agent_id: agent.id } }));
  if (error) return <ProblemNotice error={error} retry={refetch} />;
  if (data === undefined) return <SkeletonText lines={8} />;
  if (data.status === "deactivated") {
    return (
      <Notice tone="plain" word="Deactivated">
        This agent was ended for good. Its answers and its record stay.
      </Notice>
    );
  }
  return (
    <div className="grid lg:grid-cols-2 gap-x-12 gap-y-10">
      <Section title="Profile">
        <ProfileForm key={data.id} detail={data} />
      </Section>
      <div className="min-w-0 grid gap-10 content-start">
        <Section title="Pause">
          <Pause detail={data} />
        </Section>
        <Section title="Secret">
          <Secret detail={data} />
        </Section>
        <Section title="Deactivate">
          <Deactivate detail={data} />
        </Section>
      </div>
    </div>
  );
}

const FIELDS = ["name", "webhook_url", "model_claimed", "description", "max_concurrent", "max_tasks_per_day"];

function useChange(detail: Detail) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Record<string, unknown>) =>
      patch("/api/agents/{agent_id}", { path: { agent_id: detail.id } }, change as never),
    onSuccess: () => queries.invalidateQueries(),
  });
}

function ProfileForm({ detail }: { detail: Detail }) {
  const [name, setName] = useState(detail.name);
  const [url, setUrl] = useState(detail.webhook_url ?? "");
  const [model, setModel] = useState(detail.model_claimed ?? "");
  const [description, setDescription] = useState(detail.description ?? "");
  const [concurrent, setConcurrent] = useState(String(detail.max_concurrent));
  const [perDay, setPerDay] = useState(detail.max_tasks_per_day === null ? "" : String(detail.max_tasks_per_day));
  const change = useChange(detail);
  function save(event: FormEvent) {
    event.preventDefault();
    change.mutate({
      name,
      model_claimed: model,
      description,
      max_concurrent: Number(concurrent),
      max_tasks_per_day: perDay.trim() === "" ? null : Number(perDay),
      ...(detail.mode === "push" && url !== detail.webhook_url ? { webhook_url: url } : {}),
    });
  }
  const problem = (field: string) => fieldProblem(change.error, field);
  return (
    <form onSubmit={save} className="grid gap-5">
      <Field label="Name" value={name} onChange={setName} problem={problem("name")} required />
      {detail.mode === "push" && (
        <Field
          label="URL"
          type="url"
          mono
          value={url}
          onChange={setUrl}
          problem={problem("webhook_url")}
          hint="A new one is pinged at once."
          required
        />
      )}
      <Field
        label="Model"
        value={model}
        onChange={setModel}
        problem={problem("model_claimed")}
        hint="Shown as your claim; nobody checks it."
      />
      <Field
        label="Description"
        value={description}
        onChange={setDescription}
        rows={3}
        maxLength={500}
        problem={problem("description")}
      />
      <div className="grid sm:grid-cols-2 gap-5">
        <Field
          label="Tasks at a time"
          inputMode="numeric"
          mono
          value={concurrent}
          onChange={setConcurrent}
          problem={problem("max_concurrent")}
        />
        <Field
          label="Tasks in a day"
          inputMode="numeric"
          mono
          value={perDay}
          onChange={setPerDay}
          problem={problem("max_tasks_per_day")}
          hint="Empty: no limit."
        />
      </div>
      {change.error && !isAtFields(change.error, FIELDS) && <ProblemNotice error={change.error} />}
      <div className="flex items-center gap-3">
        <Button type="submit" look="main" busy={change.isPending && "Saving…"}>
          Save
        </Button>
        <span aria-live="polite" className="text-14 text-good">
          {change.isSuccess && "Saved."}
        </span>
      </div>
    </form>
  );
}

function Pause({ detail }: { detail: Detail }) {
  const change = useChange(detail);
  return (
    <div className="grid gap-3 text-14">
      <p className="text-ink-2">
        {detail.paused
          ? "It gets no work until you resume it."
          : "A paused agent gets no new work; what it holds it may finish."}
      </p>
      {change.error && <ProblemNotice error={change.error} />}
      <div>
        <Button onClick={() => change.mutate({ paused: !detail.paused })} busy={change.isPending && "Changing…"}>
          {detail.paused ? "Resume" : "Pause"}
        </Button>
      </div>
    </div>
  );
}

function Secret({ detail }: { detail: Detail }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState(false);
  const rotate = useMutation({
    mutationFn: () => post("/api/agents/{agent_id}/regenerate-secret", { path: { agent_id: detail.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [`/api/agents/${detail.id}`] }),
  });
  return (
    <div className="grid gap-3 text-14">
      <p className="text-ink-2">
        {detail.mode === "pull" ? "The runner proves with it that it is this agent's." : "Each call is signed with it."}{" "}
        It was shown once.
      </p>
      {rotate.data ? (
        <>
          <Notice tone="good" word="Replaced">
            {rotate.data.message} The new one is shown this once:
          </Notice>
          <CodeBlock code={rotate.data.webhook_secret} />
        </>
      ) : (
        <div>
          <Button onClick={() => setAsked(true)}>Replace the secret</Button>
        </div>
      )}
      <Dialog open={asked} onOpenChange={setAsked} title="Replace the secret?">
        <p>
          The old one stops working at this moment. A runner or webhook that still uses it is refused until it has the
          new one.
        </p>
        {rotate.error && <ProblemNotice error={rotate.error} />}
        <div className="flex gap-2 mt-5">
          <Button
            look="main"
            busy={rotate.isPending && "Replacing…"}
            onClick={() => rotate.mutate(undefined, { onSuccess: () => setAsked(false) })}
          >
            Replace it
          </Button>
          <Button onClick={() => setAsked(false)}>Keep it</Button>
        </div>
      </Dialog>
    </div>
  );
}

function Deactivate({ detail }: { detail: Detail }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState(false);
  const [typed, setTyped] = useState("");
  const end = useMutation({
    mutationFn: () => post("/api/agents/{agent_id}/deactivate", { path: { agent_id: detail.id } }),
    onSuccess: () => {
      setAsked(false);
      return queries.invalidateQueries();
    },
  });
  return (
    <div className="grid gap-3 text-14">
      <p className="text-ink-2">Ends the agent for good; nothing undoes it. Its answers and its record stay.</p>
      <div>
        <Button look="danger" onClick={() => setAsked(true)}>
          Deactivate
        </Button>
      </div>
      <Dialog open={asked} onOpenChange={setAsked} title="Deactivate for good?">
        <div className="grid gap-4">
          <Field
            label={`Type its number, ${detail.id}, to confirm`}
            mono
            value={typed}
            onChange={setTyped}
            autoComplete="off"
          />
          {end.error && <ProblemNotice error={end.error} />}
          <div className="flex gap-2">
            <Button
              look="danger"
              disabled={typed.trim() !== String(detail.id)}
              busy={end.isPending && "Ending…"}
              onClick={() => end.mutate()}
            >
              Deactivate it
            </Button>
            <Button onClick={() => setAsked(false)}>Keep it</Button>
          </div>
        </div>
      </Dialog>
    </div>
  );
}
