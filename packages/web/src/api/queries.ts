import { QueryCache, QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { type Answer, addressOf, get, type Params, type PathOf } from "./call.ts";
import { connectionState, onConnectionChange } from "./connection.ts";
import { onOtherTab } from "./other-tabs.ts";
import { ApiProblem, ConnectionLost } from "./problem.ts";

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    // A session that ended (its time was up, its key is another) shows by a refusal: the page then asks who it is.
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiProblem && error.status === 401) {
          void client.invalidateQueries({ queryKey: sessionQuery.queryKey });
        }
      },
    }),
    defaultOptions: {
      queries: {
        // The browser's word on being online is no proof; our own calls find out.
        networkMode: "always",
        staleTime: 10_000,
        retry: (count, error) => !(error instanceof ApiProblem && error.status < 500) && count < 2,
        refetchOnWindowFocus: true,
      },
      mutations: { networkMode: "always" },
    },
  });
  onOtherTab(() => void client.invalidateQueries({ queryKey: sessionQuery.queryKey }));
  onConnectionChange(() => {
    if (connectionState() === "reached") void client.invalidateQueries();
  });
  return client;
}

/** A call whose answer a page shows. Its key is its address, so that what changed can be named by it. */
export function api<P extends PathOf<"get">>(path: P, params?: Params) {
  return queryOptions({
    queryKey: [addressOf(path, params)],
    queryFn: ({ signal }): Promise<Answer<P>> => get(path, params, signal),
  });
}

/** Asks again while the tab is looked at; a hidden one asks nothing. */
export function live<Options extends object>(options: Options, everyMs: number) {
  return {
    ...options,
    refetchInterval: (query: { state: { error: unknown } }) =>
      query.state.error instanceof ConnectionLost ? everyMs * 2 : everyMs,
    refetchIntervalInBackground: false,
  };
}

export const sessionQuery = queryOptions({
  queryKey: [addressOf("/api/session")],
  queryFn: ({ signal }): Promise<Answer<"/api/session">> => get("/api/session", undefined, signal),
  staleTime: 60_000,
});

/** Who is signed in: undefined while that is not known, null when nobody is. */
export function useAccount() {
  const { data } = useQuery(sessionQuery);
  return data === undefined ? undefined : data.account;
}

/** Whether this browser has the operator's session; undefined while that is not known. */
export function useOperator(): boolean | undefined {
  const { data } = useQuery(sessionQuery);
  return data === undefined ? undefined : data.operator !== null;
}

/** The ids of the agents of who is signed in; undefined while that is not known. */
export function useOwnAgents() {
  const account = useAccount();
  const { data } = useQuery({ ...api("/api/account"), enabled: account !== undefined && account !== null });
  if (account === null) return [];
  return data?.agents;
}
