import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Logger } from "pino";
import { encodeArrays } from "./array-params.ts";
import { assertOutsideTransaction, type Database, type Db, markTransaction, type Statement } from "./database.ts";

const INT8 = 20;
const INT8_ARRAY = 1016;
const TIMESTAMPTZ = 1184;
const parseTexts = (pg.types.getTypeParser as (oid: number) => (text: string) => (string | null)[])(INT8_ARRAY);
const parseInt8Array = (text: string) => parseTexts(text).map((item) => (item === null ? null : Number(item)));
const hotTypes = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8) return Number;
    if (oid === INT8_ARRAY) return parseInt8Array;
    if (oid === TIMESTAMPTZ) return String;
    return pg.types.getTypeParser(oid, format as "text");
  },
} as pg.CustomTypesConfig;

/** `guard` runs before each question and may refuse it. */
function createHandle(client: pg.Pool | pg.PoolClient, guard: () => void = () => {}): Db {
  const query = async (...asked: [pg.QueryConfig, unknown[]?]): Promise<pg.QueryResult> => {
    guard();
    return client.query(...asked);
  };
  return {
    // Drizzle's type asks for a whole client, but all it calls is `query`.
    orm: drizzle({ client: { query } as unknown as pg.Pool }),
    async run<Row>(statement: Statement, params: readonly unknown[]) {
      const result = await query({ ...statement, values: encodeArrays(statement, params), types: hotTypes });
      return result.rows as Row[];
    },
  };
}

/** A node's pool of connections to a PostgreSQL server. */
export function openPostgres(options: { url: string; poolSize: number; log: Logger }): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    connectionTimeoutMillis: 10_000,
    application_name: "agon",
  });
  // Plans of prepared statements are kept. Made while a table was small, when reading it whole is cheap, they would
  // still read it whole minutes later, until the server's own statistics catch up. Every statement here has an index.
  pool.on("connect", (client) => {
    client.query("set enable_seqscan = off").catch(() => undefined);
  });
  // An idle connection that the server ends emits here; unheard, it would end the process.
  pool.on("error", (error) => options.log.warn({ err: error }, "a database connection was lost"));
  return {
    kind: "postgres",
    ...createHandle(pool, assertOutsideTransaction),
    async transaction(work) {
      assertOutsideTransaction();
      const client = await pool.connect();
      let broken: Error | undefined;
      // The pool listens to idle connections only: unheard, the loss of this one would end the process too.
      const onLost = (error: Error) => {
        broken = error;
      };
      client.on("error", onLost);
      try {
        await client.query("BEGIN");
        const result = await markTransaction(() => work(createHandle(client)));
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch(onLost);
        throw error;
      } finally {
        client.release(broken);
        client.off("error", onLost);
      }
    },
    close: () => pool.end(),
  };
}
