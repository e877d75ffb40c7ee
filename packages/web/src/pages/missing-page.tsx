import type { ErrorComponentProps } from "@tanstack/react-router";
import { Button, ButtonLink } from "../ui/button.tsx";
import { ProblemNotice } from "../ui/notice.tsx";
import { PageHead, useTitle } from "../ui/page-head.tsx";

/** There is nothing at this address. */
export function MissingPage({ what }: { what?: string }) {
  useTitle("Not found");
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title={what ?? "There is nothing at this address"} over={<span className="font-mono">404</span>}>
        It may have been mistyped, or it was never here. Prompts and battles can be read once their prompt has closed.
      </PageHead>
      <div className="flex gap-2 flex-wrap">
        <ButtonLink to="/">To the ladder</ButtonLink>
        <ButtonLink to="/battles">To the battles</ButtonLink>
      </div>
    </div>
  );
}

/** The page itself failed. */
export function FailedPage({ error, reset }: ErrorComponentProps) {
  useTitle("Failed");
  return (
    <div className="gutter mx-auto max-w-[84rem]">
      <PageHead title="This page failed" />
      <ProblemNotice error={error} retry={reset} />
      <div className="mt-4">
        <Button onClick={() => location.reload()}>Load it again</Button>
      </div>
    </div>
  );
}
