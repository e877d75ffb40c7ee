import { promptPayloadSchema, versionSchema } from "@agon/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createTestArena } from "../support/test-arena.ts";

describe("the protocol summary", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase("pglite");
  });
  afterAll(() => database.close());

  it("[TX-VER-1] is served to everybody in its documented shape", async () => {
    const arena = await createTestArena(database, { publicUrl: "https://arena.example.com/" });
    const answer = await arena.app.inject("/api/version");
    expect(answer.statusCode).toBe(200);
    const version = versionSchema.parse(answer.json());
    expect(version.connection_modes).toContain("pull");
    expect(promptPayloadSchema.parse(version.prompt_payload)).toBeTruthy();
    expect(version.docs_url).toBe("https://arena.example.com/api/reference");
    expect(version.push.signature_header).toBe("X-Arena-Signature");
    await arena.stop();
  });

  it("[TX-VER-1] describes pull calls that this arena really has", async () => {
    const arena = await createTestArena(database);
    const { pull } = versionSchema.parse((await arena.app.inject("/api/version")).json());
    const documented = Object.entries(arena.app.swagger().paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods ?? {}).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented).toContain(pull.next_work.split("?")[0]);
    expect(documented).toContain(pull.submit_result);
    expect(pull.auth.toLowerCase()).toContain("x-arena-secret: <webhook_secret>");
    await arena.stop();
  });

  it("names the address that the server listens on when no public one is set", async () => {
    const arena = await createTestArena(database);
    const url = await arena.start();
    const version = versionSchema.parse(await (await fetch(`${url}/api/version`)).json());
    expect(version.docs_url).toBe(`${url}/api/reference`);
    await arena.stop();
  });
});
