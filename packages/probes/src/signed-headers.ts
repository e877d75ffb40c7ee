import {
  COMPLETE_URL_HEADER,
  EDGEARENA_SIGNATURE_HEADER,
  EDGEARENA_TASK_ID_HEADER,
  EDGEARENA_TIMESTAMP_HEADER,
  EDGEARENA_USER_AGENTS,
  signEdgearena,
} from "@agon/protocol";

/** How a signed probe is signed; `completeUrl` says where a task's later answer may go. */
export interface ProbeSigning {
  url: string;
  key: string;
  /** Milliseconds since the epoch. */
  nowMs: number;
  completeUrl?: ((taskId: string) => string) | undefined;
}

/** The headers of a signed probe over a body. */
export function signedHeaders(signing: ProbeSigning, taskId: string, body: string): Record<string, string> {
  const timestamp = Math.floor(signing.nowMs / 1000);
  const completeUrl = signing.completeUrl?.(taskId);
  return {
    "content-type": "application/json",
    "user-agent": EDGEARENA_USER_AGENTS.verifyDispatch,
    [EDGEARENA_SIGNATURE_HEADER]: signEdgearena({ key: signing.key, url: signing.url, timestamp, body }),
    [EDGEARENA_TIMESTAMP_HEADER]: String(timestamp),
    [EDGEARENA_TASK_ID_HEADER]: taskId,
    ...(completeUrl === undefined ? {} : { [COMPLETE_URL_HEADER]: completeUrl }),
  };
}
