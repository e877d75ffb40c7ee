import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { type AppOptions, createApp } from "../../src/app.ts";
import { createManualClock } from "./test-arena.ts";

/** An app without calls, without a database, and that knows nobody: for what all calls have in common. */
export function createBareApp(
  options: Partial<Pick<AppOptions, "log" | "host" | "publicUrl">> = {},
): Promise<FastifyInstance> {
  return createApp({
    log: pino({ level: "silent" }),
    clock: createManualClock(),
    version: "0.0.0",
    host: "127.0.0.1",
    publicUrl: undefined,
    trustedProxies: 0,
    authentication: {
      findCaller: async () => undefined,
      findSession: async () => undefined,
      isOperatorSession: async () => false,
      adminKey: undefined,
    },
    ...options,
  });
}
