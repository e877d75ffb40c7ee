import { queryOptions } from "@tanstack/react-query";
import { ConnectionLost } from "../../api/problem.ts";

export interface Guide {
  slug: string;
  title: string;
  about: string;
}

/** A file of this arena as text; undefined when it is not there. */
export async function readText(address: string): Promise<string | undefined> {
  const answer = await fetch(address).catch(() => {
    throw new ConnectionLost();
  });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.text();
}

export const guidesQuery = queryOptions({
  queryKey: ["/docs/index.json"],
  queryFn: async (): Promise<Guide[]> => JSON.parse((await readText("/docs/index.json")) ?? "[]"),
  staleTime: Number.POSITIVE_INFINITY,
});

export const guideQuery = (slug: string) =>
  queryOptions({
    queryKey: [`/docs/${slug}.md`],
    queryFn: async () => (await readText(`/docs/${encodeURIComponent(slug)}.md`)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
