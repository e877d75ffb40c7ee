import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { freshPostgresUrl, hasPostgres } from "./test-databases.ts";

describe.skipIf(!hasPostgres())("freshPostgresUrl", () => {
  it("gives every caller an empty database of its own, when asked twice at once", async () => {
    const [one, other] = await Promise.all([freshPostgresUrl(), freshPostgresUrl()]);
    expect(one.url).not.toBe(other.url);
    expect(await ask(one.url, "CREATE TABLE seen (id int)")).toEqual([]);
    expect(await ask(other.url, "SELECT to_regclass('seen')::text AS found")).toEqual([{ found: null }]);
    await Promise.all([one.drop(), other.drop()]);
  });

  it("cuts the connections that are left, when the database is dropped", async () => {
    const { url, drop } = await freshPostgresUrl();
    const client = new Client({ connectionString: url });
    await client.connect();
    // `on`, not `once`: pg reports the server's word and then the closed socket, and an unheard error ends the process.
    const cut = new Promise<Error>((resolve) => client.on("error", resolve));
    await drop();
    expect((await cut).message).toMatch(/terminat/i);
    await expect(ask(url, "SELECT 1")).rejects.toMatchObject({ code: "3D000" });
  });
});

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}
