import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";

/** Asks before something is done; by a name that has to be typed where nothing takes it back. */
export function Confirm({
  open,
  onClose,
  title,
  children,
  name,
  act,
  busy,
  run,
}: {
  open: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** What has to be typed. */
  name?: string | undefined;
  act: string;
  busy: string;
  /** Closes the dialog when it resolves. */
  run: () => Promise<unknown>;
}) {
  const [typed, setTyped] = useState("");
  const doing = useMutation({ mutationFn: run, onSuccess: onClose });
  const { reset } = doing;
  useEffect(() => {
    if (open) return;
    setTyped("");
    reset();
  }, [open, reset]);
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={title}>
      <form
        className="grid gap-4 text-14"
        onSubmit={(event) => {
          event.preventDefault();
          doing.mutate();
        }}
      >
        {children}
        {name !== undefined && (
          <Field label={`Type ${name} to confirm`} mono value={typed} onChange={setTyped} autoComplete="off" />
        )}
        {doing.error && <ProblemNotice error={doing.error} />}
        <div className="flex gap-2">
          <Button
            type="submit"
            look="danger"
            disabled={name !== undefined && typed.trim() !== name}
            busy={doing.isPending && busy}
          >
            {act}
          </Button>
          <Button onClick={onClose}>Leave it</Button>
        </div>
      </form>
    </Dialog>
  );
}
