import {
  buildDispatchRequest,
  buildHandshakeRequest,
  buildProbeDispatch,
  judgeTampered,
  type ProbeExchange,
  type ProbeRequest,
  type ProbeStep,
  probeDispatch,
  probeHandshake,
  probeLiveness,
  probeSimulation,
  probeTamperedDispatch,
  signedHeaders,
} from "@agon/probes";
import {
  EDGEARENA_SIGNATURE_HEADER,
  EDGEARENA_TIMESTAMP_HEADER,
  EDGEARENA_USER_AGENTS,
  type Role,
} from "@agon/protocol";
import { type CheckFinding, failed, fromStep, passed, skipped } from "./check-finding.ts";
import type { CheckPorts, CheckRequest } from "./plain-fetch.ts";

/** What is checked. */
export interface EdgearenaTarget {
  readonly url: string;
  readonly roles: readonly Role[];
  readonly key?: string | undefined;
  /** By which an arena would call, and sign; the URL itself unless given. */
  readonly publicUrl?: string | undefined;
}

/** A periodic ping waits 4 s; who needs longer than this is close to it, and a cold start is not. */
const SLOW_GET_MS = 1_500;
/** A dispatch may have half a megabyte; some servers read a hundred kilobytes unless they are told otherwise. */
const LARGE_BODY_BYTES = 500_000;
const TOO_LARGE_BODY_BYTES = 1_200_000;
const STALE_SECONDS = 301;
/** A timestamp ahead of time comes nearer while the request is under way; on a busy machine that may take a while. */
const FUTURE_SECONDS = 360;
const QUICK_MS = 10_000;
/** Proxies take a part or two off a path. */
const STRIPPED_MAX = 5;

/** Checks an endpoint of edgearena-v1 as an activation does, and further. Findings come one by one. */
export async function* checkEdgearena(ports: CheckPorts, target: EdgearenaTarget): AsyncGenerator<CheckFinding> {
  const { url, roles, key } = target;
  const liveness = await probeLiveness(ports, { url, kind: "verify" });
  yield judgeSpeed(liveness);
  if (liveness.failureCode !== null && liveness.received === null) {
    yield skipped("everything else", "The endpoint is not there.");
    return;
  }
  yield checkMethod(await send(ports, url, { method: "PUT", body: "{}" }));
  yield fromStep(await probeHandshake(ports, { url }));
  yield checkRefused(
    "malformed-json",
    await send(ports, url, { body: '{"type":"handshake",' }),
    "Answer 400 to a body that is not JSON.",
  );
  yield checkRefused(
    "unknown-body",
    await send(ports, url, { body: '{"hello":"world"}' }),
    "Answer 400 to a body that is none of the four requests.",
  );
  yield checkLarge(await send(ports, url, { body: padded(ports, url, LARGE_BODY_BYTES) }));
  yield checkTooLarge(await send(ports, url, { body: padded(ports, url, TOO_LARGE_BODY_BYTES) }));
  for (const role of roles) yield checkSchema(await probeSimulation(ports, { url, role }));
  if (key === undefined) {
    yield skipped("signed requests", "Pass --key to check signatures too.");
    return;
  }
  yield* checkSigned(ports, { ...target, key });
}

