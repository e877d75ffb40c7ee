import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { addressOf } from "../../api/call.ts";
import { api } from "../../api/queries.ts";
import type { Run } from "./run-words.tsx";

const POLL_MS = 3_000;
const doneIn = (run: Run) => run.phases.flatMap((each) => each.slots).filter((slot) => slot.state === "done").length;

/**
 * A run as it goes on. Its events bring where it stands; what agents wrote is fetched when there is more of it. A hidden
 * tab holds no connection, for a browser has few to one host, and where no stream can be had the run is asked for again.
 */
export function useRun(id: string, enabled: boolean) {
  const queries = useQueryClient();
  const [isStreaming, setStreaming] = useState(false);
  const options = api("/api/runs/{run_id}", { path: { run_id: id } });
  const run = useQuery({
    ...options,
    enabled,
    refetchInterval: ({ state }) =>
      isStreaming || state.data === undefined || state.data.finished_at !== null ? false : POLL_MS,
    refetchIntervalInBackground: false,
  });
  const isOpen = run.data !== undefined && run.data.finished_at === null;
  const key = options.queryKey[0];
  useEffect(() => {
    if (!isOpen) return;
    let source: EventSource | undefined;
    const stop = () => {
      source?.close();
      source = undefined;
      setStreaming(false);
    };
    const take = (event: MessageEvent<string>) => {
      const progress = JSON.parse(event.data) as Run;
      const before = queries.getQueryData<Run>([key]);
      if (before === undefined) return;
      queries.setQueryData<Run>([key], merge(before, progress));
      const isMore = doneIn(progress) !== doneIn(before) || progress.candidates.length !== before.candidates.length;
      if (isMore || progress.finished_at !== null) void queries.invalidateQueries({ queryKey: [key] });
    };
    const start = () => {
      if (source !== undefined || document.hidden) return;
      source = new EventSource(addressOf("/api/runs/{run_id}/events", { path: { run_id: id } }));
      source.addEventListener("open", () => setStreaming(true));
      source.addEventListener("progress", take);
      source.addEventListener("end", stop);
      // Until it is back by itself the run is asked for.
      source.addEventListener("error", () => setStreaming(false));
    };
    const look = () => (document.hidden ? stop() : start());
    document.addEventListener("visibilitychange", look);
    look();
    return () => {
      document.removeEventListener("visibilitychange", look);
      stop();
    };
  }, [isOpen, id, key, queries]);
  return run;
}

/** Events leave out what agents wrote and whose the run is; what was known of these stays. */
function merge(before: Run, progress: Run): Run {
  const known = new Map(before.candidates.map((candidate) => [candidate.id, candidate]));
  return {
    ...progress,
    yours: before.yours,
    candidates: progress.candidates.map((candidate) => {
      const { found = null, plans = [], verifications = [], critiques = [] } = known.get(candidate.id) ?? {};
      return { ...candidate, found, plans, verifications, critiques };
    }),
  };
}
