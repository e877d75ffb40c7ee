import { randomUUID } from "node:crypto";
import pg from "pg";

/** New databases on a server; resolves to their URLs. */
export async function createDatabases(serverUrl: string, count: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const urls: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `bench_${randomUUID().replaceAll("-", "")}`;
    await client.query(`create database ${name}`);
    const own = new URL(serverUrl);
    own.pathname = `/${name}`;
    urls.push(own.href);
  }
  await client.end();
  return urls;
}
