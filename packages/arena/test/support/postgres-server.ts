import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { startThrowawayPostgres, type ThrowawayPostgres } from "./throwaway-postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A PostgreSQL server on which tests may create databases; absent where none could be started. */
    postgresUrl?: string;
  }
}

let server: ThrowawayPostgres | undefined;

/** Vitest's global setup: one server for the whole run, named by AGON_TEST_DATABASE_URL or started here. */
export async function setup(project: TestProject): Promise<void> {
  const given = process.env.AGON_TEST_DATABASE_URL;
  if (given) {
    await assertReachable(given);
    project.provide("postgresUrl", given);
    return;
  }
  try {
    server = await startThrowawayPostgres();
    project.provide("postgresUrl", server.url);
  } catch (error) {
    if (process.env.CI === "true") throw error;
    announceSkipping(error);
  }
}

export async function teardown(): Promise<void> {
  await server?.stop();
  server = undefined;
}

/** A URL that somebody set and that does not work is an error everywhere: skipping would hide a typing mistake. */
async function assertReachable(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.end();
}

function announceSkipping(error: unknown): void {
  const cause = error instanceof Error ? error.message : String(error);
  const rule = "!".repeat(100);
  console.warn(`\n${rule}\nNO POSTGRESQL: every test that needs it is SKIPPED.\n${cause}\n${rule}\n`);
}
