import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type Answer, post } from "../../api/call.ts";
import { api } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Word } from "../../ui/word.tsx";
import { Desk } from "./desk.tsx";
import { useDone } from "./done.tsx";
import { type ListPlace, SearchedList, toAddress } from "./searched-list.tsx";

type Prompt = Answer<"/api/admin/prompts">["items"][number];
const STATES = ["fresh", "open", "closed", "retired", "gym"];
const POOL_COLUMNS = "grid-cols-[minmax(0,1fr)_3rem_3rem_3.5rem] md:grid-cols-[minmax(0,1fr)_5rem_5rem_5rem_5rem_6rem]";
const COLUMNS = "md:grid-cols-[4rem_minmax(0,1fr)_9rem_6rem_4.5rem_7rem_6.5rem]";
export const STATE_TONES: Record<string, "good" | "warn" | "plain"> = { fresh: "plain", open: "good", gym: "plain" };

/** The pools by category, and every prompt. */
export function DeskPromptsPage() {
  const place = useSearch({ from: "/operator/prompts" });
  const navigate = useNavigate({ from: "/operator/prompts" });
  const { notice, say, attempt } = useDone();
  const go = (next: ListPlace & { category?: string | undefined }) => void navigate({ search: toAddress(next) });
  const { category } = place;
  const setRetired = (id: number, retired: boolean) => post("/api/admin/prompts/retire", {}, { ids: [id], retired });
  const change = (id: number, retired: boolean) =>
    attempt(async () => {
      await setRetired(id, retired);
      await say({
        text: retired
          ? `Prompt ${id} is retired: nobody gets it any more. Its answers stay.`
          : `Prompt ${id} is back in the pool.`,
        undo: {
          name: retired ? "Bring it back" : "Retire it again",
          run: () => setRetired(id, !retired),
          said: retired ? `Prompt ${id} is back in the pool.` : `Prompt ${id} is retired.`,
        },
      });
    });
  return (
    <Desk
      title="Prompts"
      intro="Fresh until somebody answers, then open and judged, at last closed and public. A prompt without a check is judged by people alone."
      aside={
        <ButtonLink to="/operator/prompts/import" look="main">
          Import prompts
        </ButtonLink>
      }
    >
      {notice}
      <Section title="Pools">
        <Pools chosen={category} onChoose={(next) => go({ ...place, category: next, offset: undefined })} />
      </Section>
      <div className="h-10" />
      <Section
        title={category === undefined ? "All prompts" : `Prompts in ${category}`}
        aside={
          category !== undefined && (
            <Button small look="quiet" onClick={() => go({ ...place, category: undefined, offset: undefined })}>
              All categories
            </Button>
          )
        }
      >
        <SearchedList
          path="/api/admin/prompts"
          label="Text, external id or id"
          states={STATES}
          place={place}
          onMove={go}
          what="prompt"
          whenNone={
            <Empty
              title="No prompt yet"
              action={
                <ButtonLink to="/operator/prompts/import" look="main">
                  Import prompts
                </ButtonLink>
              }
            >
              Without prompts there is nothing to compete on. A file with one JSON object a line is enough.
            </Empty>
          }
          columns={COLUMNS}
          heads={
            <>
              <span className="text-right">Id ↓</span>
              <span>Prompt</span>
              <span>Category</span>
              <span>State</span>
              <span className="text-right">Answers</span>
              <span>Check</span>
              <span />
            </>
          }
          row={(prompt) => <Row key={prompt.id} prompt={prompt} onRetire={change} />}
        />
      </Section>
    </Desk>
  );
}

