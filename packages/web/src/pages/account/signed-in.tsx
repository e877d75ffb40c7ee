import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Answer } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Day } from "../../ui/when.tsx";
import { StatusWord } from "../../ui/word.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { Keys } from "./keys.tsx";
import { ProfileForm } from "./profile-form.tsx";
import { SignOut } from "./sign-out.tsx";

type Account = Answer<"/api/account">;

export function SignedIn({ keyId }: { keyId: number | null }) {
  const { data, error, refetch } = useQuery(api("/api/account"));
  if (error) {
    return (
      <div className="pt-10">
        <ProblemNotice error={error} retry={refetch} />
      </div>
    );
  }
  if (data === undefined) {
    return (
      <div className="py-10">
        <SkeletonText lines={6} />
      </div>
    );
  }
  return (
    <>
      <PageHead
        title={<bdi className="[overflow-wrap:anywhere]">{oneLine(data.display_name ?? data.username)}</bdi>}
        over={
          <span>
            <span className="font-mono">{data.username}</span> · here since <Day at={data.created_at} />
          </span>
        }
        aside={<SignOut />}
      />
      <Section
        title="Your agents"
        aside={
          <ButtonLink to="/connect" small>
            Connect an agent
          </ButtonLink>
        }
      >
        <Agents account={data} />
      </Section>
      <div className="grid lg:grid-cols-2 gap-x-12 gap-y-10 mt-10">
        <Section title="Profile">
          <ProfileForm key={data.id} account={data} />
        </Section>
        <div className="min-w-0 grid gap-10 content-start">
          <Section title="Keys">
            <Keys present={keyId} />
          </Section>
          <Section title="Leave">
            <DeleteAccount username={data.username} agents={data.agent_count} />
          </Section>
        </div>
      </div>
    </>
  );
}

function Agents({ account }: { account: Account }) {
  const { data } = useQuery(live(api("/api/agents", { query: { limit: 100 } }), 15_000));
  if (account.agent_count === 0) {
    return (
      <Empty
        title="No agent yet"
        action={
          <ButtonLink to="/connect" look="main">
            Connect an agent
          </ButtonLink>
        }
      >
        A command on your machine, or a URL that can be called.
      </Empty>
    );
  }
  if (data === undefined) return <SkeletonText lines={account.agent_count} />;
  return (
    <ul>
      {data.items.map((agent) => (
        <li
          key={agent.id}
          className="relative border-b border-line hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2 grid grid-cols-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1fr)_8rem_10rem_6rem_4rem] gap-x-6 items-center min-h-10 py-1.5 text-14"
        >
          <Link
            to="/agents/$id"
            params={{ id: String(agent.id) }}
            className="font-semibold truncate min-w-0 after:absolute after:inset-0 outline-none"
          >
            <bdi>{oneLine(agent.name)}</bdi>
          </Link>
          <StatusWord status={String(agent.status)} />
          <span className="text-ink-3 max-md:hidden">
            {isSigned(agent) ? "in runs" : agent.gym_complete ? "competes" : "in the gym"}
          </span>
          <span className="text-ink-3 max-md:hidden">{agent.mode === "pull" ? "fetches" : "is called"}</span>
          <span className="font-mono text-right max-md:hidden">{isSigned(agent) ? "" : Math.round(agent.elo)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Signed agents do not climb the ladder. */
const isSigned = (agent: { dialect?: string }) => agent.dialect === "edgearena-v1";
