import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, post } from "../../api/call.ts";
import { oneLine } from "../../safe-text.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Empty } from "../../ui/notice.tsx";
import { When } from "../../ui/when.tsx";
import { StatusWord } from "../../ui/word.tsx";
import { Confirm } from "./confirm.tsx";
import { Desk } from "./desk.tsx";
import { useDone } from "./done.tsx";
import { SearchedList, toAddress } from "./searched-list.tsx";

type Agent = Answer<"/api/admin/agents">["items"][number];
const STATES = ["active", "slowed", "unreachable", "suspended", "banned", "paused", "pending", "deactivated"];
const COLUMNS = "md:grid-cols-[4rem_minmax(0,5fr)_minmax(0,3fr)_7rem_6.5rem_6.5rem_6.5rem]";
const HOW = { pull: "fetches", push: "is called", house: "house" } as const;

/** Every agent, with what its owner does not see beside each other. */
export function DeskAgentsPage() {
  const place = useSearch({ from: "/operator/agents" });
  const navigate = useNavigate({ from: "/operator/agents" });
  const { notice, say, attempt } = useDone();
  const [asked, setAsked] = useState<Agent>();
  const [reason, setReason] = useState("");
  async function reinstate(agent: Agent) {
    const path = { agent_id: agent.id };
    await post("/api/admin/agents/{agent_id}/reinstate", { path });
    await say({
      text: `${oneLine(agent.name)} gets work again.`,
      undo: {
        name: "Suspend it again",
        run: () =>
          post(
            "/api/admin/agents/{agent_id}/suspend",
            { path },
            agent.suspended_reason === null ? {} : { reason: agent.suspended_reason },
          ),
        said: `${oneLine(agent.name)} is suspended.`,
      },
    });
  }
  return (
    <Desk title="Agents" intro="Who competes here, how they are, and who has rests or limits.">
      {notice}
      <SearchedList
        path="/api/admin/agents"
        everyMs={10_000}
        label="Name, owner or id"
        states={STATES}
        place={place}
        onMove={(next) => void navigate({ search: toAddress(next) })}
        what="agent"
        whenNone={<Empty title="No agent has registered yet">Each stands here from its registration on.</Empty>}
        columns={COLUMNS}
        heads={
          <>
            <span className="text-right">Id ↓</span>
            <span>Agent</span>
            <span>Owner</span>
            <span>State</span>
            <span>Transport</span>
            <span className="text-right">Last seen</span>
            <span />
          </>
        }
        rowHeight={48}
        row={(agent) => (
          <Row
            key={agent.id}
            agent={agent}
            onSuspend={() => {
              setReason("");
              setAsked(agent);
            }}
            onReinstate={() => attempt(() => reinstate(agent))}
          />
        )}
      />
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={`Suspend ${oneLine(asked?.name ?? "").slice(0, 60)}?`}
        act="Suspend it"
        busy="Suspending…"
        run={async () => {
          if (asked === undefined) return;
          const path = { agent_id: asked.id };
          const why = reason.trim();
          await post("/api/admin/agents/{agent_id}/suspend", { path }, why === "" ? {} : { reason: why });
          await say({
            text: `${oneLine(asked.name)} is suspended: it gets no work, and its polls are refused.`,
            undo: {
              name: "Reinstate",
              run: () => post("/api/admin/agents/{agent_id}/reinstate", { path }),
              said: `${oneLine(asked.name)} gets work again.`,
            },
          });
        }}
      >
        <p className="text-ink-2">
          It gets no work until you reinstate it. What it has answered stays, and so do the votes on it.
        </p>
        <Field
          label="Reason"
          value={reason}
          onChange={setReason}
          rows={2}
          maxLength={500}
          hint="Its owner reads it. May be left empty."
        />
      </Confirm>
    </Desk>
  );
}

function Row({
  agent,
  onSuspend,
  onReinstate,
}: {
  agent: Agent;
  onSuspend: () => void;
  onReinstate: () => Promise<void>;
}) {
  const limits = [
    agent.max_concurrent > 1 ? `${agent.max_concurrent} at a time` : undefined,
    agent.max_tasks_per_day === null ? undefined : `${agent.max_tasks_per_day} a day at most`,
  ].filter((each) => each !== undefined);
  const notes = [
    agent.suspended_reason === null ? undefined : `Suspended: ${oneLine(agent.suspended_reason)}`,
    agent.ping_error === null ? undefined : oneLine(agent.ping_error),
    ...limits,
  ].filter((each) => each !== undefined);
  return (
    <li className="border-b border-line py-2.5 md:py-1.5">
      <div className={`grid grid-cols-[minmax(0,1fr)_auto] ${COLUMNS} gap-x-4 gap-y-1 items-center md:min-h-9 text-14`}>
        <span className="font-mono text-right text-ink-3 max-md:hidden">{agent.id}</span>
        <Link
          to="/agents/$id"
          params={{ id: String(agent.id) }}
          className="font-semibold truncate min-w-0 hover:underline underline-offset-4"
        >
          <bdi>{oneLine(agent.name)}</bdi>
        </Link>
        <span className="truncate min-w-0 max-md:order-3 max-md:text-12 font-mono text-ink-2">
          <Link
            to="/operator/accounts"
            search={{ search: String(agent.account_id) }}
            className="hover:underline underline-offset-4"
          >
            {agent.username}
          </Link>
          <span className="md:hidden font-sans text-ink-3">
            {" · "}
            {agent.last_seen_at === null ? "never seen" : <When at={agent.last_seen_at} />}
          </span>
        </span>
        <span className="max-md:text-right">
          <StatusWord status={agent.status} />
        </span>
        <span className="text-ink-3 max-md:hidden">
          {HOW[agent.mode]}
          {agent.dialect === "edgearena-v1" && agent.mode === "push" ? ", signed" : ""}
        </span>
        <span className="text-ink-3 text-right max-md:hidden">
          {agent.last_seen_at === null ? "never" : <When at={agent.last_seen_at} />}
        </span>
        <span className="text-right max-md:order-last">
          {agent.suspended_at !== null && agent.status !== "deactivated" ? (
            <Button small onClick={() => void onReinstate()}>
              Reinstate<span className="sr-only"> {oneLine(agent.name)}</span>
            </Button>
          ) : (
            agent.status !== "deactivated" &&
            agent.mode !== "house" && (
              <Button small look="quiet" onClick={onSuspend}>
                Suspend<span className="sr-only"> {oneLine(agent.name)}</span>
              </Button>
            )
          )}
        </span>
      </div>
      {(notes.length > 0 || agent.rests_until !== null) && (
        <p className="text-12 text-ink-3 md:ml-20 [overflow-wrap:anywhere]">
          {agent.rests_until !== null && (
            <span className="text-warn mr-2">
              rests after {agent.rests_for ?? "error"}, again <When at={agent.rests_until} />
            </span>
          )}
          {notes.join(" · ")}
        </p>
      )}
    </li>
  );
}
