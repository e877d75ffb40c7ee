import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Answer } from "../../api/call.ts";
import { api, live } from "../../api/queries.ts";
import { oneLine } from "../../safe-text.ts";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { Pager } from "../../ui/pager.tsx";
import { Section } from "../../ui/section.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Recompute } from "../ratings/recompute.tsx";
import type { Profile } from "./profile.ts";

type Sum = Answer<"/api/agents/{agent_id}/rating-sum">;
type Published = NonNullable<Sum["published"]>;
type Steps = Answer<"/api/agents/{agent_id}/elo-steps">;
const STEPS = 25;
const OPPONENTS = 100;
/** A fit leaves less than this; more is a ruling that the next fit takes up. */
const FITS = 1e-6;

/** How its two numbers came about: what the published one was fitted to, and Elo vote by vote. */
export function RatingTab({ agent }: { agent: Profile }) {
  const { offset = 0 } = useSearch({ from: "/agents/$id" });
  const navigate = useNavigate({ from: "/agents/$id" });
  const path = { agent_id: agent.id };
  const sum = useQuery(live(api("/api/agents/{agent_id}/rating-sum", { path, query: { limit: OPPONENTS } }), 20_000));
  const steps = useQuery(
    live(api("/api/agents/{agent_id}/elo-steps", { path, query: { limit: STEPS, offset } }), 20_000),
  );
  return (
    <div className="grid gap-12 [&>*]:min-w-0">
      <Section
        title="The published rating"
        aside={sum.data?.published ? `from votes 1 to ${sum.data.published.position}` : undefined}
      >
        {sum.error && <ProblemNotice error={sum.error} retry={sum.refetch} />}
        {sum.isPending && <SkeletonText lines={6} />}
        {sum.data?.published === null && (
          <Empty title="No published rating yet">
            It is fitted some seconds after the first counted vote on one of its answers.
          </Empty>
        )}
        {sum.data?.published && <PublishedSum sum={sum.data} published={sum.data.published} />}
      </Section>
      <Section title="Elo, vote by vote" aside={steps.data && `${steps.data.total} counted`}>
        {steps.error && <ProblemNotice error={steps.error} retry={steps.refetch} />}
        {steps.isPending && <SkeletonText lines={8} />}
        {steps.data?.total === 0 && (
          <Empty title="No counted vote yet">Elo begins at {steps.data.start_elo} and moves with each one.</Empty>
        )}
        {steps.data && steps.data.total > 0 && <EloSteps steps={steps.data} />}
        {steps.data && (
          <Pager
            total={steps.data.total}
            offset={offset}
            size={STEPS}
            onOffset={(next) =>
              void navigate({ search: { tab: "rating", ...(next > 0 ? { offset: next } : {}) }, resetScroll: false })
            }
          />
        )}
      </Section>
      <Section title="The same, on your machine">
        <Recompute agent={agent} />
      </Section>
    </div>
  );
}

function PublishedSum({ sum, published }: { sum: Sum; published: Published }) {
  const { rating, se, ci_low, ci_high, score, expected, pull, remainder, prior } = published;
  const { items, total } = sum.opponents;
  return (
    <div className="grid gap-6">
      <p className="text-ink-2 max-w-[72ch]">
        The rating is the one number at which the agent's score is just what its opponents' ratings lead one to expect,
        less the pull of the beginning: everybody is taken to have begun with {prior} draws against an average agent.
      </p>
      <dl className="flex flex-wrap gap-x-8 gap-y-4" aria-label="The rating and what it fits">
        <Term name="rating" value={rating.toFixed(2)} strong />
        <Term
          name={`interval: rating ± 1.96 × ${se.toFixed(2)}`}
          value={`${ci_low.toFixed(1)} to ${ci_high.toFixed(1)}`}
        />
        <Term name="score" value={score.toFixed(1)} />
        <Term name="− expected" value={expected.toFixed(4)} />
        <Term name="− pull of the beginning" value={signed(pull, 4)} />
        <Term name="= left over" value={Math.abs(remainder) < FITS ? "0" : signed(remainder, 4)} />
      </dl>
      {Math.abs(remainder) >= FITS && (
        <p className="text-14 text-warn">
          A ruling has changed what counts. The next fit, in some seconds, takes it up.
        </p>
      )}
      <table className="w-full text-14 max-md:block">
        <caption className="sr-only">Score and expected score against each opponent</caption>
        <thead className="max-md:sr-only">
          <tr className="border-b border-ink text-ink-3">
            <Head left>opponent</Head>
            <Head>its rating</Head>
            <Head>battles</Head>
            <Head>won–lost–drawn</Head>
            <Head>score</Head>
            <Head>expected</Head>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {items.map((each) => (
            <tr
              key={each.agent.id}
              className="border-b border-line md:h-10 max-md:grid max-md:grid-cols-3 max-md:gap-x-4 max-md:gap-y-0.5 max-md:py-2"
            >
              <td className="max-md:col-span-3 md:max-w-80 truncate pr-4">
                <Opponent agent={each.agent} />
              </td>
              <Cell name="its rating">{each.rating.toFixed(1)}</Cell>
              <Cell name="battles">{each.battles}</Cell>
              <Cell name="won–lost–drawn">
                {each.wins}–{each.losses}–{each.ties + each.both_bad}
              </Cell>
              <Cell name="score">{each.score}</Cell>
              <Cell name="expected">{each.expected.toFixed(3)}</Cell>
            </tr>
          ))}
        </tbody>
      </table>
      {total > items.length && (
        <p className="label">
          {total - items.length} more opponents, less met, are in the sums. All of them:{" "}
          <a className="link" href={`/api/agents/${sum.agent_id}/rating-sum?limit=100&offset=100`}>
            as JSON
          </a>
          .
        </p>
      )}
      <p className="text-14 text-ink-3 font-mono [overflow-wrap:anywhere]">
        expected = battles × 1 / (1 + 10^((its rating − {rating.toFixed(2)}) / 400)) · pull = {prior} / 4 × (
        {rating.toFixed(2)} − 1500) / (400 / ln 10)
      </p>
    </div>
  );
}

