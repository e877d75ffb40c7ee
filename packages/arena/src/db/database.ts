import { AsyncLocalStorage } from "node:async_hooks";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";

/** A hand-written statement. The name lets PostgreSQL keep its plan per connection. */
export interface Statement {
  name: string;
  text: string;
}

/**
 * A condition that every id meets. Put on the rows that a hot statement is given, it has the planner expect one of them:
 * it then looks up each row of a table by key, whatever the table's size was when the plan was made and kept. Expecting
 * more, it reads the table whole as long as that is small, or compares every row given with every row found.
 */
export const lookedUpByKey = (id: string) =>
  `${id} between '-9223372036854775808'::bigint and '9223372036854775807'::bigint`;

/** A handle on the database: either the whole of it or one transaction. Queries take it as their first argument. */
export interface Db {
  /** The query builder, for everything that is not hot. */
  orm: PgDatabase<PgQueryResultHKT>;
  /**
   * Runs a hand-written statement. Both drivers give the same JavaScript types: numbers for integers of any size,
   * strings for timestamps, parsed values for jsonb.
   */
  run<Row>(statement: Statement, params: readonly unknown[]): Promise<Row[]>;
}

export interface Database extends Db {
  kind: "pglite" | "postgres";
  /** Runs `work` in one transaction; it commits when `work` resolves. Only the handle it is given may be used inside. */
  transaction<Result>(work: (tx: Db) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const insideTransaction = new AsyncLocalStorage<true>();

/** Runs `work` so that `assertOutsideTransaction` throws anywhere below it. */
export function markTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  return insideTransaction.run(true, work);
}

/**
 * The embedded database has one connection: asking the database itself for something inside a transaction would wait for
 * ever for that transaction to end, and block everybody after it. PostgreSQL hides the mistake, so it is refused on both.
 */
export function assertOutsideTransaction(): void {
  if (insideTransaction.getStore()) {
    throw new Error("the database was asked directly inside a transaction; use the transaction's own handle");
  }
}

/** SQLSTATE of a driver's error, wherever a query builder wrapped it. */
export function sqlState(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const code = (each as { code?: unknown }).code;
    if (typeof code === "string" && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

/** The unique constraint or index that an error names, when it is a unique violation. */
export function violatedConstraint(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    const { code, constraint } = each as { code?: unknown; constraint?: unknown };
    if (code === "23505") return typeof constraint === "string" ? constraint : "";
  }
  return undefined;
}
