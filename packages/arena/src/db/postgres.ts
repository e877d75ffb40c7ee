import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { Logger } from "pino";
import { assertOutsideTransaction, type Database, type Db, markTransaction, type Statement } from "./database.ts";

const INT8 = 20;
const TIMESTAMPTZ = 1184;
const hotTypes = {
  getTypeParser(oid: number, format?: "text" | "binary") {
    if (oid === INT8) return Number;
    if (oid === TIMESTAMPTZ) return String;
    return pg.types.getTypeParser(oid, format as "text");
  },
} as pg.CustomTypesConfig;

type Client = pg.Pool | pg.PoolClient;

function createHandle(client: Client): Db {
  return {
    orm: drizzle({ client }),
    async run<Row>(statement: Statement, params: readonly unknown[]) {
      const result = await client.query({ ...statement, values: params as unknown[], types: hotTypes });
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
  // An idle connection that the server ends emits here; unheard, it would end the process.
  pool.on("error", (error) => options.log.warn({ err: error }, "a database connection was lost"));
  const outside = createHandle(pool);
  return {
    kind: "postgres",
    orm: outside.orm,
    async run<Row>(statement: Statement, params: readonly unknown[]) {
      assertOutsideTransaction();
      return outside.run<Row>(statement, params);
    },
    async transaction(work) {
      assertOutsideTransaction();
      const client = await pool.connect();
      let broken: Error | undefined;
      try {
        await client.query("BEGIN");
        const result = await markTransaction(() => work(createHandle(client)));
        await client.query("COMMIT");
        return result;
      } catch (error) {
        await client.query("ROLLBACK").catch((failure: Error) => {
          broken = failure;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    },
    close: () => pool.end(),
  };
}