async function* checkSigned(
  ports: CheckPorts,
  target: EdgearenaTarget & { key: string },
): AsyncGenerator<CheckFinding> {
  const { key, roles, url, publicUrl } = target;
  // An arena signs the public address, while the request may reach the agent by another one: that is what a proxy does.
  const signedUrl = publicUrl ?? url;
  const signedPorts: CheckPorts = { ...ports, fetch: (request) => ports.fetch({ ...request, url }) };
  const role = roles[0] as Role;
  const input = { url: signedUrl, key, role };
  // Whoever knows another URL than was signed refuses everything that is signed: that is one fault, and not the key's.
  const explain = async ({ errorCode }: ProbeStep) =>
    errorCode === "key-missing" ? explainUrl(signedPorts, input, url) : undefined;
  for (const each of roles) {
    const step = await probeSimulation(signedPorts, { ...input, role: each });
    const mistaken = await explain(step);
    yield mistaken ?? fromStep(step);
    if (mistaken !== undefined) return;
  }
  const dispatch = await probeDispatch(signedPorts, input);
  const mistaken = await explain(dispatch);
  if (mistaken !== undefined) {
    yield mistaken;
    return;
  }
  yield dispatch.ok ? checkSchema(dispatch) : fromStep(dispatch);
  if (!dispatch.ok) {
    yield skipped("forged dispatches", "The dispatch has to pass first.");
    return;
  }
  yield fromStep(await probeTamperedDispatch(signedPorts, input));

  const forge = async (check: string, change: (headers: Record<string, string>) => Record<string, string>, age = 0) => {
    const { request } = buildSigned(ports, target, signedUrl, role, age);
    const exchange = await signedPorts.fetch({ ...request, headers: change({ ...request.headers }) });
    const finding = judgeTampered(exchange, request.deadlineMs);
    const latencyMs = Math.round(exchange.timings.total);
    if (finding.ok) return passed(check, `It was refused with ${exchange.status}.`, latencyMs);
    const isTaken = finding.errorCode === "tampered-accepted";
    return failed(
      check,
      isTaken ? "accepted" : "status",
      `It answered ${exchange.status ?? "nothing"}.`,
      FORGED_FIX[check] as string,
      latencyMs,
    );
  };
  yield await forge("unsigned-dispatch", ({ [EDGEARENA_SIGNATURE_HEADER]: _, ...headers }) => headers);
  yield await forge("undated-dispatch", ({ [EDGEARENA_TIMESTAMP_HEADER]: _, ...headers }) => headers);
  yield await forge("stale-dispatch", (headers) => headers, STALE_SECONDS);
  yield await forge("future-dispatch", (headers) => headers, -FUTURE_SECONDS);
  yield await forge("wrong-key", (headers) => ({
    ...headers,
    [EDGEARENA_SIGNATURE_HEADER]: `sha256=${"0".repeat(64)}`,
  }));
  yield await forge("short-signature", (headers) => ({ ...headers, [EDGEARENA_SIGNATURE_HEADER]: "sha256=abc" }));
  yield* checkRepeat(signedPorts, target, signedUrl, role);
}

const FORGED_FIX: Record<string, string> = {
  "unsigned-dispatch": "Answer 401 to a dispatch without x-edgearena-signature, before any work.",
  "undated-dispatch": "Answer 401 to a dispatch without x-edgearena-timestamp, before any work.",
  "stale-dispatch": "Answer 401 when the timestamp is more than 300 s old: whoever saw a request could send it again.",
  "future-dispatch": "Answer 401 when the timestamp is more than 300 s ahead; the window goes both ways.",
  "wrong-key": "Compare the signature with one that you compute yourself, and answer 401 when they differ.",
  "short-signature": "Answer 401 to a signature of another length; some comparisons throw there, which ends in a 500.",
};

/**
 * A body that is spelled as no library writes it, sent twice under one task id: first it shows whether the signature is
 * checked over the bytes as they came, then what a repeat costs.
 */
