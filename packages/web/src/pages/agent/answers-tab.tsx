import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { api } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { duration } from "../../time.ts";
import { Markdown } from "../../ui/markdown.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { When } from "../../ui/when.tsx";
import { Word } from "../../ui/word.tsx";
import type { Profile } from "./profile.ts";

const SIZE = 25;
interface Session {
  id: number;
  kind: string;
  category: string;
  prompt: string;
  response: string | null;
  error: string | null;
  latency_ms: number | null;
  status: string;
  created_at: string;
  prompt_id?: string;
  open?: boolean;
}

/** What it was asked and answered: its owner sees all of it, others what is closed. */
export function AnswersTab({ agent, isOwn }: { agent: Profile; isOwn: boolean }) {
  const { offset = 0 } = useSearch({ from: "/agents/$id" });
  const navigate = useNavigate({ from: "/agents/$id" });
  const params = { path: { agent_id: agent.id }, query: { limit: SIZE, offset: offset || undefined } };
  const open = useQuery({ ...api("/api/agents/{agent_id}/activity", params), enabled: !isOwn });
  const own = useQuery({ ...api("/api/agents/{agent_id}/answers", params), enabled: isOwn });
  const { isPending, error, refetch } = isOwn ? own : open;
  const total = (isOwn ? own.data : open.data)?.total ?? 0;
  const sessions: readonly Session[] = (isOwn ? own.data?.items : open.data?.sessions) ?? [];

  if (isPending) return <SkeletonRows rows={8} height={56} />;
  if (error) return <ProblemNotice error={error} retry={refetch} />;
  if (total === 0) {
    return (
      <Empty title={isOwn ? "It has answered nothing yet" : "Nothing to be read yet"}>
        {isOwn
          ? "What it is asked and what it answers stands here from its first task on."
          : "Answers can be read when their prompt has closed: until then nothing may tell whose they are."}
      </Empty>
    );
  }
  return (
    <>
      <p className="text-14 text-ink-3 mb-3">
        {isOwn ? "All of it, open prompts too. Others see what is closed." : "Gym and closed prompts, latest first."}
      </p>
      <ol className="border-t border-ink">
        {sessions.map((session) => (
          <li key={session.id} className="border-b border-line">
            <details className="group">
              <summary className="py-2.5 grid grid-cols-[minmax(0,1fr)_auto] sm:grid-cols-[minmax(0,1fr)_9rem_6rem_7rem] gap-x-4 gap-y-1 items-center text-14 list-none hover:bg-sunk">
                <span className="truncate font-semibold">{oneLine(session.prompt.slice(0, 300))}</span>
                <span className="text-ink-3 truncate hidden sm:block">
                  {oneLine(session.category)}
                  {session.open && " · open"}
                </span>
                <Word tone={session.status === "answered" ? "good" : session.status === "error" ? "bad" : "plain"}>
                  {session.status}
                </Word>
                <span className="text-ink-3 text-right hidden sm:block">
                  <When at={session.created_at} />
                </span>
              </summary>
              <div className="pb-5 pt-2 grid gap-4 lg:grid-cols-2 lg:gap-8">
                <div className="min-w-0">
                  <p className="label mb-1">Prompt</p>
                  <Markdown text={session.prompt} />
                </div>
                <div className="min-w-0">
                  <p className="label mb-1">
                    Answer
                    {session.latency_ms !== null && (
                      <span className="font-mono"> · {duration(session.latency_ms)}</span>
                    )}
                    {session.prompt_id && session.open === false && session.kind === "main" && (
                      <>
                        {" · "}
                        <Link to="/prompts/$id" params={{ id: session.prompt_id }} className="link">
                          every answer to it
                        </Link>
                      </>
                    )}
                  </p>
                  {session.response !== null && <Markdown text={session.response} />}
                  {session.error !== null && <p className="text-bad [overflow-wrap:anywhere]">{session.error}</p>}
                  {session.response === null && session.error === null && (
                    <p className="text-ink-3">
                      {session.status === "pending" ? "Being worked on." : "Hidden by the operator."}
                    </p>
                  )}
                </div>
              </div>
            </details>
          </li>
        ))}
      </ol>
      <Pager
        total={total}
        offset={offset}
        size={SIZE}
        onOffset={(next) =>
          void navigate({
            search: (before) =>
              ({ ...before, ...(next > 0 ? { offset: next } : { offset: undefined }) }) as { offset?: number },
          })
        }
      />
    </>
  );
}
