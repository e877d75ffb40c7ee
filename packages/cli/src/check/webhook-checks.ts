import type { ProbeExchange, ProbePorts } from "@agon/probes";
import {
  PING_CATEGORY,
  PING_DEADLINE_SECONDS,
  PING_PROMPT_ID,
  PROMPT_DEADLINE_SECONDS,
  pushAnswerSchema,
  signTesserax,
  TESSERAX_SIGNATURE_HEADER,
} from "@agon/protocol";
import { type CheckFinding, failed, passed, skipped } from "./check-finding.ts";

/** The longest prompts that a ladder has, and with them the largest bodies. */
const LONG_PROMPT_BYTES = 100_000;

/** Checks a webhook of the tesserax dialect. Findings come one by one. */
export async function* checkWebhook(
  ports: ProbePorts,
  target: { readonly url: string; readonly secret: string },
): AsyncGenerator<CheckFinding> {
  const { url, secret } = target;
  const send = (body: string, headers: Record<string, string>, deadlineSeconds = PROMPT_DEADLINE_SECONDS) =>
    ports.fetch({
      url,
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "agon-check", ...headers },
      body,
      deadlineMs: deadlineSeconds * 1000,
      maxResponseBytes: 4 * 1024 * 1024,
    });
  const sign = (body: string) => ({ [TESSERAX_SIGNATURE_HEADER]: signTesserax({ secret, body }) });

  const ping = toBody(PING_PROMPT_ID, "ping", PING_CATEGORY, PING_DEADLINE_SECONDS);
  const pinged = judgePing(await send(ping, sign(ping), PING_DEADLINE_SECONDS));
  yield pinged;
  if (!pinged.ok) {
    yield skipped("everything else", "The ping has to pass first.");
    return;
  }
  const forged = "Verify X-Arena-Signature over the raw body before any work, and answer 401 when it does not hold.";
  yield judgeRefused("unsigned", await send(ping, {}), forged);
  yield judgeRefused("tampered", await send(ping.replace('"ping"', '"pong"'), sign(ping)), forged);
  yield judgeRefused("short-signature", await send(ping, { [TESSERAX_SIGNATURE_HEADER]: "abc" }), forged);
  const upper = sign(ping)[TESSERAX_SIGNATURE_HEADER]?.toUpperCase() as string;
  yield judgeUpper(await send(ping, { [TESSERAX_SIGNATURE_HEADER]: upper }, PING_DEADLINE_SECONDS));
  const broken = '{"prompt_id":"1",';
  yield judgeRefused("malformed-json", await send(broken, sign(broken)), "Answer 400 to a body that is not JSON.");

  const id = String(Math.floor(ports.now()));
  const spelled = toBody(id, "Reply with the word café and the number 7. 😀", "check").replace(
    /^\{/,
    '{"x": 1.0, "z": "\\u00e9\\/", ',
  );
  const first = await send(spelled, sign(spelled));
  const prompt = judgePrompt("prompt", first);
  yield prompt;
  if (!prompt.ok || !first.ok) return;
  yield judgeRepeat(first, await send(spelled, sign(spelled)));
  const long = toBody(
    String(Number(id) + 1),
    `Reply with the word yes. ${"x".repeat(LONG_PROMPT_BYTES)}`.slice(0, LONG_PROMPT_BYTES),
    "check",
  );
  yield judgePrompt("long-prompt", await send(long, sign(long)));
}

function toBody(
  prompt_id: string,
  prompt: string,
  category: string,
  deadline_seconds = PROMPT_DEADLINE_SECONDS,
): string {
  return JSON.stringify({ prompt_id, prompt, category, deadline_seconds });
}

function judgePing(exchange: ProbeExchange): CheckFinding {
  const latencyMs = Math.round(exchange.timings.total);
  const { status } = exchange;
  if (!exchange.ok)
    return failed("ping", exchange.code, exchange.detail, "Start the agent, and check the URL.", latencyMs);
  if (status === 401 || status === 403) {
    const fix = "Install the webhook_secret that was shown at registration, and restart the agent.";
    return failed("ping", "secret-missing", `It refused a rightly signed ping with ${status}.`, fix, latencyMs);
  }
  if (exchange.status < 200 || exchange.status >= 300) {
    return failed(
      "ping",
      "non-2xx",
      `It answered ${status}.`,
      "Answer the signed ping with 200 and a JSON object.",
      latencyMs,
    );
  }
  if (readObject(exchange.body) === undefined) {
    return failed(
      "ping",
      "non-json",
      "The answer is no JSON object.",
      "Answer with a JSON object; {} is one.",
      latencyMs,
    );
  }
  return passed("ping", `It answered ${status} with a JSON object.`, latencyMs);
}

function judgeUpper({ status, timings }: ProbeExchange): CheckFinding {
  const latencyMs = Math.round(timings.total);
  const isTaken = status !== undefined && status < 300;
  const detail = isTaken ? "Upper-case hex is accepted." : `Upper-case hex is answered ${status ?? "with nothing"}.`;
  // Arenas send lower case, so this is a remark and no fault.
  return { ...passed("upper-case", detail, latencyMs), notes: isTaken ? [] : ["Hex means the same in either case."] };
}

function judgeRefused(check: string, { status, timings }: ProbeExchange, fix: string): CheckFinding {
  const latencyMs = Math.round(timings.total);
  if (status !== undefined && status >= 400 && status < 500)
    return passed(check, `It is answered ${status}.`, latencyMs);
  const fault = status !== undefined && status < 400 ? "accepted" : "error";
  return failed(check, fault, `It is answered ${status ?? "with nothing"}.`, fix, latencyMs);
}

function judgePrompt(check: string, exchange: ProbeExchange): CheckFinding {
  const latencyMs = Math.round(exchange.timings.total);
  if (!exchange.ok) return failed(check, exchange.code, exchange.detail, "Answer within the deadline.", latencyMs);
  if (exchange.status === 401) {
    const detail = "It refused a rightly signed body that is spelled in an unusual way, or a large one.";
    return failed(
      check,
      "reserialized",
      detail,
      "Verify over the raw bytes, captured before any JSON parser.",
      latencyMs,
    );
  }
  if (exchange.status < 200 || exchange.status >= 300) {
    const fix =
      exchange.status === 413 ? "Accept bodies up to 1 MB." : "Answer 2xx; the agent's log says why it did not.";
    return failed(check, "non-2xx", `It answered ${exchange.status}.`, fix, latencyMs);
  }
  const answer = pushAnswerSchema.safeParse(readObject(exchange.body));
  if (!answer.success || answer.data.response.trim() === "") {
    const fix = 'Answer with { "response": "…" }, a text in which there is something.';
    return failed(check, "no-response", "The answer holds no response.", fix, latencyMs);
  }
  return passed(check, `It answered with ${answer.data.response.length} characters.`, latencyMs);
}

function judgeRepeat(first: ProbeExchange & { ok: true }, second: ProbeExchange): CheckFinding {
  const latencyMs = Math.round(second.timings.total);
  const isSame = second.ok && Buffer.compare(first.body, second.body) === 0;
  if (isSame || second.status === 409)
    return passed("repeated-prompt", "A repeated prompt costs no second answer.", latencyMs);
  // No arena sends a prompt twice; a captured request, sent again by somebody, costs a model call.
  const note = "A repeated prompt got another answer: keep answers by prompt_id, or each replay costs a model call.";
  return { ...passed("repeated-prompt", "A repeated prompt is answered anew.", latencyMs), notes: [note] };
}

function readObject(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
