import { lazy, Suspense } from "react";
import { CopyButton } from "./copy-button.tsx";

const Highlighted = lazy(() => import("./highlighted.tsx"));
/** Beyond this colours are not worth the wait. */
const HIGHLIGHT_MOST = 30_000;

/** Code as it is, coloured once the colours have come. A wide line scrolls in its own box. */
export function CodeBlock({
  code,
  language,
  copy = true,
}: {
  code: string;
  language?: string | undefined;
  copy?: boolean;
}) {
  const text = code.replace(/\n$/, "");
  const isColoured = language !== undefined && text.length <= HIGHLIGHT_MOST;
  return (
    <div className="relative border border-line rounded-md bg-sunk group">
      {copy && (
        <span className="absolute right-2 top-2">
          <CopyButton text={text} what="the code" />
        </span>
      )}
      <pre
        tabIndex={0}
        role="region"
        aria-label={language ? `Code, ${language}` : "Code"}
        className="overflow-x-auto px-4 py-3 pr-20 text-14 font-mono leading-normal"
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
    </div>
  );
}
