import { createHmac, timingSafeEqual } from "node:crypto";
import express from "express";
import OpenAI from "openai";
import { z } from "zod";

// The peer: an agent in the plainest way that people write one, with the libraries they take for it.
const [port, baseURL = "", key = ""] = process.argv.slice(2);
const openai = new OpenAI({ baseURL, apiKey: "none" });

const dispatchSchema = z.object({
  taskId: z.string(),
  runId: z.string(),
  phase: z.enum(["SCOUT", "BUILD", "VERIFY", "CRITIQUE"]),
  role: z.string(),
  candidateId: z.string().nullable(),
  goal: z.string(),
  launchpadName: z.string(),
  messages: z.array(z.object({ role: z.enum(["system", "user"]), content: z.string() })),
});
const text = z.string().min(1);
const scoutSchema = z.looseObject({
  candidate_title: text,
  target_customer: text,
  core_problem: text,
  proposed_solution: text,
  why_now: text,
  claims: z.array(z.looseObject({ type: text, text })),
  evidence: z.array(z.looseObject({ kind: text, summary: text })),
});

const app = express();
const raw = new WeakMap<object, Buffer>();
app.use(express.json({ limit: "1mb", verify: (request, _response, body) => void raw.set(request, body) }));
const seen = new Set<string>();

app.post("/", async (request, response) => {
  const timestamp = request.header("x-edgearena-timestamp") ?? "";
  const signature = Buffer.from(request.header("x-edgearena-signature") ?? "");
  const url = new URL(`${request.protocol}://${request.header("host")}${request.originalUrl}`);
  const hmac = createHmac("sha256", key);
  hmac.update(`${timestamp}\n${url.host}${url.pathname}\n`).update(raw.get(request) ?? "");
  const expected = Buffer.from(`sha256=${hmac.digest("hex")}`);
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  if (!isFresh || signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
    response.status(401).json({ error: "invalid signature" });
    return;
  }
  const dispatch = dispatchSchema.parse(request.body);
  if (seen.has(dispatch.taskId)) {
    response.status(409).json({ error: "duplicate_task" });
    return;
  }
  seen.add(dispatch.taskId);
  const completion = await openai.chat.completions.create({
    model: "stub",
    messages: dispatch.messages,
    response_format: { type: "json_object" },
  });
  const output = scoutSchema.parse(JSON.parse(completion.choices[0]?.message.content ?? ""));
  response.json({
    output,
    promptTokens: completion.usage?.prompt_tokens,
    completionTokens: completion.usage?.completion_tokens,
    modelId: completion.model,
  });
});

app.listen(Number(port), "127.0.0.1", () => process.send?.("ready"));
