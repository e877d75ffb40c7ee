import type { ReactNode } from "react";
import { unturned } from "../../safe-text.ts";
import { Word } from "../../ui/word.tsx";

export interface Check {
  name: string;
  ok: boolean | null;
  detail: string;
}

/** What was looked at, one line each. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {checks.map((check) => (
        <li key={check.name} className="flex flex-wrap gap-x-3 items-baseline">
          <Word tone={check.ok === null ? "plain" : check.ok ? "good" : "bad"}>{check.name}</Word>
          <span className="text-ink-2 [overflow-wrap:anywhere]">{unturned(check.detail)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The technical side of a step, out of the way until it is asked for. */
export function Details({ title, open, children }: { title: string; open?: boolean; children: ReactNode }) {
  return (
    <details className="text-14 min-w-0" open={open}>
      <summary className="text-ink-2 font-semibold w-fit">{title}</summary>
      <div className="mt-2 grid gap-3 min-w-0">{children}</div>
    </details>
  );
}

/** A request or an answer as it went over the wire. */
function Wire({ name, head, body }: { name: string; head: string; body: string | null }) {
  return (
    <div className="min-w-0">
      <p className="label mb-1">{name}</p>
      <pre
        tabIndex={0}
        role="group"
        aria-label={name}
        className="border border-line rounded-md bg-sunk px-4 py-3 font-mono text-12 whitespace-pre-wrap [overflow-wrap:anywhere] max-h-80 overflow-y-auto"
      >
        {unturned(body === null || body === "" ? head : `${head}\n\n${body}`)}
      </pre>
    </div>
  );
}

export interface Exchange {
  sent: { method: string; url: string; headers: Record<string, string>; body: string | null } | null;
  received: { status: number; headers: Record<string, string>; excerpt: string | null } | null;
}

/** Both sides of an exchange, with what has to stay secret masked. */
export function ExchangeWire({ exchange: { sent, received } }: { exchange: Exchange }) {
  return (
    <>
      {sent && <Wire name="Sent" head={headLines(`${sent.method} ${sent.url}`, sent.headers)} body={sent.body} />}
      {received ? (
        <Wire
          name="Came back"
          head={headLines(`Status ${received.status}`, received.headers)}
          body={received.excerpt}
        />
      ) : (
        <p className="text-ink-3">Nothing came back.</p>
      )}
    </>
  );
}

const headLines = (first: string, headers: Record<string, string>) =>
  [first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n");
