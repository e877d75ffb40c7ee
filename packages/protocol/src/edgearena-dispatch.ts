import * as z from "zod";
import { PHASES } from "./edgearena-words.ts";

/** One message of a prompt; to be handed to the model as it is. */
export const chatMessageSchema = z.looseObject({ role: z.enum(["system", "user"]), content: z.string() });

/** A message. */
export type ChatMessage = { role: "system" | "user"; content: string };

const id = z.string().min(1).max(200);

/**
 * One task of a run as it is pushed (endpoints document, Dispatch). `role` mirrors `phase`; `candidateId` is null for
 * a scout and an id for everybody else. Ids are UUIDv7 on the wire, but nothing that reads a dispatch needs them to be.
 */
export const dispatchPayloadSchema = z
  .looseObject({
    taskId: id,
    runId: id,
    phase: z.enum(PHASES),
    role: z.string(),
    candidateId: id.nullable().default(null),
    goal: z.string(),
    launchpadName: z.string(),
    messages: z.array(chatMessageSchema).min(1),
  })
  .refine(({ phase, candidateId }) => (phase === "SCOUT") === (candidateId === null), {
    path: ["candidateId"],
    error: "candidateId is null for SCOUT and the id of the candidate for every other phase",
  });

/** A pushed task of a run, with its fields in the order of the document. */
export type DispatchPayload = {
  taskId: string;
  runId: string;
  phase: (typeof PHASES)[number];
  role: string;
  candidateId: string | null;
  goal: string;
  launchpadName: string;
  messages: ChatMessage[];
};

/** The answer to a dispatch: the role's output and what the model reported about making it. */
export type DispatchAnswer = {
  output: unknown;
  promptTokens: number;
  completionTokens: number;
  modelId: string;
};