function Pools({ chosen, onChoose }: { chosen: string | undefined; onChoose: (category: string) => void }) {
  const { data, isPending, error, refetch } = useQuery(api("/api/admin/prompt-pools"));
  if (error) return <ProblemNotice error={error} retry={refetch} />;
  if (isPending) return <SkeletonRows rows={5} />;
  if (data.items.length === 0) return null;
  return (
    <div
      className="max-h-[26rem] max-w-[56rem] overflow-y-auto"
      tabIndex={0}
      role="group"
      aria-label="Pools by category"
    >
      <div
        aria-hidden="true"
        className={`grid ${POOL_COLUMNS} gap-x-3 text-12 md:text-14 font-semibold text-ink-2 h-8 items-center sticky top-0 bg-paper z-10`}
      >
        <span>Category</span>
        <span className="text-right">Fresh</span>
        <span className="text-right">Open</span>
        <span className="text-right">Closed</span>
        <span className="text-right max-md:hidden">Retired</span>
        <span className="text-right max-md:hidden">Checked</span>
      </div>
      <ul>
        {data.items.map((pool) => {
          const live = pool.fresh + pool.open + pool.closed;
          return (
            <li
              key={`${pool.kind} ${pool.category}`}
              className={cx(
                `relative grid ${POOL_COLUMNS} gap-x-3 text-14 min-h-9 items-center border-b border-line hover:bg-sunk has-[button:focus-visible]:outline-2 outline-ink -outline-offset-2`,
                chosen === pool.category && "bg-sunk",
              )}
            >
              <button
                type="button"
                aria-pressed={chosen === pool.category}
                onClick={() => onChoose(pool.category)}
                className="text-left font-semibold truncate min-w-0 after:absolute after:inset-0 outline-none"
              >
                {oneLine(pool.category)}
                {pool.kind === "gym" && <span className="text-ink-3 font-normal"> · gym</span>}
              </button>
              {(["fresh", "open", "closed", "retired"] as const).map((each) => (
                <span
                  key={each}
                  className={cx(
                    "font-mono text-right",
                    each === "retired" && "max-md:hidden",
                    pool[each] === 0 && "text-ink-3",
                  )}
                >
                  {pool.kind === "gym" && (each === "open" || each === "closed") ? "–" : pool[each]}
                  <span className="sr-only"> {each}</span>
                </span>
              ))}
              <span
                className="font-mono text-right text-ink-3 max-md:hidden"
                title="with a check, of those that are not retired"
              >
                {live === 0 ? "–" : `${Math.round((pool.checked / live) * 100)} %`}
                <span className="sr-only"> with a check</span>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Row({ prompt, onRetire }: { prompt: Prompt; onRetire: (id: number, retired: boolean) => Promise<void> }) {
  const isRetired = prompt.state === "retired";
  return (
    <li
      className={`border-b border-line py-2.5 md:py-0 md:h-11 grid grid-cols-[minmax(0,1fr)_auto] ${COLUMNS} gap-x-4 gap-y-1 items-center text-14`}
    >
      <span className="font-mono text-right text-ink-3 max-md:hidden">{prompt.id}</span>
      <Link
        to="/operator/prompts/$id"
        params={{ id: String(prompt.id) }}
        className="font-semibold truncate min-w-0 max-md:col-span-2 hover:underline underline-offset-4"
      >
        {oneLine(prompt.prompt.slice(0, 300))}
      </Link>
      <span className="text-ink-3 truncate">{oneLine(prompt.category)}</span>
      <Word tone={STATE_TONES[prompt.state] ?? "plain"}>{prompt.state}</Word>
      <span className="md:text-right text-ink-2 max-md:text-12">
        <span className="font-mono">{prompt.answers}</span>
        <span className="md:sr-only"> answers</span>
      </span>
      <span className="text-ink-3 truncate max-md:hidden">{kindOfCheck(prompt.check)}</span>
      <span className="text-right">
        <Button small look={isRetired ? "plain" : "quiet"} onClick={() => void onRetire(prompt.id, !isRetired)}>
          {isRetired ? "Bring back" : "Retire"}
          <span className="sr-only"> prompt {prompt.id}</span>
        </Button>
      </span>
    </li>
  );
}

export function kindOfCheck(check: unknown): string {
  return typeof check === "object" && check !== null && "kind" in check ? String(check.kind) : "none";
}
