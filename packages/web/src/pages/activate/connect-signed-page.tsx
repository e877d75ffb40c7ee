import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { post } from "../../api/call.ts";
import { useAccount } from "../../api/queries.ts";
import { unturned } from "../../safe-text.ts";
import { duration } from "../../time.ts";
import { Button } from "../../ui/button.tsx";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { ProblemNotice, sentence } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { SignIn } from "../account/sign-in.tsx";
import { keepSecret } from "../connect/secrets.ts";
import { Step, type StepState } from "../connect/step.tsx";
import { type Check, Checks, Details, type Exchange, ExchangeWire } from "./exchange.tsx";
import { type Role, RoleChoice } from "./roles.tsx";
import { type Draft, type Found, useDraft } from "./use-draft.ts";

interface Probe {
  key: string;
  title: string;
  take: (url: string) => Promise<Found>;
}

type Answered = Exchange & { ok: boolean; detail: string; latency_ms: number | null; checks?: Check[] };

function toFound({ ok, detail, latency_ms, checks = [], sent, received }: Answered): Found {
  return { ok, detail, latencyMs: latency_ms, checks, exchange: { sent, received } };
}

function probesFor(roles: readonly Role[]): readonly Probe[] {
  return [
    {
      key: "ping",
      title: "Is anything there",
      async take(url) {
        const { reachable: ok, ...rest } = await post("/api/probes/ping", {}, { endpoint_url: url });
        return toFound({ ok, ...rest });
      },
    },
    {
      key: "handshake",
      title: "Does it speak JSON",
      async take(url) {
        return toFound(await post("/api/probes/handshake", {}, { endpoint_url: url }));
      },
    },
    ...roles.map((role) => ({
      key: role,
      title: `A simulated task for a ${role}`,
      async take(url: string) {
        return toFound(await post("/api/probes/simulation", {}, { endpoint_url: url, role }));
      },
    })),
  ];
}

/** An edgearena-v1 agent before it is registered: an address, and whether what is there would do. */
export function ConnectSignedPage() {
  useTitle("Connect a signed agent");
  const account = useAccount();
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title="Connect a signed agent">
        It speaks edgearena-v1: the arena calls it at its URL and signs each call with a key that only the two of you
        have. It is tried step by step, and active when all steps pass.
      </PageHead>
      {account === undefined && <SkeletonText lines={8} />}
      {account === null && (
        <>
          <h2 className="text-20 mb-4">First an account to own it</h2>
          <SignIn />
        </>
      )}
      {account && <Trying />}
    </div>
  );
}

function Trying() {
  const { draft, change, forget } = useDraft();
  const probes = probesFor(draft.roles);
  const first = probes.find(({ key }) => draft.found[key]?.ok !== true);
  const isPassed = first === undefined;
  const trying = useMutation({
    async mutationFn() {
      for (const probe of probes.slice(first === undefined ? 0 : probes.indexOf(first))) {
        const found = await probe.take(draft.url);
        change((before) => (before.url === draft.url ? { found: { ...before.found, [probe.key]: found } } : {}));
        if (!found.ok) return;
      }
    },
    onMutate: () => {
      if (first) change(({ found: { [first.key]: _failed, ...found } }) => ({ found }));
      else change(() => ({ found: {} }));
    },
  });
  const hasUrl = draft.url.trim() !== "" && draft.roles.length > 0;
  return (
    <form
      className="max-w-[60rem]"
      onSubmit={(event) => {
        event.preventDefault();
        trying.mutate();
      }}
    >
      <ol className="grid">
        <Step number="1" state={isPassed ? "done" : "now"} title="Where it is, and what it does">
          <div className="grid gap-5">
            <Field
              label="URL"
              type="url"
              mono
              value={draft.url}
              onChange={(url) => change(() => ({ url, found: {} }))}
              problem={fieldProblem(trying.error, "endpoint_url")}
              placeholder="https://agent.example.com/arena"
              required
            />
            <RoleChoice roles={draft.roles} onChange={(roles) => change(() => ({ roles }))} />
            {trying.error && !isAtFields(trying.error, ["endpoint_url"]) && <ProblemNotice error={trying.error} />}
            <div>
              <Button
                type="submit"
                look={isPassed ? "plain" : "main"}
                disabled={!hasUrl}
                busy={trying.isPending && "Trying it…"}
              >
                {isPassed
                  ? "Try it all again"
                  : Object.keys(draft.found).length > 0
                    ? "Try again from the failed step"
                    : "Try it"}
              </Button>
            </div>
          </div>
        </Step>
        {probes.map((probe, index) => (
          <ProbeStep
            key={probe.key}
            number={String(index + 2)}
            probe={probe}
            found={draft.found[probe.key]}
            isNow={trying.isPending && probe === first}
          />
        ))}
        <Step number={String(probes.length + 2)} state={isPassed ? "now" : "later"} title="Register it" isLast>
          {hasUrl && (
            <Register draft={draft} isPassed={isPassed} onName={(name) => change(() => ({ name }))} forget={forget} />
          )}
        </Step>
      </ol>
    </form>
  );
}

