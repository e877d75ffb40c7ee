import { lazy, Suspense } from "react";
import { CopyButton } from "./copy-button.tsx";

const Highlighted = lazy(() => import("./highlighted.tsx"));
/** Beyond this colours are not worth the wait. */
const HIGHLIGHT_MOST = 30_000;

/** Code as it is, coloured once the colours have come. A wide line scrolls in its own box. */
export function CodeBlock({
  code,
  language,
  name = "Code",
}: {
  code: string;
  language?: string | undefined;
  /** What it is, for who hears the page. */
  name?: string;
}) {
  const text = code.replace(/\n$/, "");
  const isColoured = language !== undefined && text.length <= HIGHLIGHT_MOST;
  return (
    <div className="min-w-0 border border-line rounded-md bg-sunk">
      <div className={language === undefined ? "flex items-start" : ""}>
        {language !== undefined && (
          <div className="flex items-center justify-between gap-4 border-b border-line pl-4 pr-1.5 h-9">
            <span className="label font-mono truncate">{language}</span>
            <CopyButton text={text} what="the code" />
          </div>
        )}
        <pre
          tabIndex={0}
          role="group"
          aria-label={language ? `${name}, ${language}` : name}
          className="overflow-x-auto px-4 py-3 text-14 font-mono leading-normal flex-1 min-w-0"
        >
          <code>
            {isColoured ? (
              <Suspense fallback={text}>
                <Highlighted code={text} language={language} />
              </Suspense>
            ) : (
              text
            )}
          </code>
        </pre>
        {language === undefined && <CopyButton text={text} what="this" className="m-2" />}
      </div>
    </div>
  );
}
