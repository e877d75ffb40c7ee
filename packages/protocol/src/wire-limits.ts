/** How far a signed timestamp may lie from now, in seconds; both ends still pass (endpoints document, Async completion). */
export const SIGNATURE_WINDOW_SECONDS = 300;

/** Longest time a poll for work is held, in seconds; a larger `wait` is cut down to it (pull document, work/next). */
export const PULL_WAIT_MAX_SECONDS = 50;

/** Seconds an agent has for one gym or main prompt unless the prompt says otherwise. */
export const PROMPT_DEADLINE_SECONDS = 300;

/** Seconds an agent has to answer the signed ping of the tesserax dialect. */
export const PING_DEADLINE_SECONDS = 15;

/** Work with less time than this left, in seconds, is not offered again: the answer could hardly arrive. */
export const MIN_REOFFER_SECONDS = 10;

/** Largest `output` of an edgearena-v1 answer, in bytes of its serialized JSON (endpoints document, error responses). */
export const COMPLETION_OUTPUT_MAX_BYTES = 262_144;

/** What the body of a dispatch stays below, in bytes; half of what agents read, so that none ever answers 413. */
export const DISPATCH_BODY_MAX_BYTES = 524_288;

/** Largest request body that either side reads, in bytes; more is answered 413. */
export const BODY_MAX_BYTES = 1_048_576;

/**
 * Largest prompt of the ladder, in bytes of UTF-8. Runners hand the prompt to a command in an environment variable,
 * and Linux allows 128 KiB for one of those: a longer prompt would end the existing clients.
 */
export const PROMPT_MAX_BYTES = 100_000;

/** Most work ids that are read from one holding header; far more than a runner works on at once. */
export const HOLDING_MAX_IDS = 64;
