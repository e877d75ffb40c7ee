import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { post } from "../../api/call.ts";
import { tellOtherTabs } from "../../api/other-tabs.ts";
import { api, live, sessionQuery } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/class-names.ts";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { PageHead, useTitle } from "../../ui/page-head.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { SignOut } from "../account/sign-out.tsx";

const PLACES = [
  { to: "/operator", name: "Overview" },
  { to: "/operator/agents", name: "Agents" },
  { to: "/operator/accounts", name: "Accounts" },
  { to: "/operator/prompts", name: "Prompts" },
  { to: "/operator/rulings", name: "Rulings" },
  { to: "/operator/reports", name: "Reports" },
] as const;

/** How often a page asks whether its session still holds: it may have ended in another tab. */
const SESSION_MS = 30_000;

/** What stands around every page of the desk, and in its place for who is not the operator. */
export function Desk({
  title,
  over,
  intro,
  aside,
  children,
}: {
  title: string;
  over?: ReactNode;
  intro?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  useTitle(`${title} · desk`);
  const { data, error, refetch } = useQuery(live({ ...sessionQuery, staleTime: 5_000 }, SESSION_MS));
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      {error && data === undefined && (
        <div className="pt-10">
          <ProblemNotice error={error} retry={refetch} />
        </div>
      )}
      {!error && data === undefined && (
        <div className="py-10">
          <SkeletonText lines={6} />
        </div>
      )}
      {data?.operator === null && <Gate account={data.account?.username} />}
      {data?.operator && (
        <>
          <Places />
          <PageHead title={title} over={over} aside={aside}>
            {intro}
          </PageHead>
          {children}
        </>
      )}
    </div>
  );
}

function Places() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { data } = useQuery(live(api("/api/admin/overview"), 10_000));
  return (
    <nav aria-label="Desk" className="flex flex-wrap items-center gap-x-1 gap-y-1 border-b border-line py-2 -mx-2.5">
      {PLACES.map(({ to, name }) => {
        const isHere = to === "/operator" ? path === to : path.startsWith(to);
        const waiting = to === "/operator/reports" ? (data?.open_reports ?? 0) + (data?.unknown_gates ?? 0) : 0;
        return (
          <Link
            key={to}
            to={to}
            aria-current={isHere ? "page" : undefined}
            className={cx(
              "px-2.5 h-8 inline-flex items-center gap-1.5 text-14 font-semibold rounded-md",
              isHere ? "bg-sunk text-ink" : "text-ink-2 hover:text-ink",
            )}
          >
            {name}
            {waiting > 0 && (
              <span className="bg-marker text-on-marker font-mono text-12 px-1 rounded-sm">
                {waiting}
                <span className="sr-only"> waiting</span>
              </span>
            )}
          </Link>
        );
      })}
      <span className="ml-auto pr-2.5">
        <SignOut small />
      </span>
    </nav>
  );
}

/** The operator's key is asked for here; whoever has none reads what this is. */
function Gate({ account }: { account: string | undefined }) {
  const [key, setKey] = useState("");
  const queries = useQueryClient();
  const signIn = useMutation({
    mutationFn: () => post("/api/session", {}, { api_key: key, as: "operator" }),
    onSuccess: () => {
      tellOtherTabs();
      return queries.invalidateQueries();
    },
  });
  return (
    <>
      <PageHead title="The operator's desk">
        It takes the operator's key: the one that <code className="font-mono text-14">agon serve</code> showed at its
        first start and keeps in <code className="font-mono text-14">admin.key</code> of its data folder, or{" "}
        <code className="font-mono text-14">AGON_ADMIN_KEY</code>.{" "}
        <Link to="/docs/$slug" params={{ slug: "operating" }} className="link">
          About operating
        </Link>
      </PageHead>
      <form
        className="grid gap-4 max-w-[32rem]"
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate();
        }}
      >
        {account !== undefined && (
          <Notice word="An account">
            You are signed in as <span className="font-mono">{account}</span>. The desk needs the operator's key beside
            it.
          </Notice>
        )}
        <Field
          label="Operator's key"
          type="password"
          mono
          name="operator_key"
          autoComplete="current-password"
          value={key}
          onChange={setKey}
          problem={fieldProblem(signIn.error, "api_key")}
          hint="It is exchanged for a cookie that no script can read, and that ends after 12 hours."
          required
        />
        {signIn.error && !isAtFields(signIn.error, ["api_key"]) && <ProblemNotice error={signIn.error} />}
        <div>
          <Button type="submit" look="main" busy={signIn.isPending && "Signing in…"}>
            Open the desk
          </Button>
        </div>
      </form>
    </>
  );
}
