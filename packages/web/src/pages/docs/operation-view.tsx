import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CodeBlock } from "../../ui/code-block.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { curlOf } from "./curl.ts";
import type { Operation, Schema } from "./openapi.ts";
import { fieldsOf, limitsOf, typeOf } from "./schema-fields.ts";

const WHO: Readonly<Record<string, ReactNode>> = {
  account: (
    <>
      an account, by <code>Authorization: Bearer api_key</code>
    </>
  ),
  owner: (
    <>
      the account that it belongs to, by <code>Authorization: Bearer api_key</code>
    </>
  ),
  admin: (
    <>
      the operator, by <code>Authorization: Bearer admin key</code>
    </>
  ),
  agent: (
    <>
      the agent, by <code>X-Arena-Secret</code>
    </>
  ),
  signature: (
    <>
      whoever signs it under the agent's key, in <code>X-EdgeArena-Signature</code>
    </>
  ),
  judge: "anybody, as the judge that a cookie remembers",
  session: "who is signed in on these pages",
  operator: "who is signed in at the operator's desk",
};

/** A call: who may make it, what it takes, what it answers, what may go wrong, and how to type it. */
export function OperationView({ operation }: { operation: Operation }) {
  const { method, path, summary, description, security, parameters = [], requestBody, responses, anchor } = operation;
  const problems = operation["x-problems"];
  const body = requestBody && Object.values(requestBody.content)[0]?.schema;
  const who = (security ?? []).flatMap((each) => Object.keys(each));
  return (
    <section aria-labelledby={anchor} className="border-t border-ink pt-4 grid gap-4 [&>*]:min-w-0">
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <h2
            id={anchor}
            className="text-16 font-mono font-semibold tracking-normal [overflow-wrap:anywhere] scroll-mt-4"
          >
            <Method>{method}</Method> {path}
          </h2>
          <CopyButton
            text={`${location.origin}${location.pathname}#${anchor}`}
            what={`the address of ${method} ${path}`}
            label="Copy link"
            className="ml-auto"
          />
        </div>
        <p className="mt-1 max-w-[72ch]">
          <Ticked text={`${summary}.`} />
        </p>
        {description && (
          <p className="text-14 text-ink-2 mt-1 max-w-[72ch]">
            <Ticked text={description} />
          </p>
        )}
      </div>
      <p className="text-14 text-ink-2 [&_code]:font-mono [&_code]:text-ink">
        <span className="text-ink-3">Who may call:</span>{" "}
        {who.length === 0
          ? "anybody"
          : who.map((each, index) => (
              <span key={each}>
                {index > 0 && ", or "}
                {WHO[each] ?? each}
              </span>
            ))}
        .
      </p>
      {parameters.length > 0 && (
        <Fields
          title="Parameters"
          lines={parameters
            .toSorted((a, b) => a.in.localeCompare(b.in))
            .map(({ name, in: place, required, description: about, schema }) => ({
              name,
              type: `${typeOf(schema)}, in the ${place}`,
              isRequired: required === true,
              about: [about, limitsOf(schema)].filter(Boolean).join("; "),
            }))}
        />
      )}
      {body && <Fields title={`Body${requestBody?.required ? "" : ", may be left out"}`} lines={fieldsOf(body)} />}
      {Object.entries(responses).map(([status, { content }]) => (
        <Answer key={status} status={status} content={content} />
      ))}
      {problems.length > 0 && (
        <div className="text-14">
          <h3 className="text-14">May be refused with</h3>
          <ul className="flex flex-wrap gap-x-4 gap-y-1 mt-1">
            {problems.map(({ code, status }) => (
              <li key={code} className="font-mono">
                <span className="text-ink-3">{status}</span>{" "}
                <Link to="/docs/$slug" params={{ slug: "errors" }} className="link">
                  {code}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
      <CodeBlock code={curlOf(operation)} language="bash" name={`${method} ${path} with curl`} />
    </section>
  );
}

/** A sentence of the description, with what stands in backticks as code. */
export function Ticked({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text in their order
      <code key={index} className="font-mono">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

export function Method({ children }: { children: string }) {
  return <span className={children === "GET" ? "text-ink-3" : "text-ink"}>{children}</span>;
}

function Answer({ status, content }: { status: string; content: Record<string, { schema?: Schema }> | undefined }) {
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  const lines = media?.schema === undefined ? [] : fieldsOf(media.schema);
  const what =
    status === "204"
      ? "nothing"
      : lines.length > 0
        ? undefined
        : type === undefined
          ? "text or a stream"
          : `${type}, as it comes`;
  if (what !== undefined) {
    return (
      <p className="text-14">
        <b>Answers {status}</b> <span className="text-ink-2">{what}</span>
      </p>
    );
  }
  return <Fields title={`Answers ${status}`} lines={lines} isAnswer />;
}

/** From this many on, an answer's fields wait until somebody wants them. */
const FOLDED_FROM = 9;

function Fields({
  title,
  lines,
  isAnswer = false,
}: {
  title: string;
  lines: readonly { name: string; type: string; isRequired: boolean; about: string }[];
  isAnswer?: boolean;
}) {
  if (lines.length === 0) return null;
  const list = (
    <dl className="text-14 border-t border-line mt-1">
      {lines.map(({ name, type, isRequired, about }) => (
        <div
          key={`${name} ${type}`}
          className="border-b border-line py-1.5 grid sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-6"
        >
          <dt className="font-mono [overflow-wrap:anywhere]">
            {name}
            {!isAnswer && isRequired && <span className="label font-sans ml-2">required</span>}
          </dt>
          <dd className="text-ink-2 [overflow-wrap:anywhere]">
            <span className="font-mono text-12 text-ink-3">{type}</span>
            {about && <span className="block">{about}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
  if (isAnswer && lines.length >= FOLDED_FROM) {
    return (
      <details>
        <summary className="text-14 font-semibold w-fit">
          {title} <span className="label font-normal">{lines.length} fields</span>
        </summary>
        {list}
      </details>
    );
  }
  return (
    <div>
      <h3 className="text-14">{title}</h3>
      {list}
    </div>
  );
}
