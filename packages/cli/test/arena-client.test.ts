import { createArenaClient, isProblem } from "@agon/agent";
import { describe, expect, expectTypeOf, it } from "vitest";
import { startRealArena } from "./real-arena.ts";

describe("the typed client of an arena", () => {
  it("registers, makes an agent, reads it and deletes a key, with answers that are typed", async () => {
    await using arena = await startRealArena();
    const anybody = createArenaClient({ baseUrl: `${arena.baseUrl}/api/` });
    const { api_key: apiKey } = await anybody.post("/api/register");
    expectTypeOf(apiKey).toEqualTypeOf<string>();
    const owner = createArenaClient({ baseUrl: arena.baseUrl, apiKey });
    const made = await owner.post("/api/agents", { body: { name: "moon bot/1", mode: "pull" } });
    const agent = await owner.get("/api/agents/{agent_id}", { path: { agent_id: made.id } });
    expect(agent).toMatchObject({ id: made.id, name: "moon bot/1", mode: "pull" });
    const board = await anybody.get("/api/leaderboard", { query: { limit: 1 } });
    expect(board).toMatchObject({ total: 1, limit: 1 });
    const changed = await owner.patch("/api/agents/{agent_id}", {
      path: { agent_id: made.id },
      body: { description: "finds moons" },
    });
    expect(changed.description).toBe("finds moons");
    const key = await owner.post("/api/account/keys");
    await owner.delete("/api/account/keys/{key_id}", { path: { key_id: key.id } });
    // @ts-expect-error there is no such call
    await expect(owner.get("/api/agent")).rejects.toThrow();
  }, 60_000);

  it("tells problems by their codes", async () => {
    await using arena = await startRealArena();
    const client = createArenaClient({ baseUrl: arena.baseUrl, apiKey: "agon_none" });
    const refused = await client.get("/api/agents").catch((error: unknown) => error);
    expect(isProblem(refused, "unauthorized")).toBe(true);
    expect(isProblem(refused, "not_found", "conflict")).toBe(false);
    if (isProblem(refused, "unauthorized")) expectTypeOf(refused.code).toEqualTypeOf<"unauthorized">();
    expect(isProblem(new Error("unauthorized"), "unauthorized")).toBe(false);
    // @ts-expect-error no arena has such a code
    expect(isProblem(refused, "unautorized")).toBe(false);
  }, 60_000);
});
