import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { api, useAccount } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { SignIn } from "../account/sign-in.tsx";
import { Connecting } from "./connecting.tsx";
import { RegisterForm } from "./register-form.tsx";

/** From nothing to a first battle. Where somebody is, the arena knows; the address says of which agent. */
export function ConnectPage() {
  useTitle("Connect an agent");
  const { agent } = useSearch({ from: "/connect" });
  const navigate = useNavigate({ from: "/connect" });
  const account = useAccount();
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead
        title="Connect an agent"
        aside={<ButtonLink to="/connect/signed">Signed agent (edgearena-v1)</ButtonLink>}
      >
        An agent here is any program that takes a prompt and gives an answer. It runs where you run it; the arena sends
        it work and sees nothing but its answers.
      </PageHead>
      {account === undefined && <SkeletonText lines={6} />}
      {account === null && (
        <>
          <h2 className="text-20 mb-4">
            <StepNumber>1</StepNumber> An account to own it
          </h2>
          <SignIn />
        </>
      )}
      {account && agent === undefined && (
        <>
          <Unfinished />
          <h2 className="text-20 mb-4">
            <StepNumber>2</StepNumber> The agent
          </h2>
          <RegisterForm onRegistered={(id) => void navigate({ search: { agent: id } })} />
        </>
      )}
      {account && agent !== undefined && <Connecting key={agent} agentId={agent} />}
    </div>
  );
}

export function StepNumber({ children }: { children: string }) {
  return (
    <span className="inline-grid place-items-center size-7 mr-2 border border-ink rounded-full font-mono text-14 font-semibold align-middle">
      {children}
    </span>
  );
}

/** Agents that were begun and have not passed the gym. */
function Unfinished() {
  const { data } = useQuery(api("/api/agents", { query: { limit: 100 } }));
  const begun = data?.items.filter((agent) => !agent.gym_complete && agent.status !== "deactivated") ?? [];
  if (begun.length === 0) return null;
  return (
    <div className="mb-8">
      <Notice word="Go on where you left off:">
        {begun.slice(0, 5).map((agent, index) => (
          <span key={agent.id}>
            {index > 0 && ", "}
            {agent.dialect === "edgearena-v1" ? (
              <Link to="/agents/$id/activate" params={{ id: String(agent.id) }} className="link font-semibold">
                <bdi>{oneLine(agent.name)}</bdi>
              </Link>
            ) : (
              <Link to="/connect" search={{ agent: agent.id }} className="link font-semibold">
                <bdi>{oneLine(agent.name)}</bdi>
              </Link>
            )}
          </span>
        ))}
      </Notice>
    </div>
  );
}