async function* checkRepeat(
  ports: CheckPorts,
  target: EdgearenaTarget & { key: string },
  signedUrl: string,
  role: Role,
): AsyncGenerator<CheckFinding> {
  const { request, sign } = buildSigned(ports, target, signedUrl, role, 0);
  const body = (request.body as string).replace(/^\{/, '{"10": 0, "9": 1E2, "x": 1.0, "z": "\\u00e9\\/", ');
  const first = await ports.fetch({ ...request, body, headers: sign(body) });
  const latencyMs = Math.round(first.timings.total);
  if (first.status === 401) {
    const detail = "It refused a rightly signed body with numbers and escapes that are spelled in an unusual way.";
    yield failed(
      "raw-bytes",
      "reserialized",
      detail,
      "Verify over the raw bytes of the body, captured before any JSON parser.",
      latencyMs,
    );
    return;
  }
  if (!first.ok || first.status < 200 || first.status >= 300) {
    const fix = "Accept unknown fields, and look into the agent's log.";
    yield failed(
      "raw-bytes",
      "refused",
      `It answered ${first.status ?? "nothing"} to more fields than it knows.`,
      fix,
      latencyMs,
    );
    return;
  }
  yield passed("raw-bytes", "The signature is verified over the bytes as they came.", latencyMs);
  const second = await ports.fetch({ ...request, body, headers: sign(body) });
  yield judgeRepeat(first, second);
}

function judgeRepeat(first: ProbeExchange & { ok: true }, second: ProbeExchange): CheckFinding {
  const latencyMs = Math.round(second.timings.total);
  if (second.status === 409)
    return passed("repeated-task", "A task id that was seen before is answered 409.", latencyMs);
  const isSame = second.ok && second.status === first.status && Buffer.compare(first.body, second.body) === 0;
  // A model that is asked again takes its time again; a stored answer is there at once.
  const isReworked = latencyMs > 1_000 && second.timings.total > first.timings.total / 2;
  if (isSame && !isReworked) return passed("repeated-task", "A repeated task gets the answer that it had.", latencyMs);
  const detail = isSame
    ? "It took as long for a repeated task as for a new one."
    : "It gave a repeated task another answer.";
  return failed(
    "repeated-task",
    "reworked",
    detail,
    "Keep answers by taskId, or answer 409: each repeat costs a model call.",
    latencyMs,
  );
}

function buildSigned(
  ports: CheckPorts,
  { key }: { key: string },
  signedUrl: string,
  role: Role,
  ageSeconds: number,
): { request: ProbeRequest; sign: (body: string) => Record<string, string> } {
  const payload = buildProbeDispatch(role, ports.newId);
  const signing = { url: signedUrl, key, nowMs: ports.now() - ageSeconds * 1000 };
  const sign = (body: string) => signedHeaders({ ...signing, nowMs: ports.now() }, payload.taskId, body);
  return { request: buildDispatchRequest(payload, signing, false), sign };
}

/**
 * Whether it is the public URL that the agent lacks, and not the key: then something passes that is signed for the URL as
 * it arrives. That is the one it is reached by, or one whose path a proxy has taken the beginning off.
 *
 * @param url by which it is reached
 */
async function explainUrl(
  ports: CheckPorts,
  input: { url: string; key: string; role: Role },
  url: string,
): Promise<CheckFinding | undefined> {
  const tell = ({ latencyMs }: ProbeStep, code: string, seen: string, fix: string) => {
    const detail = `It accepts what is signed for ${seen}, but not what is signed for ${input.url}.`;
    return failed("public-url", code, detail, fix, latencyMs);
  };
  const tellUrl = `Tell the agent its public URL, ${input.url}`;
  if (url !== input.url) {
    const local = await probeDispatch(ports, { ...input, url });
    if (local.ok) {
      const why = "behind a proxy that changes host or path, it sees another one than was signed.";
      return tell(local, "not-used", url, `${tellUrl}: ${why}`);
    }
  }
  for (const stripped of strippedUrls(input.url)) {
    const step = await probeDispatch(ports, { ...input, url: stripped });
    if (!step.ok) continue;
    const why = "A proxy takes the beginning of the path off, and the whole path is signed.";
    return tell(step, "prefix-stripped", stripped, `${tellUrl}, or have the proxy pass the whole path on. ${why}`);
  }
  return undefined;
}

/** A URL with less and less of its path, as a proxy passes it on. */
function strippedUrls(url: string): string[] {
  const { origin, pathname } = new URL(url);
  const starts = [...pathname.matchAll(/\//g)].map(({ index }) => index).slice(1, STRIPPED_MAX);
  const paths = new Set([...starts.map((at) => pathname.slice(at)), "/"]);
  paths.delete(pathname);
  return [...paths].map((path) => origin + path);
}

function judgeSpeed(step: ProbeStep): CheckFinding {
  const finding = fromStep(step);
  if (!step.ok || (step.latencyMs ?? 0) <= SLOW_GET_MS) return finding;
  const fix = "Answer GET without the model or other services, and keep the platform warm; 4 s are the limit.";
  return failed("liveness", "slow", `GET took ${step.latencyMs} ms.`, fix, step.latencyMs);
}

function checkMethod({ status, timings }: ProbeExchange): CheckFinding {
  const latencyMs = Math.round(timings.total);
  if (status !== undefined && status >= 400 && status < 500) {
    return passed("wrong-method", `PUT is answered ${status}.`, latencyMs);
  }
  const fix = "Answer 405 to every method but GET, HEAD and POST.";
  return failed("wrong-method", "accepted", `PUT is answered ${status ?? "with nothing"}.`, fix, latencyMs);
}

function checkRefused(check: string, { status, timings }: ProbeExchange, fix: string): CheckFinding {
  const latencyMs = Math.round(timings.total);
  if (status !== undefined && status >= 400 && status < 500)
    return passed(check, `It is answered ${status}.`, latencyMs);
  const fault = status !== undefined && status < 400 ? "accepted" : "error";
  return failed(check, fault, `It is answered ${status ?? "with nothing"}.`, fix, latencyMs);
}

function checkLarge({ status, timings }: ProbeExchange): CheckFinding {
  const latencyMs = Math.round(timings.total);
  if (status !== undefined && status >= 200 && status < 300)
    return passed("large-body", "Half a megabyte is read.", latencyMs);
  const detail = `A handshake of ${LARGE_BODY_BYTES} bytes is answered ${status ?? "with nothing"}.`;
  return failed(
    "large-body",
    "refused",
    detail,
    "Raise the body limit of the server to 1 MB; many begin at 100 KB.",
    latencyMs,
  );
}

function checkTooLarge(exchange: ProbeExchange): CheckFinding {
  const { status, timings } = exchange;
  const latencyMs = Math.round(timings.total);
  // A server may also close the connection on who sends too much.
  const isClosed = !exchange.ok && ["reset", "network", "truncated"].includes(exchange.code);
  if (isClosed || (status !== undefined && status >= 400 && status < 500)) {
    return passed("too-large-body", `A body over 1 MB is ${isClosed ? "cut off" : `answered ${status}`}.`, latencyMs);
  }
  const detail = `A body of ${TOO_LARGE_BODY_BYTES} bytes is answered ${status ?? "with nothing"}.`;
  const fault = status !== undefined && status < 400 ? "accepted" : "error";
  return failed(
    "too-large-body",
    fault,
    detail,
    "Answer 413 to bodies over 1 MB, so that nobody fills the memory.",
    latencyMs,
  );
}

/** A simulation passes with few fields; a dispatch does not, so what it would be refused for is a finding here. */
function checkSchema(step: ProbeStep): CheckFinding {
  const finding = fromStep(step);
  const complaint = step.ok ? step.notes.find((note) => /with this output:|take this output:/.test(note)) : undefined;
  if (complaint === undefined) return finding;
  const fix = "Have the model write every field of the schema, and put the dispatched candidate_id in yourself.";
  return {
    ...failed(finding.check, "schema", complaint, fix, step.latencyMs),
    notes: step.notes.filter((note) => note !== complaint),
  };
}

/** A handshake of a size. */
function padded(ports: CheckPorts, url: string, bytes: number): string {
  const { body } = buildHandshakeRequest(url, ports.newId());
  return `${body.slice(0, -1)},"padding":"${"x".repeat(bytes - body.length - 13)}"}`;
}

function send(ports: CheckPorts, url: string, change: Partial<CheckRequest>): Promise<ProbeExchange> {
  return ports.fetch({
    url,
    method: "POST",
    headers: { "content-type": "application/json", "user-agent": EDGEARENA_USER_AGENTS.handshake },
    deadlineMs: QUICK_MS,
    maxResponseBytes: 262_144,
    ...change,
  });
}
