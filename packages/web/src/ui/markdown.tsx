import { Component, lazy, type ReactNode, Suspense } from "react";
import { unturned } from "../safe-text.ts";
import { cx } from "./class-names.ts";
import { hasEndlessWord } from "./endless-word.ts";

const Rendered = lazy(() => import("./rendered-markdown.tsx"));
/** Larger texts, and those nested deeper, are shown as they are: building their tree would hold the page up. */
const MARKDOWN_MOST = 60_000;
const MARKS = /[[\]()*_`<|!]/g;
/** Reading brackets that never close costs their square: these many are a tenth of a second, ten times as many are ten. */
const MARKS_MOST = 6_000;
const NESTED_DEEP = /^[ \t]*(?:(?:[>*+-]|\d+[.)])[ \t]*){24,}/m;

/** Somebody's Markdown: no HTML of it, nothing fetched for it, no direction turned by it. */
export function Markdown({ text, guide }: { text: string; guide?: boolean }) {
  const shown = unturned(text);
  const plain = <PlainText text={shown} />;
  const isHeavy =
    shown.length > MARKDOWN_MOST || NESTED_DEEP.test(shown) || (shown.match(MARKS)?.length ?? 0) > MARKS_MOST;
  if (isHeavy) return plain;
  return (
    <Fallback fallback={plain}>
      <Suspense fallback={plain}>
        <Rendered text={shown} guide={guide === true} />
      </Suspense>
    </Fallback>
  );
}

export function PlainText({ text }: { text: string }) {
  return <div className={cx("prose whitespace-pre-wrap", hasEndlessWord(text) && "endless")}>{text}</div>;
}

class Fallback extends Component<{ fallback: ReactNode; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
