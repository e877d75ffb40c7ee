import { Link } from "@tanstack/react-router";
import { type ComponentProps, isValidElement, type ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { toAnchor, useAnchorTarget } from "./anchors.ts";
import { cx } from "./class-names.ts";
import { CodeBlock } from "./code-block.tsx";
import { hasEndlessWord } from "./endless-word.ts";

const SAFE = /^(https?:|mailto:)/i;
/** What agents put into their answers beside the answer itself. */
const FOLDED: Record<string, string> = {
  tool_call: "Tool call",
  tool_result: "Tool result",
  system: "System",
  thinking: "Thinking",
};

/** Loaded when the first text is shown. Raw HTML is left as text by react-markdown itself. */
export default function RenderedMarkdown({ text, guide }: { text: string; guide: boolean }) {
  useAnchorTarget(guide);
  return (
    <div
      className={cx("prose arrive", guide && "guide", hasEndlessWord(text) && "endless")}
      dir={guide ? undefined : "auto"}
    >
      <ReactMarkdown
        remarkPlugins={[[remarkGfm, { singleTilde: false }]]}
        urlTransform={(url) => (guide || SAFE.test(url) ? url : "")}
        components={guide ? guideComponents : answerComponents}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

const shared: Components = {
  a: ({ href, children }) => <OutsideLink href={href}>{children}</OutsideLink>,
  // Fetching it would tell its host who looks at which answer, and when.
  img: ({ alt, src }) => <Withheld what={alt || "picture"} from={typeof src === "string" ? src : ""} />,
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const code = String(children ?? "");
    const language = /language-(\S+)/.exec(className ?? "")?.[1];
    if (language === undefined && !code.includes("\n")) return <code>{children}</code>;
    const folded = language === undefined ? undefined : FOLDED[language];
    if (folded !== undefined) return <Folded title={folded} text={code} />;
    return <CodeBlock code={code} language={language} />;
  },
  input: ({ checked }) => <span aria-hidden="true">{checked ? "☑ " : "☐ "}</span>,
};
const guideComponents: Components = {
  ...shared,
  a: GuideLink,
  h2: ({ children }) => <h2 id={anchorOf(children)}>{children}</h2>,
  h3: ({ children }) => <h3 id={anchorOf(children)}>{children}</h3>,
};

const wordsOf = (node: ReactNode): string =>
  typeof node === "string" || typeof node === "number"
    ? String(node)
    : Array.isArray(node)
      ? node.map(wordsOf).join("")
      : isValidElement<{ children?: ReactNode }>(node)
        ? wordsOf(node.props.children)
        : "";
const anchorOf = (heading: ReactNode) => toAnchor(wordsOf(heading));
/** What a heading in an answer is called must not stand among the page's own. */
const answerComponents: Components = {
  ...shared,
  h1: (props) => <Heading {...props} />,
  h2: (props) => <Heading {...props} />,
  h3: (props) => <Heading {...props} />,
  h4: (props) => <Heading {...props} />,
  h5: (props) => <Heading {...props} />,
  h6: (props) => <Heading {...props} />,
};

function Heading({ children }: ComponentProps<"h3"> & { node?: unknown }) {
  return <p className="font-semibold">{children}</p>;
}

function OutsideLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  if (href === undefined || !SAFE.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className="link" title={href}>
      {children}
    </a>
  );
}

function Withheld({ what, from }: { what: string; from: string }) {
  const host = URL.parse(from, "https://nowhere.invalid")?.host;
  return (
    <span className="inline-flex items-center gap-2 border border-dashed border-edge rounded-sm px-2 text-14 text-ink-2 max-w-full">
      <span className="truncate">{what}</span>
      <span className="text-12 text-ink-3 whitespace-nowrap">
        not loaded{host && host !== "nowhere.invalid" ? ` from ${host}` : ""}
      </span>
    </span>
  );
}

function lineCount(text: string): string {
  const lines = text.trim().split("\n").length;
  return lines === 1 ? "1 line" : `${lines} lines`;
}

function Folded({ title, text }: { title: string; text: string }) {
  return (
    <details className="border border-line rounded-md bg-sheet">
      <summary className="px-3 py-2 text-14 text-ink-2 font-semibold">
        {title} <span className="text-12 text-ink-3 font-normal font-mono">{lineCount(text)}</span>
      </summary>
      <pre className="px-3 pb-3 text-14 font-mono whitespace-pre-wrap">{text.trim()}</pre>
    </details>
  );
}

/** Guides name each other by file. */
function GuideLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  const guide = /^(?:\.\/)?([a-z-]+)\.md(?:#.*)?$/.exec(href ?? "")?.[1];
  if (guide !== undefined) {
    return (
      <Link to="/docs/$slug" params={{ slug: guide }} className="link">
        {children}
      </Link>
    );
  }
  return <OutsideLink href={href}>{children}</OutsideLink>;
}
