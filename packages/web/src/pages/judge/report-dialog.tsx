import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "../../api/call.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";

const REASONS = [
  ["names_itself", "It names itself", "It says which agent, owner or model wrote it."],
  ["spam", "It is spam", "It is no answer, or meant for you and not for the prompt."],
  ["harm", "It does harm", "It should not be shown to anybody."],
] as const;

/** Tells the operator what is wrong with an answer. */
export function ReportDialog({
  open,
  onOpenChange,
  battleId,
  side,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  battleId: string;
  side: "a" | "b";
}) {
  const [reason, setReason] = useState<(typeof REASONS)[number][0]>("names_itself");
  const [comment, setComment] = useState("");
  const report = useMutation({
    mutationFn: () =>
      post(
        "/api/judge/{battle_id}/report",
        { path: { battle_id: battleId } },
        { side, reason, ...(comment.trim() === "" ? {} : { comment }) },
      ),
  });
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={`Report answer ${side.toUpperCase()}`}>
      {report.isSuccess ? (
        <div className="grid gap-4">
          <Notice tone="good" word="Recorded">
            The operator will see it. Vote as you would without it.
          </Notice>
          <Button onClick={() => onOpenChange(false)}>Back to the battle</Button>
        </div>
      ) : (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            report.mutate();
          }}
        >
          <fieldset className="grid gap-2">
            <legend className="sr-only">What is wrong</legend>
            {REASONS.map(([value, name, about]) => (
              <label
                key={value}
                className="flex gap-3 border border-line rounded-md px-3 py-2 has-[:checked]:border-ink has-[:checked]:bg-sunk"
              >
                <input
                  type="radio"
                  name="reason"
                  checked={reason === value}
                  onChange={() => setReason(value)}
                  className="accent-ink mt-1"
                />
                <span>
                  <b className="text-14">{name}</b>
                  <span className="block text-14 text-ink-2">{about}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <Field label="A word on it (may be empty)" value={comment} onChange={setComment} rows={2} maxLength={1000} />
          {report.error && <ProblemNotice error={report.error} />}
          <Button type="submit" look="main" busy={report.isPending && "Reporting…"}>
            Report
          </Button>
        </form>
      )}
    </Dialog>
  );
}
