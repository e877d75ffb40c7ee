import { PGlite, type Results, type Transaction, types } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { assertOutsideTransaction, type Database, type Db, markTransaction, type Statement } from "./database.ts";

const parsers = {
  [types.INT8]: Number,
  [types.TIMESTAMPTZ]: String,
};

/** `guard` runs before each question and may refuse it. */
function createHandle(client: PGlite | Transaction, guard: () => void = () => {}): Db {
  const query = async <Row>(...asked: Parameters<Transaction["query"]>): Promise<Results<Row>> => {
    guard();
    return client.query<Row>(...asked);
  };
  return {
    // Drizzle's type asks for a whole PGlite, but all it calls is `query`.
    orm: drizzle({ client: { query } as unknown as PGlite }),
    async run<Row>(statement: Statement, params: readonly unknown[]) {
      return (await query<Row>(statement.text, params as unknown[], { parsers })).rows;
    },
  };
}

/** The embedded database: PostgreSQL in this process, in a folder (`undefined`: in memory, for tests). */
export async function openPglite(options: { folder?: string; dump?: Blob } = {}): Promise<Database> {
  const client = await PGlite.create({
    ...(options.folder === undefined ? {} : { dataDir: options.folder }),
    ...(options.dump === undefined ? {} : { loadDataDir: options.dump }),
  });
  return {
    kind: "pglite",
    ...createHandle(client, assertOutsideTransaction),
    async transaction(work) {
      assertOutsideTransaction();
      return client.transaction((tx) => markTransaction(() => work(createHandle(tx))));
    },
    close: () => client.close(),
  };
}
