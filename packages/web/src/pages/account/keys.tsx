import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post, remove } from "../../api/call.ts";
import { api } from "../../api/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ProblemNotice } from "../../ui/notice.tsx";
import { SkeletonText } from "../../ui/skeleton.tsx";
import { Day } from "../../ui/when.tsx";
import { NewKey } from "./new-key.tsx";

/** The keys of an account by number and age. The keys themselves nobody can show again. */
export function Keys({ present }: { present: number | null }) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(api("/api/account/keys"));
  const [asked, setAsked] = useState<number>();
  const make = useMutation({
    mutationFn: () => post("/api/account/keys"),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["/api/account/keys"] }),
  });
  const drop = useMutation({
    mutationFn: (id: number) => remove("/api/account/keys/{key_id}", { path: { key_id: id } }),
    onSuccess: async () => {
      setAsked(undefined);
      await queries.invalidateQueries();
    },
  });
  if (make.data) return <NewKey apiKey={make.data.api_key} onKept={make.reset} />;
  return (
    <div className="grid gap-3">
      {error && <ProblemNotice error={error} retry={refetch} />}
      {data === undefined && !error && <SkeletonText lines={2} />}
      <ul>
        {data?.items.map((key) => (
          <li key={key.id} className="flex items-center gap-4 min-h-10 border-b border-line text-14">
            <span className="font-mono">#{key.id}</span>
            <span className="text-ink-3">
              made <Day at={key.created_at} />
            </span>
            {key.id === present && <b className="bg-marker text-on-marker px-1.5 rounded-sm text-12">this session</b>}
            <Button
              look="quiet"
              small
              className="ml-auto"
              disabled={data.total === 1}
              title={data.total === 1 ? "Your last key: make another first" : undefined}
              onClick={() => setAsked(key.id)}
            >
              Remove<span className="sr-only"> key {key.id}</span>
            </Button>
          </li>
        ))}
      </ul>
      {make.error && <ProblemNotice error={make.error} />}
      <div>
        <Button onClick={() => make.mutate()} busy={make.isPending && "Making it…"}>
          Make a further key
        </Button>
      </div>
      <Dialog
        open={asked !== undefined}
        onOpenChange={(open) => !open && setAsked(undefined)}
        title={`Remove key ${asked ?? ""}?`}
      >
        <p>
          It stops working at once, and so does every session that was begun with it
          {asked === present ? ", this one too: you will be signed out." : "."}
        </p>
        {drop.error && (
          <div className="mt-3">
            <ProblemNotice error={drop.error} />
          </div>
        )}
        <div className="flex gap-2 mt-5">
          <Button
            look="danger"
            busy={drop.isPending && "Removing…"}
            onClick={() => asked !== undefined && drop.mutate(asked)}
          >
            Remove it
          </Button>
          <Button onClick={() => setAsked(undefined)}>Keep it</Button>
        </div>
      </Dialog>
    </div>
  );
}