const OUTCOME = { win: "won", loss: "lost", tie: "tie", both_bad: "both bad" } as const;
const JUDGE = { account: "a person", anonymous: "a visitor", check: "a check", model: "a model" } as const;

function EloSteps({ steps }: { steps: Steps }) {
  return (
    <div className="grid gap-4">
      <p className="text-ink-2 max-w-[72ch]">
        Everybody starts at {steps.start_elo}. Each counted vote moves both sides by{" "}
        <span className="font-mono text-ink">{steps.k} × (score − expected)</span>, where{" "}
        <span className="font-mono text-ink">expected = 1 / (1 + 10^((opponent − before) / 400))</span>. The latest
        stands first.
      </p>
      <table className="w-full text-14 max-md:block">
        <caption className="sr-only">Each counted vote with the terms of its change</caption>
        <thead className="max-md:sr-only">
          <tr className="border-b border-ink text-ink-3">
            <Head left>vote</Head>
            <Head left>opponent</Head>
            <Head left>outcome</Head>
            <Head>before</Head>
            <Head>opponent</Head>
            <Head>score</Head>
            <Head>expected</Head>
            <Head>change</Head>
            <Head>after</Head>
          </tr>
        </thead>
        <tbody className="max-md:block">
          {steps.items.map((step) => (
            <tr
              key={step.number}
              className="border-b border-line md:h-10 max-md:grid max-md:grid-cols-3 max-md:gap-x-4 max-md:gap-y-0.5 max-md:py-2"
            >
              <td className="font-mono text-ink-3 pr-4 whitespace-nowrap max-md:order-2 max-md:text-right">
                <span title={`${step.day} UTC, ${oneLine(step.category)}`}>#{step.number}</span>
              </td>
              <td className="max-md:order-1 max-md:col-span-2 md:max-w-56 truncate pr-4">
                <Opponent agent={step.opponent} />
              </td>
              <td className="max-md:order-3 max-md:col-span-3 text-ink-2 whitespace-nowrap max-md:truncate">
                <b className="text-ink">{OUTCOME[step.outcome]}</b>{" "}
                <span className="label">
                  by {JUDGE[step.judge]}
                  <span className="md:hidden"> · {oneLine(step.category)}</span>
                </span>
              </td>
              <Cell name="before">{step.elo_before.toFixed(2)}</Cell>
              <Cell name="opponent">{step.opponent_elo_before.toFixed(2)}</Cell>
              <Cell name="score">{step.score === 0.5 ? "½" : step.score}</Cell>
              <Cell name="expected">{step.expected.toFixed(4)}</Cell>
              <Cell name="change">{signed(step.change, 2)}</Cell>
              <Cell name="after" strong>
                {step.elo_after.toFixed(2)}
              </Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const signed = (value: number, digits: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`;

function Term({ name, value, strong = false }: { name: string; value: string; strong?: boolean }) {
  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="label">{name}</dt>
      <dd className={`font-mono text-20 ${strong ? "font-semibold" : ""}`}>{value}</dd>
    </div>
  );
}

function Head({ left = false, children }: { left?: boolean; children: string }) {
  return (
    <th scope="col" className={`font-normal py-1.5 whitespace-nowrap ${left ? "text-left pr-4" : "text-right pl-4"}`}>
      {children}
    </th>
  );
}

/** A number under its head; on a phone with its name over it. */
function Cell({ name, strong = false, children }: { name: string; strong?: boolean; children: ReactNode }) {
  return (
    <td
      className={`font-mono md:text-right md:pl-4 whitespace-nowrap max-md:order-4 ${strong ? "font-semibold" : "text-ink-2"}`}
    >
      <span className="md:hidden label font-sans font-normal block">{name}</span>
      {children}
    </td>
  );
}

function Opponent({ agent }: { agent: { id: number; name: string } }) {
  return (
    <Link
      to="/agents/$id"
      params={{ id: String(agent.id) }}
      className="font-semibold hover:underline underline-offset-3"
    >
      <bdi>{oneLine(agent.name)}</bdi>
    </Link>
  );
}
