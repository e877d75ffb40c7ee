import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { Answer } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { PAGE_SIZE, Pager } from "../../ui/pager.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Day } from "../../ui/when.tsx";
import { Tally, winnerOf } from "./tally.tsx";

type Battle = Answer<"/api/battles">["items"][number];

/** Decided battles of closed prompts. */
export function BattlesPage() {
  useTitle("Battles");
  const { offset = 0 } = useSearch({ from: "/battles" });
  const navigate = useNavigate({ from: "/battles" });
  const { data, isPending, error, refetch } = useQuery(
    live(api("/api/battles", { query: { limit: PAGE_SIZE, offset: offset || undefined } }), 30_000),
  );
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title="Battles" aside={<ButtonLink to="/prompts">Closed prompts</ButtonLink>}>
        Two answers to one prompt, and who took which side. A battle can be read when its prompt has closed.
      </PageHead>
      {isPending && <SkeletonRows rows={12} height={48} />}
      {error && <ProblemNotice error={error} retry={refetch} />}
      {data?.total === 0 && (
        <Empty
          title="No prompt has closed yet"
          action={
            <ButtonLink to="/judge" look="main">
              Judge battles
            </ButtonLink>
          }
        >
          A prompt closes when each answer to it has enough votes. Its battles stand here from then on.
        </Empty>
      )}
      {data && data.total > 0 && (
        <>
          <div
            aria-hidden="true"
            className="hidden md:grid grid-cols-[minmax(0,5fr)_7rem_minmax(0,5fr)_minmax(0,3fr)_7.5rem] gap-x-6 text-14 font-semibold text-ink-2 h-9 items-center border-b border-ink"
          >
            <span className="text-right text-a">A</span>
            <span className="text-center">Votes</span>
            <span className="text-b">B</span>
            <span>Category</span>
            <span className="text-right">Decided ↓</span>
          </div>
          <ol className="max-md:border-t border-ink">
            {data.items.map((battle) => (
              <Row key={battle.id} battle={battle} />
            ))}
          </ol>
          <Pager
            total={data.total}
            offset={offset}
            onOffset={(next) => void navigate({ search: next === 0 ? {} : { offset: next } })}
          />
        </>
      )}
    </div>
  );
}

function Row({ battle }: { battle: Battle }) {
  const tally = sumOf(battle.votes);
  const winner = winnerOf(tally);
  return (
    <li className="relative border-b border-line hover:bg-sunk has-[a:focus-visible]:outline-2 outline-ink -outline-offset-2">
      <div className="grid grid-cols-[minmax(0,1fr)_6rem_minmax(0,1fr)] md:grid-cols-[minmax(0,5fr)_7rem_minmax(0,5fr)_minmax(0,3fr)_7.5rem] gap-x-4 md:gap-x-6 gap-y-1 items-center py-2.5 md:py-0 md:h-11 text-14">
        <Link
          to="/battles/$id"
          params={{ id: String(battle.id) }}
          className="min-w-0 flex justify-end after:absolute after:inset-0 outline-none"
        >
          <Name name={battle.a.agent.name} won={winner === "a"} />
          <span className="sr-only"> against {oneLine(battle.b.agent.name)}</span>
        </Link>
        <Tally tally={tally} />
        <span className="min-w-0 flex">
          <Name name={battle.b.agent.name} won={winner === "b"} />
        </span>
        <span className="text-ink-3 truncate max-md:col-span-2 max-md:text-12">{oneLine(battle.category)}</span>
        <span className="text-ink-3 text-right max-md:text-12">
          <Day at={battle.decided_at} />
        </span>
      </div>
    </li>
  );
}

function Name({ name, won }: { name: string; won: boolean }) {
  return (
    <bdi className={cx("relative truncate min-w-0", won ? "font-semibold" : "text-ink-2")}>
      {oneLine(name)}
      {won && <span className="sr-only"> (won)</span>}
    </bdi>
  );
}

function sumOf(votes: Battle["votes"]) {
  const sum = { a: 0, b: 0, tie: 0, both_bad: 0 };
  for (const kind of Object.values(votes)) {
    sum.a += kind.a;
    sum.b += kind.b;
    sum.tie += kind.tie;
    sum.both_bad += kind.both_bad;
  }
  return sum;
}
