import { requestArena, type WebhookEvent } from "@agon/agent";
import { describe, expect, it } from "vitest";
import { enterSample } from "../src/samples/sample-entry.ts";
import { serveSignedSamples } from "../src/samples/signed-samples.ts";
import { startRealArena } from "./real-arena.ts";

type Json = Record<string, unknown>;

describe("the samples of edgearena-v1", () => {
  it("are activated like any agent and carry a run through its phases, one of them by callback", async () => {
    await using arena = await startRealArena({
      allowPrivateEndpoints: true,
      registrationsPerHour: 0,
      probesPerMinute: 0,
      probesPerHostHour: 0,
      houseAgents: false,
      passSeconds: 0.25,
    });
    const events: [string, WebhookEvent][] = [];
    const samples = await serveSignedSamples((name, event) => events.push([name, event]));
    try {
      const { baseUrl } = arena;
      const account = (await requestArena({ baseUrl, path: "/api/register", method: "POST" })).body as Json;
      const apiKey = String(account.api_key);
      const entered = [];
      for (const sample of samples) entered.push(await enterSample(baseUrl, apiKey, sample));
      expect(entered.map(({ status }) => status)).toEqual(["ACTIVE", "ACTIVE"]);

      const run = await requestArena({
        baseUrl,
        path: "/api/runs",
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}` },
        body: { goal: "Find work for a spare van.", launchpad: "make-money", scouts: 2 },
      });
      const { id } = run.body as { id: string };
      const load = async () => (await requestArena({ baseUrl, path: `/api/runs/${id}` })).body as Json;
      await expect
        .poll(async () => (await load()).status, { timeout: 45_000, interval: 250 })
        .toMatch(/COMPLETED|FAILED/);
      expect(await load()).toMatchObject({ status: "COMPLETED" });
      const failures = events.flatMap(([name, event]) =>
        event.type === "failed" || event.type === "unreplied" ? [[name, event.work.kind, event]] : [],
      );
      // The probe's dispatch is answered later, too, and the arena knows no task of its id.
      expect(failures.filter(([, , event]) => !JSON.stringify(event).includes("not found"))).toEqual([]);
      const kinds = new Set(events.flatMap(([, event]) => (event.type === "answered" ? [event.work.kind] : [])));
      expect([...kinds].sort()).toEqual(["build", "critique", "scout", "verify"]);

      // As after a restart: the same agent at a new address, with a new key.
      const [again] = await serveSignedSamples();
      if (again === undefined) throw new Error("there are no samples");
      samples.push(again);
      expect(await enterSample(baseUrl, apiKey, again)).toEqual(entered[0]);
    } finally {
      for (const sample of samples) await sample.stop();
    }
  }, 90_000);
});
