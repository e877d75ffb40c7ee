import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type Answer, post } from "../../api/call.ts";
import { api } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PAGE_SIZE, Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { When } from "../../ui/when.tsx";
import { Word } from "../../ui/word.tsx";
import { Confirm } from "./confirm.tsx";
import { Desk } from "./desk.tsx";
import { useDone } from "./done.tsx";
import { RulingForm } from "./ruling-form.tsx";

type Ruling = Answer<"/api/rulings">["items"][number];
const COLUMNS = "md:grid-cols-[3.5rem_7rem_minmax(0,1fr)_6rem_7rem_7rem]";

/** The operator's word on votes: previewed, spoken with a reason, and taken back where that can be. */
export function RulingsPage() {
  const { about, id, offset = 0 } = useSearch({ from: "/operator/rulings" });
  const navigate = useNavigate({ from: "/operator/rulings" });
  const { notice, say } = useDone();
  const [asked, setAsked] = useState<Ruling>();
  const lift = (ruling: number, reason: string) =>
    post("/api/admin/rulings", {}, { kind: "release", choice: { ruling_id: ruling }, reason, apply: true });
  return (
    <Desk
      title="Rulings"
      intro={
        <>
          A ruling takes votes out of what counts, and every rating is computed anew. Nothing is deleted: the log keeps
          each vote as it was cast, and the ruling is public with its reason.{" "}
          <Link to="/docs/$slug" params={{ slug: "ratings" }} className="link">
            How that is done
          </Link>
        </>
      }
    >
      {notice}
      <Section title="A new ruling">
        <RulingForm
          key={`${about} ${id}`}
          about={about}
          id={id}
          onRuled={(text, rulingId, isLiftable) =>
            say({
              text,
              undo:
                rulingId !== null && isLiftable
                  ? {
                      name: "Lift it",
                      run: () => lift(rulingId, `Ruling ${rulingId} was a mistake.`),
                      said: `Ruling ${rulingId} is lifted: these votes count as they did.`,
                    }
                  : undefined,
            })
          }
        />
      </Section>
      <div className="h-10" />
      <Section title="Spoken so far">
        <List
          offset={offset}
          onOffset={(next) => void navigate({ search: next === 0 ? {} : { offset: next } })}
          onLift={setAsked}
        />
      </Section>
      <Confirm
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={`Lift ruling ${asked?.id}?`}
        act="Lift it"
        busy="Lifting…"
        run={async () => {
          if (asked === undefined) return;
          await lift(asked.id, `Ruling ${asked.id} is taken back by the operator.`);
          await say({ text: `Ruling ${asked.id} is lifted: its ${asked.votes} votes count as they did.` });
        }}
      >
        <p className="text-ink-2">
          Its {asked?.votes} votes count again as if it had never been spoken, and ratings move back. That is a public
          ruling too.
        </p>
      </Confirm>
    </Desk>
  );
}

function List({
  offset,
  onOffset,
  onLift,
}: {
  offset: number;
  onOffset: (offset: number) => void;
  onLift: (ruling: Ruling) => void;
}) {
  const { data, isPending, error, refetch } = useQuery(
    api("/api/rulings", { query: { limit: PAGE_SIZE, offset: offset || undefined } }),
  );
  if (error) return <ProblemNotice error={error} retry={refetch} />;
  if (isPending) return <SkeletonRows rows={5} height={48} />;
  if (data.total === 0) return <Empty title="No ruling yet">Every vote counts as it was cast.</Empty>;
  return (
    <>
      <div
        aria-hidden="true"
        className={`hidden md:grid ${COLUMNS} gap-x-4 text-14 font-semibold text-ink-2 h-9 items-center border-b border-line`}
      >
        <span className="text-right">No. ↓</span>
        <span>Kind</span>
        <span>Reason</span>
        <span className="text-right">Votes</span>
        <span className="text-right">Spoken</span>
        <span />
      </div>
      <ol>
        {data.items.map((ruling) => (
          <li
            key={ruling.id}
            className={`grid grid-cols-[minmax(0,1fr)_auto] ${COLUMNS} gap-x-4 gap-y-1 items-center py-2 md:min-h-11 border-b border-line text-14`}
          >
            <span className="font-mono text-right text-ink-3 max-md:hidden">{ruling.id}</span>
            <span className="font-semibold">
              <span className="md:hidden font-mono text-ink-3 font-normal">{ruling.id} </span>
              {ruling.kind}
            </span>
            <span className="text-ink-2 [overflow-wrap:anywhere] max-md:order-last max-md:col-span-2">
              {oneLine(ruling.reason)}
            </span>
            <span className="text-right">
              <span className="font-mono">{ruling.votes}</span>
              <span className="md:sr-only"> votes</span>
            </span>
            <span className="text-right text-ink-3 max-md:hidden">
              <When at={ruling.decided_at} />
            </span>
            <span className="text-right max-md:col-span-2 max-md:order-last empty:hidden md:empty:block">
              {ruling.lifted_by !== null && <Word tone="plain">{`lifted by ${ruling.lifted_by}`}</Word>}
              {ruling.lifted_by === null && (ruling.kind === "void" || ruling.kind === "quarantine") && (
                <Button small look="quiet" onClick={() => onLift(ruling)}>
                  Lift<span className="sr-only"> ruling {ruling.id}</span>
                </Button>
              )}
            </span>
          </li>
        ))}
      </ol>
      <Pager total={data.total} offset={offset} onOffset={onOffset} />
    </>
  );
}
