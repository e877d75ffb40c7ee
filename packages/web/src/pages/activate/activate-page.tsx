import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { type Answer, post } from "../../api/call.ts";
import { ApiProblem } from "../../api/problem.ts";
import { api, live, useAccount } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { StatusWord } from "../../ui/word.tsx";
import { SignIn } from "../account/sign-in.tsx";
import { forgetSecret } from "../connect/secrets.ts";
import { Step } from "../connect/step.tsx";
import { MissingPage } from "../missing-page.tsx";
import { ActivationStep, type TakenStep } from "./activation-step.tsx";
import { InstallKey } from "./install-key.tsx";
import { ROLES, type Role } from "./roles.tsx";

type Agent = Answer<"/api/agents/{agent_id}">;

const RUNNING_MS = 700;
const IDLE_MS = 10_000;
/** Active or on its way down from there: what an activation brings about has been brought about. */
const BEYOND = ["ACTIVE", "DEGRADED", "PROBATION"];

const TITLES: Record<string, string> = {
  liveness: "It is there",
  handshake: "It shakes hands",
  simulation: "A simulated task, unsigned",
  "signed-simulation": "The same task, signed",
  dispatch: "A signed dispatch, as in a run",
  "tampered-dispatch": "The same with a changed body, which it has to refuse",
};

/** From registered to ACTIVE. Where an agent is, the arena knows, so that leaving and coming back goes on. */
export function ActivatePage() {
  const { id } = useParams({ from: "/agents/$id/activate" });
  const isId = /^[1-9]\d{0,8}$/.test(id);
  const account = useAccount();
  const agent = useQuery({
    ...live(api("/api/agents/{agent_id}", { path: { agent_id: id } }), 5_000),
    enabled: isId && Boolean(account),
  });
  // Whether there is such an agent, everybody may know; what it is going through is its owner's.
  const profile = useQuery({ ...api("/api/agents/{agent_id}/profile", { path: { agent_id: id } }), enabled: isId });
  const isNobody = profile.error instanceof ApiProblem && profile.error.status === 404;
  useTitle(agent.data ? `Activate ${oneLine(agent.data.name)}` : "Activate");
  if (!isId || isNobody) return <MissingPage what={`No agent has the number ${id}`} />;
  const isOther = agent.error instanceof ApiProblem && agent.error.status === 404;
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead
        title={
          <>
            Activate {agent.data && <bdi className="[overflow-wrap:anywhere]">{oneLine(agent.data.name)}</bdi>}
            {agent.data === undefined && "an agent"}
          </>
        }
        over={agent.data && <StatusWord status={agent.data.status} />}
      >
        Everything that a run asks of it is tried once, with its signature and without. What passes is not asked again
        for an hour.
      </PageHead>
      {account === null && (
        <>
          <h2 className="text-20 mb-4">Sign in as its owner</h2>
          <SignIn />
        </>
      )}
      {(account === undefined || (account && agent.isPending)) && <SkeletonText lines={10} />}
      {isOther && (
        <Notice
          tone="warn"
          word="Not yours"
          action={
            <ButtonLink to="/connect/signed" small>
              Connect one
            </ButtonLink>
          }
        >
          You have no agent with the number {id}.
        </Notice>
      )}
      {agent.error && !isOther && <ProblemNotice error={agent.error} retry={agent.refetch} />}
      {account && agent.data && agent.data.dialect !== "edgearena-v1" && (
        <Notice
          word="Nothing to activate"
          action={
            <ButtonLink to="/connect" search={{ agent: agent.data.id }} small>
              Go on there
            </ButtonLink>
          }
        >
          This agent does not speak edgearena-v1; it is connected in another way.
        </Notice>
      )}
      {account && agent.data?.dialect === "edgearena-v1" && <Activating agent={agent.data} />}
    </div>
  );
}

interface Planned {
  name: string;
  role: Role | null;
}
function planFor(agent: Agent): readonly Planned[] {
  const roles = ROLES.filter((role) => agent.roles?.includes(role));
  const first = roles[0] ?? null;
  return [
    { name: "liveness", role: null },
    { name: "handshake", role: null },
    ...roles.flatMap((role) => [
      { name: "simulation", role },
      { name: "signed-simulation", role },
    ]),
    { name: "dispatch", role: first },
    { name: "tampered-dispatch", role: first },
  ];
}

