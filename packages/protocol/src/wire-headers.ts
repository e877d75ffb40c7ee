/** Header that carries `sha256=<64 hex digits>` on edgearena-v1 dispatches and completions (endpoints document, Dispatch). */
export const EDGEARENA_SIGNATURE_HEADER = "x-edgearena-signature";

/** Header that carries the unix seconds at signing (endpoints document, Dispatch). */
export const EDGEARENA_TIMESTAMP_HEADER = "x-edgearena-timestamp";

/** Header that repeats the body's `taskId` (endpoints document, Dispatch). It is not signed: never decide anything by it. */
export const EDGEARENA_TASK_ID_HEADER = "x-edgearena-task-id";

/** Header that carries the bare hex HMAC of a tesserax push body. */
export const TESSERAX_SIGNATURE_HEADER = "x-arena-signature";

/** Header in which a pull agent shows its secret (pull document, Authentication). */
export const TESSERAX_SECRET_HEADER = "x-arena-secret";

/** Header in which a runner names the work it already holds, so that a poll is not answered with it again. Agon's own. */
export const HOLDING_HEADER = "x-agon-holding";

/** Header with the message id of the Standard Webhooks scheme. */
export const STANDARD_WEBHOOK_ID_HEADER = "webhook-id";

/** Header with the unix seconds of the Standard Webhooks scheme. */
export const STANDARD_WEBHOOK_TIMESTAMP_HEADER = "webhook-timestamp";

/** Header with one or more space-separated `v1,<base64>` signatures of the Standard Webhooks scheme. */
export const STANDARD_WEBHOOK_SIGNATURE_HEADER = "webhook-signature";

/** Header of a dispatch that says where a later answer may be sent, so that an agent need not know the arena. Agon's own. */
export const COMPLETE_URL_HEADER = "x-agon-complete-url";
