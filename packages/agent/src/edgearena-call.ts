import {
  type DispatchPayload,
  dispatchPayloadSchema,
  EDGEARENA_PROTOCOL,
  EDGEARENA_SIGNATURE_HEADER,
  EDGEARENA_TIMESTAMP_HEADER,
  SIMULATION_TYPE,
  simulationPayloadSchema,
  verifyEdgearena,
} from "@agon/protocol";
import { fromDispatch, fromSimulation, type RoleTask } from "./role-task.ts";
import { parseJsonBody, type ReadHeader, refuse, type WebhookRefusal } from "./webhook-body.ts";

/** What one URL may be asked by POST in edgearena-v1, or a body of the other dialect. */
export type EdgearenaCall =
  | { readonly type: "handshake" }
  | { readonly type: "task"; readonly task: RoleTask; readonly isSigned: boolean }
  | { readonly type: "prompt" };

const SIMULATION_TYPES: readonly unknown[] = Object.values(SIMULATION_TYPE);

/**
 * Tells what a POST asks. A signature is verified over the raw bytes before they are parsed, wherever one is; a dispatch
 * has to have one. Handshakes and simulations come unsigned too: before registration there is no key.
 */
export function readEdgearenaCall(
  body: Uint8Array,
  header: ReadHeader,
  proof: { key: string | undefined; url: string; unixSeconds: number },
): EdgearenaCall | WebhookRefusal {
  const signature = header(EDGEARENA_SIGNATURE_HEADER);
  const timestamp = header(EDGEARENA_TIMESTAMP_HEADER);
  const isSigned = signature !== undefined || timestamp !== undefined;
  const verify = (): WebhookRefusal | undefined => {
    const { key, url, unixSeconds } = proof;
    const verdict = verifyEdgearena({ key, url, timestamp, signature, body, now: unixSeconds });
    return verdict.ok ? undefined : { ...refuse(401, verdict.detail), code: verdict.reason };
  };
  const forged = isSigned ? verify() : undefined;
  if (forged !== undefined) return forged;

  const parsed = parseJsonBody(body);
  if (!parsed.ok) return parsed;
  const { json } = parsed;
  const type = own(json, "type");
  if (type === "handshake") return readHandshake(json);
  if (SIMULATION_TYPES.includes(type)) return readSimulation(json, isSigned);
  if (type === undefined && ["taskId", "runId", "messages"].every((name) => Object.hasOwn(json, name))) {
    return (isSigned ? undefined : verify()) ?? readDispatch(json);
  }
  if (type === undefined && Object.hasOwn(json, "prompt_id")) return { type: "prompt" };
  return refuse(
    400,
    "this body is none of handshake, simulation, dispatch and prompt; look at type, or at taskId, runId and messages",
  );
}

function readHandshake(json: Record<string, unknown>): EdgearenaCall | WebhookRefusal {
  if (own(json, "protocol") === EDGEARENA_PROTOCOL) return { type: "handshake" };
  return refuse(400, `the field protocol has to be "${EDGEARENA_PROTOCOL}"`);
}

function readSimulation(json: Record<string, unknown>, isSigned: boolean): EdgearenaCall | WebhookRefusal {
  const parsed = simulationPayloadSchema.safeParse(json);
  if (parsed.success) return { type: "task", task: fromSimulation(parsed.data), isSigned };
  return refuse(400, `the field ${firstField(parsed.error)} of this simulation is missing or not as it has to be`);
}

function readDispatch(json: Record<string, unknown>): EdgearenaCall | WebhookRefusal {
  const parsed = dispatchPayloadSchema.safeParse(json);
  if (parsed.success) return { type: "task", task: fromDispatch(parsed.data as DispatchPayload), isSigned: true };
  return refuse(400, `the field ${firstField(parsed.error)} of this dispatch is missing or not as it has to be`);
}

function firstField(error: { issues: readonly { path: readonly PropertyKey[] }[] }): string {
  return error.issues[0]?.path.map(String).join(".") || "type";
}

function own(json: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(json, name) ? json[name] : undefined;
}
