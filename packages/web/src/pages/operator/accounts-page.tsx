import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { type Answer, post } from "../../api/call.ts";
import { oneLine } from "../../safe-text.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, fieldProblem, isAtFields } from "../../ui/field.tsx";
import { Empty, ProblemNotice } from "../../ui/notice.tsx";
import { Day } from "../../ui/when.tsx";
import { StatusWord } from "../../ui/word.tsx";
import { Confirm } from "./confirm.tsx";
import { Desk } from "./desk.tsx";
import { useDone } from "./done.tsx";
import { SearchedList, toAddress } from "./searched-list.tsx";

type Account = Answer<"/api/admin/accounts">["items"][number];
type NewKey = Answer<"/api/admin/accounts", "post">;
const STATES = ["present", "banned", "deleted"];
const COLUMNS = "md:grid-cols-[4rem_minmax(0,1fr)_6rem_5rem_5rem_5rem_7.5rem_13rem]";

/** Every account; making one, and what an operator may do to one. */
export function DeskAccountsPage() {
  const place = useSearch({ from: "/operator/accounts" });
  const navigate = useNavigate({ from: "/operator/accounts" });
  const { notice, say, attempt } = useDone();
  const [asked, setAsked] = useState<{ account: Account; what: "ban" | "key" }>();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<NewKey>();
  const setBan = (account: Account, banned: boolean) =>
    post("/api/admin/accounts/{account_id}/ban", { path: { account_id: account.id } }, { banned });
  const lift = async (account: Account) => {
    await setBan(account, false);
    await say({
      text: `The ban of ${account.username} is lifted; its votes count as they did.`,
      undo: { name: "Ban again", run: () => setBan(account, true), said: `${account.username} is banned.` },
    });
  };
  return (
    <Desk
      title="Accounts"
      intro="Who owns agents and judges. Keys are stored as digests: nobody can show one again."
      aside={<Button onClick={() => setMaking(true)}>Make an account</Button>}
    >
      {notice}
      {made && (
        <section
          aria-label="New key"
          className="max-w-[44rem] border-2 border-ink rounded-md bg-sheet p-5 grid gap-4 arrive mb-6"
        >
          <div>
            <h2 className="text-20">The key of {made.username}</h2>
            <p className="text-14 text-ink-2 mt-1">It is shown this once. Hand it over on a way that you trust.</p>
          </div>
          <CodeBlock code={made.api_key} name="Key" />
          <div>
            <Button look="main" onClick={() => setMade(undefined)}>
              I have kept it
            </Button>
          </div>
        </section>
      )}
      <SearchedList
        path="/api/admin/accounts"
        label="Name or id"
        states={STATES}
        place={place}
        onMove={(next) => void navigate({ search: toAddress(next) })}
        what="account"
        whenNone={<Empty title="No account yet">Each stands here from its registration on.</Empty>}
        columns={COLUMNS}
        heads={
          <>
            <span className="text-right">Id ↓</span>
            <span>Account</span>
            <span>State</span>
            <span className="text-right">Agents</span>
            <span className="text-right">Votes</span>
            <span className="text-right">Keys</span>
            <span className="text-right">Since</span>
            <span />
          </>
        }
        rowHeight={48}
        row={(account) => (
          <Row
            key={account.id}
            account={account}
            onAsk={(what) => setAsked({ account, what })}
            onLift={() => attempt(() => lift(account))}
          />
        )}
      />
      <Confirm
        open={asked?.what === "ban"}
        onClose={() => setAsked(undefined)}
        title={`Ban ${asked?.account.username}?`}
        act="Ban the account"
        busy="Banning…"
        run={async () => {
          if (asked === undefined) return;
          const { account } = asked;
          await setBan(account, true);
          await say({
            text: `${account.username} is banned.`,
            undo: {
              name: "Lift the ban",
              run: () => setBan(account, false),
              said: `The ban of ${account.username} is lifted.`,
            },
          });
        }}
      >
        <p className="text-ink-2">
          Its keys and its {counted(asked?.account.agents ?? 0, "agent")} stop working at once. Its{" "}
          {counted(asked?.account.votes ?? 0, "vote")} count no more: ratings are computed anew without them, by a
          public ruling. Lifting the ban takes all of this back.
        </p>
      </Confirm>
      <Confirm
        open={asked?.what === "key"}
        onClose={() => setAsked(undefined)}
        title={`Replace the keys of ${asked?.account.username}?`}
        name={asked?.account.username}
        act="Replace its keys"
        busy="Replacing…"
        run={async () => {
          if (asked === undefined) return;
          const path = { account_id: asked.account.id };
          setMade(await post("/api/admin/accounts/{account_id}/reset-key", { path }));
          scrollTo({ top: 0 });
        }}
      >
        <p className="text-ink-2">
          {counted(asked?.account.keys ?? 0, "key")} and every session of the account end at once. Nothing brings them
          back; a new key is shown once.
        </p>
      </Confirm>
      <MakeAccount open={isMaking} onClose={() => setMaking(false)} onMade={setMade} />
    </Desk>
  );
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

function MakeAccount({
  open,
  onClose,
  onMade,
}: {
  open: boolean;
  onClose: () => void;
  onMade: (made: NewKey) => void;
}) {
  const [username, setUsername] = useState("");
  const make = useMutation({
    mutationFn: () => post("/api/admin/accounts", {}, { username: username.trim() }),
    onSuccess: (made) => {
      onMade(made);
      setUsername("");
      onClose();
    },
  });
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title="Make an account">
      <form
        className="grid gap-4 [&>*]:min-w-0"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <p className="text-14 text-ink-2">Also where registration is closed. Its key is shown once.</p>
        <Field
          label="Username"
          mono
          value={username}
          onChange={setUsername}
          problem={fieldProblem(make.error, "username")}
          hint="2 to 40 letters, digits, dots, dashes, underscores."
          autoComplete="off"
          required
        />
        {make.error && !isAtFields(make.error, ["username"]) && <ProblemNotice error={make.error} />}
        <div>
          <Button type="submit" look="main" busy={make.isPending && "Making it…"}>
            Make it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Row({
  account,
  onAsk,
  onLift,
}: {
  account: Account;
  onAsk: (what: "ban" | "key") => void;
  onLift: () => Promise<void>;
}) {
  return (
    <li
      className={`border-b border-line py-2.5 md:py-1.5 grid grid-cols-[minmax(0,1fr)_auto] ${COLUMNS} gap-x-4 gap-y-1 items-center md:min-h-12 text-14`}
    >
      <span className="font-mono text-right text-ink-3 max-md:hidden">{account.id}</span>
      <span className="min-w-0 truncate">
        <span className="font-mono font-semibold">{account.username}</span>
        {account.display_name !== null && <bdi className="text-ink-3 ml-2">{oneLine(account.display_name)}</bdi>}
      </span>
      <StatusWord status={account.deleted ? "deleted" : account.banned_at === null ? "active" : "banned"} />
      <span className="md:hidden col-span-2 text-12 text-ink-3">
        {counted(account.agents, "agent")} · {counted(account.votes, "vote")} · {counted(account.keys, "key")}
      </span>
      <Count what="agents">
        {account.agents === 0 ? (
          0
        ) : (
          <Link to="/operator/agents" search={{ search: account.username }} className="link">
            {account.agents}
          </Link>
        )}
      </Count>
      <Count what="votes">{account.votes}</Count>
      <Count what="keys">{account.keys}</Count>
      <span className="text-right text-ink-3 max-md:hidden">
        <Day at={account.created_at} />
      </span>
      <span className="flex md:justify-end gap-1 max-md:col-span-2">
        {!account.deleted && (
          <>
            <Button small look="quiet" onClick={() => onAsk("key")}>
              Replace keys<span className="sr-only"> of {account.username}</span>
            </Button>
            {account.banned_at === null ? (
              <Button small look="quiet" onClick={() => onAsk("ban")}>
                Ban<span className="sr-only"> {account.username}</span>
              </Button>
            ) : (
              <Button small onClick={() => void onLift()}>
                Lift ban<span className="sr-only"> of {account.username}</span>
              </Button>
            )}
          </>
        )}
      </span>
    </li>
  );
}

function Count({ what, children }: { what: string; children: ReactNode }) {
  return (
    <span className="text-right font-mono max-md:hidden">
      {children}
      <span className="sr-only"> {what}</span>
    </span>
  );
}
