import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";

interface Done {
  text: ReactNode;
  /** Takes it back; what is said then. */
  undo?: { name: string; run: () => Promise<unknown>; said: ReactNode } | undefined;
}

/** What was done last, with the way back where there is one. */
export function useDone() {
  const [done, setDone] = useState<Done>();
  const [failure, setFailure] = useState<unknown>();
  const queries = useQueryClient();
  const undo = useMutation({
    mutationFn: () => done?.undo?.run() ?? Promise.resolve(),
    onSuccess: async () => {
      setDone((before) => ({ text: before?.undo?.said ?? "Taken back." }));
      await queries.invalidateQueries();
    },
  });
  const failed = failure !== undefined && (
    <div className="mb-4">
      <ProblemNotice error={failure} />
    </div>
  );
  const said = done && (
    <div role="status" className="mb-4 grid gap-2">
      <Notice
        tone="good"
        word="Done"
        action={
          <span className="flex gap-2">
            {done.undo && (
              <Button small onClick={() => undo.mutate()} busy={undo.isPending && "Taking it back…"}>
                {done.undo.name}
              </Button>
            )}
            <Button small look="quiet" onClick={() => setDone(undefined)}>
              Close
            </Button>
          </span>
        }
      >
        {done.text}
      </Notice>
      {undo.error && <ProblemNotice error={undo.error} />}
    </div>
  );
  return {
    notice: (
      <>
        {failed}
        {said}
      </>
    ),
    /** Does something that no dialog asks about, and shows it here when it fails. */
    attempt: async (work: () => Promise<unknown>) => {
      setFailure(undefined);
      try {
        await work();
      } catch (error) {
        setFailure(error);
      }
    },
    /** Says what was done, and has every list asked for again. */
    say: async (next: Done) => {
      undo.reset();
      setFailure(undefined);
      setDone(next);
      await queries.invalidateQueries();
    },
  };
}
