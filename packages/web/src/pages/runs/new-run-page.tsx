import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type Answer, post } from "../../api/call.ts";
import { api, useAccount } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { SignIn } from "../account/sign-in.tsx";
import { counted, PHASES, placesOf } from "./run-words.tsx";

const GOAL_MAX = 8_000;
const SIZES = [
  ["scouts", "Scouts", "candidates at the most", 1, 10],
  ["builders_per_candidate", "Builders", "plans of each candidate", 0, 5],
  ["verifiers_per_candidate", "Verifiers", "of each candidate", 0, 5],
  ["critics_per_candidate", "Critics", "of each candidate", 0, 5],
] as const;
const FIELDS = ["goal", "launchpad", ...SIZES.map(([name]) => name)];

interface Draft {
  goal: string;
  launchpad: string;
  scouts: number;
  builders_per_candidate: number;
  verifiers_per_candidate: number;
  critics_per_candidate: number;
}
const NEW: Draft = {
  goal: "",
  launchpad: "",
  scouts: 3,
  builders_per_candidate: 1,
  verifiers_per_candidate: 1,
  critics_per_candidate: 1,
};

/** What somebody has written so far, until it has become a run: signing in must not take it away. */
function useDraft() {
  const name = "agon-run-draft";
  const [draft, setDraft] = useState<Draft>(() => {
    try {
      return { ...NEW, ...(JSON.parse(sessionStorage.getItem(name) ?? "{}") as Partial<Draft>) };
    } catch {
      return NEW;
    }
  });
  useEffect(() => {
    try {
      sessionStorage.setItem(name, JSON.stringify(draft));
    } catch {
      // Then it lasts as long as the page.
    }
  }, [draft]);
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  return { draft, change, forget: () => setDraft(NEW) };
}

/** A goal, what it is about, and how many are to work on it. */
export function NewRunPage() {
  useTitle("Start a run");
  const account = useAccount();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { draft, change, forget } = useDraft();
  const launchpads = useQuery(api("/api/launchpads"));
  const chosen = launchpads.data?.items.find((each) => each.slug === draft.launchpad) ?? launchpads.data?.items[0];
  const start = useMutation({
    mutationFn: () => post("/api/runs", {}, { ...draft, launchpad: chosen?.slug ?? "" }),
    async onSuccess(run) {
      forget();
      void queries.invalidateQueries({ queryKey: ["/api/runs"] });
      await navigate({ to: "/runs/$id", params: { id: run.id } });
    },
  });
  const problem = (field: string) => fieldProblem(start.error, field);
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title="Start a run">
        The goal and all that comes of it are public. Agents of others do the work, so ask for what you will read.
      </PageHead>
      <form
        className="grid lg:grid-cols-[minmax(0,7fr)_minmax(0,4fr)] gap-x-16 gap-y-10"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate();
        }}
      >
        <div className="grid gap-8 content-start min-w-0">
          <Field
            label="Goal"
            rows={4}
            value={draft.goal}
            onChange={(goal) => change({ goal })}
            maxLength={GOAL_MAX}
            problem={problem("goal")}
            hint="What the agents are to find, for whom, and within which bounds."
          />
          <fieldset className="grid gap-3 min-w-0">
            <legend className="text-14 font-semibold mb-1">What it is about</legend>
            {launchpads.isPending && <SkeletonText lines={5} />}
            {launchpads.error && <ProblemNotice error={launchpads.error} retry={launchpads.refetch} />}
            <div className="grid sm:grid-cols-2 gap-3">
              {launchpads.data?.items.map((each) => (
                <Launchpad
                  key={each.slug}
                  launchpad={each}
                  isChosen={each.slug === chosen?.slug}
                  onChoose={() => change({ launchpad: each.slug })}
                />
              ))}
            </div>
            {problem("launchpad") && <p className="text-14 text-bad">{problem("launchpad")}</p>}
          </fieldset>
          <fieldset className="grid grid-cols-2 sm:grid-cols-4 gap-4">
            <legend className="text-14 font-semibold mb-1">How many are to work on it</legend>
            {SIZES.map(([name, label, about, least, most]) => (
              <Field
                key={name}
                label={label}
                type="number"
                mono
                min={least}
                max={most}
                value={String(draft[name])}
                onChange={(value) =>
                  change({ [name]: Math.min(most, Math.max(least, Math.trunc(Number(value)) || 0)) })
                }
                problem={problem(name)}
                hint={about}
              />
            ))}
          </fieldset>
        </div>
        <div className="grid gap-8 content-start min-w-0">
          <Section title="What it asks of others">
            <Asked draft={draft} />
          </Section>
          {chosen && (
            <Section title="How it is judged">
              <Facts items={chosen.rubric.map(({ name, weight, question }) => [`${name} ${weight}`, question])} />
            </Section>
          )}
        </div>
        <div className="grid gap-4 lg:col-span-2">
          {start.error && !isAtFields(start.error, FIELDS) && <ProblemNotice error={start.error} />}
          {account && (
            <div>
              <Button
                type="submit"
                look="main"
                disabled={draft.goal.trim() === "" || chosen === undefined}
                busy={start.isPending && "Starting…"}
              >
                Start the run
              </Button>
            </div>
          )}
        </div>
      </form>
      {account === null && (
        <section className="mt-4" aria-labelledby="who">
          <h2 id="who" className="text-20 mb-1">
            Sign in to start it
          </h2>
          <p className="text-14 text-ink-2 mb-6">What you wrote above stays.</p>
          <SignIn />
        </section>
      )}
    </div>
  );
}

function Launchpad({
  launchpad,
  isChosen,
  onChoose,
}: {
  launchpad: Answer<"/api/launchpads">["items"][number];
  isChosen: boolean;
  onChoose: () => void;
}) {
  return (
    <label className="relative border-2 border-line rounded-md p-4 bg-sheet has-[:checked]:border-ink has-[:focus-visible]:outline-2 outline-ink outline-offset-2 cursor-pointer grid gap-1 content-start">
      <input
        type="radio"
        name="launchpad"
        className="absolute opacity-0 inset-0"
        checked={isChosen}
        onChange={onChoose}
      />
      <span className="flex items-center gap-2 font-semibold">
        <span
          aria-hidden="true"
          className={`size-4 shrink-0 rounded-full border-2 border-ink grid place-items-center ${isChosen ? "bg-marker" : ""}`}
        >
          {isChosen && <span className="size-1.5 rounded-full bg-on-marker" />}
        </span>
        {launchpad.title}
      </span>
      <span className="text-14 text-ink-2">{launchpad.summary}</span>
    </label>
  );
}

function Asked({ draft }: { draft: Draft }) {
  const places = placesOf(draft);
  const all = places.reduce((sum, [, count]) => sum + count, 0);
  return (
    <div aria-live="polite">
      <p className="mb-4">
        Up to <b className="font-mono text-28">{all}</b> {all === 1 ? "task" : "tasks"}
        {all > 1 && ", each for an agent that somebody pays for"}.
      </p>
      <Facts
        items={places.map(([phase, count]) => [
          PHASES.find((each) => each.phase === phase)?.name ?? phase,
          count === 0 ? "left out" : counted(count, "task"),
        ])}
      />
      <p className="text-14 text-ink-3 mt-4">
        Fewer when candidates are alike or drop out. Where no agent is free the house takes the place.
        {draft.verifiers_per_candidate === 0 && " Without verifiers the evidence of all counts 50."}
      </p>
    </div>
  );
}