function Activating({ agent }: { agent: Agent }) {
  const queries = useQueryClient();
  const path = { agent_id: agent.id };
  const options = api("/api/agents/{agent_id}/activation", { path });
  const activation = useQuery({
    ...options,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? RUNNING_MS : IDLE_MS),
    refetchIntervalInBackground: false,
  });
  const start = useMutation({
    mutationFn: () => post("/api/agents/{agent_id}/activate", { path, query: { wait: 0 } }),
    onSuccess: (begun) => queries.setQueryData(options.queryKey, begun),
  });
  const { data, error, refetch } = activation;
  const isActive = BEYOND.includes(agent.status.toUpperCase());
  const state = data?.state;
  // What the agent is, it is since the pass has ended.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of a pass is what calls for it
  useEffect(() => void queries.invalidateQueries({ queryKey: [`/api/agents/${agent.id}`] }), [state, agent.id]);
  useEffect(() => {
    if (isActive) forgetSecret(agent.id);
  }, [isActive, agent.id]);

  if (error) return <ProblemNotice error={error} retry={refetch} />;
  if (data === undefined) return <SkeletonText lines={10} />;
  const plan = planFor(agent);
  const isRunning = data.state === "running";
  const taken = (planned: Planned): TakenStep | undefined => {
    if (data.outdated) return undefined;
    const step = data.steps.find((each) => each.name === planned.name && each.role === planned.role);
    // Of the pass before: about to be taken again.
    const isOld = step !== undefined && !step.ok && data.started_at !== null && step.at < data.started_at;
    return isRunning && isOld ? undefined : step;
  };
  const present = isRunning ? plan.findIndex((planned) => taken(planned) === undefined) : -1;
  const failed = plan.findIndex((planned) => {
    const step = taken(planned);
    return step !== undefined && !step.ok && !step.skipped;
  });
  const word =
    data.state === "none" || data.outdated
      ? "Activate it"
      : failed >= 0
        ? `Run again from step ${failed + 2}`
        : "Run it again";
  const run = (
    <Button
      look={isActive ? "plain" : "main"}
      busy={(isRunning || start.isPending) && "Trying it…"}
      onClick={() => start.mutate()}
    >
      {word}
    </Button>
  );
  return (
    <div className="max-w-[60rem]">
      <div className="grid gap-3 mb-8">
        {isActive && (
          <Notice
            tone="good"
            word="ACTIVE"
            action={
              <ButtonLink to="/agents/$id" params={{ id: String(agent.id) }} small>
                See its page
              </ButtonLink>
            }
          >
            It gets tasks of runs in its roles from now on.
          </Notice>
        )}
        {data.outdated && (
          <Notice tone="warn" word="Changed since">
            Its URL, key or roles are others than those of the last activation, which therefore counts for nothing.
          </Notice>
        )}
        {start.error && <ProblemNotice error={start.error} />}
        <div className="flex flex-wrap items-center gap-4">
          {run}
          <span className="text-14 text-ink-3" aria-live="polite">
            {isRunning
              ? `Step ${Math.min(plan.length, present < 0 ? plan.length : present + 1) + 1} of ${plan.length + 1}. You may leave; it goes on.`
              : data.state === "failed" && failed >= 0
                ? `Step ${failed + 2} failed. What passed is kept.`
                : ""}
          </span>
        </div>
      </div>
      <ol className="grid">
        <Step
          number="1"
          state={isActive ? "done" : data.state === "none" || data.outdated ? "now" : "done"}
          title={
            <>
              Registered as <bdi className="[overflow-wrap:anywhere]">{oneLine(agent.name)}</bdi>; its key installed
            </>
          }
        >
          <InstallKey agent={agent} isNeeded={!isActive} isFirst={data.state === "none"} />
        </Step>
        {plan.map((planned, index) => (
          <ActivationStep
            key={`${planned.name} ${planned.role}`}
            number={String(index + 2)}
            title={`${TITLES[planned.name] ?? planned.name}`}
            role={planned.role}
            step={taken(planned)}
            isNow={index === present}
          />
        ))}
        <Step
          number={String(plan.length + 2)}
          state={isActive ? "done" : "later"}
          title={isActive ? "ACTIVE" : "Active, when all of it has passed"}
          isLast
        />
      </ol>
    </div>
  );
}
