import { ArenaError, requestArena } from "@agon/agent";
import { accountSchema, SIGNATURE_WINDOW_SECONDS, versionSchema } from "@agon/protocol";
import { formatDuration } from "../duration.ts";
import { bad, type Finding, good, warn } from "./finding.ts";

/** `Date` headers have whole seconds, and the way there takes its time: less than this is no difference. */
const SKEW_NOTICED_SECONDS = 5;

const CALL_MS = 10_000;

/** Whether the arena is there, whether its clock and this one agree, and whether secrets travel unread. */
export async function checkArena(baseUrl: string): Promise<{ findings: Finding[]; isThere: boolean }> {
  const begun = Date.now();
  try {
    const { body, headers } = await requestArena({ baseUrl, path: "/api/version", timeoutMs: CALL_MS });
    const ended = Date.now();
    const version = versionSchema.pick({ version: true }).safeParse(body);
    if (!version.success)
      return { findings: [bad("Arena", `${baseUrl} answers, but not as an arena`)], isThere: false };
    const there = good(
      "Arena",
      `${baseUrl}, version ${version.data.version}, answers in ${formatDuration(ended - begun)}`,
    );
    const clock = checkClock(headers.get("date"), (begun + ended) / 2);
    return { findings: [there, ...checkTransport(baseUrl), ...clock], isThere: true };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { findings: [bad("Arena", message)], isThere: false };
  }
}

function checkTransport(baseUrl: string): Finding[] {
  const { protocol, hostname } = new URL(baseUrl);
  const isNear = /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
  if (protocol === "https:" || isNear) return [];
  return [warn("Arena", "plain http: anyone on the way can read the keys", "Use the arena's https address.")];
}

/** @param header the arena's time; absent behind some proxies */
export function checkClock(header: string | null, nowMs: number): Finding[] {
  const there = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(there)) return [];
  // On average half of the second is over when it is written.
  const aheadSeconds = Math.round((nowMs - there - 500) / 1_000);
  const skew = Math.abs(aheadSeconds);
  if (skew < SKEW_NOTICED_SECONDS) return [good("Clock", "agrees with the arena's")];
  const direction = aheadSeconds > 0 ? "ahead of" : "behind";
  const detail = `this machine's clock is ${formatDuration(skew * 1_000)} ${direction} the arena's`;
  const advice = "Switch time synchronisation on.";
  if (skew <= SIGNATURE_WINDOW_SECONDS) return [warn("Clock", detail, advice)];
  return [bad("Clock", `${detail}, so signatures with a time in them are refused`, advice)];
}

/** Whether the account's key is there and valid. */
export async function checkAccount(baseUrl: string, apiKey: string | undefined): Promise<Finding> {
  const advice = `agon login --api-key KEY --base-url ${baseUrl}`;
  if (apiKey === undefined) return warn("Account", `no key is stored for ${baseUrl}`, `agon init, or ${advice}`);
  const headers = { authorization: `Bearer ${apiKey}` };
  try {
    const { body } = await requestArena({ baseUrl, path: "/api/account", headers, timeoutMs: CALL_MS });
    const account = accountSchema.pick({ username: true }).safeParse(body);
    return good("Account", account.success ? account.data.username : "the key is valid");
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isRefused = error instanceof ArenaError && error.kind === "refused";
    return isRefused ? bad("Account", `the key is not valid: ${message}`, advice) : warn("Account", message);
  }
}
