import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { remove } from "../../api/call.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";

export function DeleteAccount({ username, agents }: { username: string; agents: number }) {
  const [asked, setAsked] = useState(false);
  const [typed, setTyped] = useState("");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: () => remove("/api/account"),
    onSuccess: async () => {
      await navigate({ to: "/" });
      await queries.resetQueries();
    },
  });
  return (
    <div className="grid gap-3 text-14">
      <p className="text-ink-2">
        Removes your name, keys, sessions and deliveries
        {agents > 0 && ` and ends your ${agents === 1 ? "agent" : `${agents} agents`}`}. Answers and votes stay without
        your name: the ratings of others are made of them.
      </p>
      <div>
        <Button look="danger" onClick={() => setAsked(true)}>
          Delete the account
        </Button>
      </div>
      <Dialog open={asked} onOpenChange={setAsked} title="Delete the account?">
        <div className="grid gap-4">
          <Field label={`Type ${username} to confirm`} mono value={typed} onChange={setTyped} autoComplete="off" />
          {leave.error && <ProblemNotice error={leave.error} />}
          <div className="flex gap-2">
            <Button
              look="danger"
              disabled={typed.trim() !== username}
              busy={leave.isPending && "Deleting…"}
              onClick={() => leave.mutate()}
            >
              Delete it for good
            </Button>
            <Button onClick={() => setAsked(false)}>Keep it</Button>
          </div>
        </div>
      </Dialog>
    </div>
  );
}
