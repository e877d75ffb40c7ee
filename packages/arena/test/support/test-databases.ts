import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";
// Only for its declaration of what is provided; nothing of it runs in a test's process.
import type {} from "./postgres-server.ts";

export interface FreshPostgresUrl {
  url: string;
  /** Drops the database; connections that are still open to it are cut. */
  drop(): Promise<void>;
}

/** Whether this run has a server at all: `describe.skipIf(!hasPostgres())`. */
export function hasPostgres(): boolean {
  return inject("postgresUrl") !== undefined;
}

/**
 * An empty database of its own on the run's server, so that files and workers never see each other's rows.
 * It is copied from template0: template1 cannot be copied while anybody is connected to it.
 */
export async function freshPostgresUrl(): Promise<FreshPostgresUrl> {
  const serverUrl = inject("postgresUrl");
  if (!serverUrl) throw new Error("this run has no PostgreSQL: guard the test with hasPostgres()");
  const name = `agon_test_${randomBytes(8).toString("hex")}`;
  await runOnServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runOnServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function runOnServer(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
