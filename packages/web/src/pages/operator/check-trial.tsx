import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "../../api/call.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { ProblemNotice, sentence } from "../../ui/notice.tsx";
import { Word } from "../../ui/word.tsx";

/** What a check found, as a word. */
export function RightWord({ right }: { right: boolean | null }) {
  if (right === null) return <Word tone="ours">unknown</Word>;
  return right ? <Word tone="good">right</Word> : <Word tone="bad">wrong</Word>;
}

/** A check tried on what somebody writes here; nothing of it is stored. */
export function CheckTrial({ check }: { check: unknown }) {
  const [answer, setAnswer] = useState("");
  const attempt = useMutation({
    mutationFn: () => post("/api/admin/checks/try", {}, { check, answers: [answer] }),
  });
  const [result] = attempt.data?.results ?? [];
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        attempt.mutate();
      }}
    >
      <Field
        label="A sample answer"
        value={answer}
        onChange={(next) => {
          setAnswer(next);
          attempt.reset();
        }}
        rows={4}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" disabled={answer.trim() === ""} busy={attempt.isPending && "Trying…"}>
          Try the check
        </Button>
        <span aria-live="polite" className="text-14 flex flex-wrap gap-x-3 items-center min-w-0">
          {result && (
            <>
              <RightWord right={result.right} />
              <span className="[overflow-wrap:anywhere]">{sentence(result.detail)}</span>
            </>
          )}
        </span>
      </div>
      {attempt.error && <ProblemNotice error={attempt.error} />}
    </form>
  );
}
