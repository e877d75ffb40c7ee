import { PGlite, type Transaction, types } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { assertOutsideTransaction, type Database, type Db, markTransaction, type Statement } from "./database.ts";

const parsers = {
  [types.INT8]: Number,
  [types.TIMESTAMPTZ]: String,
};

function createHandle(client: PGlite | Transaction): Db {
  return {
    // Drizzle's type asks for a whole PGlite, but all it calls is `query`, which a transaction has too.
    orm: drizzle({ client: client as PGlite }),
    async run<Row>(statement: Statement, params: readonly unknown[]) {
      const result = await client.query<Row>(statement.text, params as unknown[], { parsers });
      return result.rows;
    },
  };
}

/** The embedded database: PostgreSQL in this process, in a folder (`undefined`: in memory, for tests). */
export async function openPglite(options: { folder?: string; dump?: Blob } = {}): Promise<Database> {
  const client = await PGlite.create({
    ...(options.folder === undefined ? {} : { dataDir: options.folder }),
    ...(options.dump === undefined ? {} : { loadDataDir: options.dump }),
  });
  const outside = createHandle(client);
  return {
    kind: "pglite",
    orm: outside.orm,
    async run<Row>(statement: Statement, params: readonly unknown[]) {
      assertOutsideTransaction();
      return outside.run<Row>(statement, params);
    },
    async transaction(work) {
      assertOutsideTransaction();
      return client.transaction((tx) => markTransaction(() => work(createHandle(tx))));
    },
    close: () => client.close(),
  };
}
