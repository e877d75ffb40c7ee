import * as z from "zod";

/** Longest URL that is kept; no server is expected to take a longer request line. */
const URL_MAX_LENGTH = 2048;

/**
 * The URL of a push agent, as far as its text decides: absolute, http or https, no user or password in it (fetch
 * refuses those only at delivery, long after registration). Where it leads is for the arena to judge, at each
 * connection.
 */
export const agentUrlSchema = z
  .string()
  .max(URL_MAX_LENGTH)
  .superRefine((text, context) => {
    const fault = URL.canParse(text) ? faultOf(new URL(text)) : "must be an absolute URL";
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });

/** One field under its three names: the documents of the two dialects do not agree on how it is called. */
export const agentUrlFields = {
  webhook_url: z.string().nullish(),
  endpoint_url: z.string().nullish(),
  endpointUrl: z.string().nullish(),
};

/** The names under which the URL of an agent is accepted. */
const NAMES = ["webhook_url", "endpoint_url", "endpointUrl"] as const;

/**
 * Finds the one URL that a request gives, reporting a bad one and two different ones under the name that was used.
 *
 * @returns undefined when none is given; empty and null count as not given
 */
export function readAgentUrl(
  fields: { [name in (typeof NAMES)[number]]?: string | null | undefined },
  report: (field: string, detail: string) => void,
): string | undefined {
  const given = NAMES.filter((name) => (fields[name] ?? "") !== "");
  const [first, ...others] = given;
  if (first === undefined) return undefined;
  const url = fields[first] as string;
  const clash = others.find((name) => fields[name] !== url);
  if (clash !== undefined) report(clash, `differs from ${first}; both name the same field`);
  const parsed = agentUrlSchema.safeParse(url);
  for (const issue of parsed.error?.issues ?? []) report(first, issue.message);
  return url;
}

function faultOf(url: URL): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must be an https or http URL";
  if (url.username !== "" || url.password !== "") return "must not hold a user or password";
  return undefined;
}