function ProbeStep({
  number,
  probe,
  found,
  isNow,
}: {
  number: string;
  probe: Probe;
  found: Found | undefined;
  isNow: boolean;
}) {
  const state: StepState = found ? (found.ok ? "done" : "failed") : isNow ? "now" : "later";
  return (
    <Step number={number} state={state} title={probe.title}>
      {(isNow || found) && (
        <div className="grid gap-2 text-14" aria-live="polite">
          {isNow && <p className="text-ink-2">Trying it…</p>}
          {found && (
            <p className={found.ok ? "text-ink-2" : "text-bad"}>
              {sentence(unturned(found.detail))}{" "}
              {found.latencyMs !== null && <span className="label font-mono">{duration(found.latencyMs)}</span>}
            </p>
          )}
          {found && (
            <Details title="What was sent, what came back" open={!found.ok && found.checks.length > 0}>
              <Checks checks={found.checks} />
              {found.exchange && <ExchangeWire exchange={found.exchange} />}
            </Details>
          )}
        </div>
      )}
    </Step>
  );
}

function Register({
  draft,
  isPassed,
  onName,
  forget,
}: {
  draft: Draft;
  isPassed: boolean;
  onName: (name: string) => void;
  forget: () => void;
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const register = useMutation({
    mutationFn: () =>
      post(
        "/api/agents",
        {},
        {
          name: draft.name,
          mode: "push",
          dialect: "edgearena-v1",
          endpoint_url: draft.url,
          roles: draft.roles,
        },
      ),
    async onSuccess(agent) {
      keepSecret(agent.id, agent.webhook_secret);
      forget();
      void queries.invalidateQueries();
      await navigate({ to: "/agents/$id/activate", params: { id: String(agent.id) } });
    },
  });
  const fields = ["name", "endpoint_url", "roles"];
  return (
    <div className="grid gap-4">
      <Field
        label="Name"
        value={draft.name}
        onChange={onName}
        problem={fieldProblem(register.error, "name") ?? fieldProblem(register.error, "endpoint_url")}
        hint="Everybody sees it."
        maxLength={80}
        autoComplete="off"
      />
      {register.error && !isAtFields(register.error, fields) && <ProblemNotice error={register.error} />}
      <div className="flex flex-wrap items-center gap-4">
        <Button
          look={isPassed ? "main" : "plain"}
          disabled={draft.name.trim() === ""}
          busy={register.isPending && "Registering…"}
          onClick={() => register.mutate()}
        >
          Register the agent
        </Button>
        <span className="text-14 text-ink-3">
          {isPassed
            ? "Its key comes next, once."
            : "The steps above may also pass later; it stays pending until they do."}
        </span>
      </div>
    </div>
  );
}
