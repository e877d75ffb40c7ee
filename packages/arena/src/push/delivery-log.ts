import { cleanText, truncateUtf8 } from "@agon/protocol";
import { and, count, desc, eq } from "drizzle-orm";
import { createBatcher } from "../db/batch.ts";
import type { Db, Statement } from "../db/database.ts";
import { deliveries } from "../db/schema.ts";
import type { ExchangeResult, ResponseHeaders } from "./outbound-result.ts";

export type DeliveryRow = typeof deliveries.$inferSelect;

/** One exchange to be kept for the owner of an agent. */
export interface Delivery {
  agentId: number;
  taskId: number | undefined;
  purpose: "task" | "test" | "ping";
  url: string;
  requestHeaders: Readonly<Record<string, string>>;
  requestBody: Buffer;
  result: ExchangeResult;
  verdict: { cause?: string; detail: string; advice?: string };
}

/** A person looks at these: enough to recognise what went wrong, little enough to keep hundreds per agent. */
const BODY_MAX_BYTES = 8_192;
const HEADER_MAX_BYTES = 1_024;
/** Shown as present, never with their value: they let their holder act as somebody, or forge what was sent. */
const MASKED = /^(authorization|cookie|set-cookie|proxy-authorization|.*signature|.*secret|.*token|.*api-?key)$/i;

/** The columns of a delivery with the types that they are sent as, in the order of `toDeliveryRow`. */
export const DELIVERY_COLUMNS: Readonly<Record<string, string>> = {
  agent_id: "int",
  task_id: "bigint",
  purpose: "text",
  started_at: "timestamptz",
  url: "text",
  request_headers: "json",
  request_body: "text",
  request_bytes: "int",
  status: "int",
  response_headers: "json",
  response_body: "text",
  response_bytes: "int",
  timings: "json",
  verdict: "text",
  cause: "text",
  fault: "text",
  detail: "text",
  advice: "text",
};

/** As SQL: rows `i` whose columns are given as arrays, from parameter `$1` on. */
export function rowsSql(columns: Readonly<Record<string, string>>): string {
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  return `unnest(${arrays.join(", ")}) as i(${Object.keys(columns).join(", ")})`;
}

/** As SQL: keeps as deliveries what `source` has, which names its columns as they are named there. */
export function keepSql(source: string): string {
  const names = Object.keys(DELIVERY_COLUMNS).join(", ");
  return `insert into deliveries (${names}) select ${names} from ${source}`;
}

/** Rows as one array per column. */
export function toColumns(rows: readonly unknown[][]): unknown[][] {
  return (rows[0] as unknown[]).map((_, column) => rows.map((row) => row[column]));
}

const INSERT: Statement = { name: "insert-deliveries", text: keepSql(rowsSql(DELIVERY_COLUMNS)) };

export interface DeliveryLog {
  /** Keeps a note on something that an agent did by itself, where no exchange of ours is the matter. */
  note(note: { agentId: number; taskId: number; at: number; detail: string; advice: string }): Promise<void>;
  /** Keeps a delivery; resolves when it is stored. */
  add(delivery: Delivery): Promise<void>;
}

/** Deliveries of one node, gathered into statements. */
export function createDeliveryLog(db: Db): DeliveryLog {
  let next = 0;
  const batcher = createBatcher<{ key: number; row: unknown[] }, void>({
    keyOf: (each) => each.key,
    sizeOf: () => 2 * BODY_MAX_BYTES,
    async run(items) {
      await db.run(INSERT, toColumns(items.map((each) => each.row)));
      return items.map(() => undefined);
    },
  });
  return {
    async note({ agentId, taskId, at, detail, advice }) {
      await db.orm.insert(deliveries).values({
        agentId,
        taskId,
        purpose: "result",
        startedAt: new Date(at),
        verdict: "failed",
        cause: "invalid",
        fault: "agent",
        detail,
        advice,
      });
    },
    add(delivery) {
      next += 1;
      return batcher.add({ key: next, row: toDeliveryRow(delivery) });
    },
  };
}

/** What a delivery is kept as, column by column. */
export function toDeliveryRow(delivery: Delivery): unknown[] {
  const { result, verdict } = delivery;
  const body = result.ok ? result.body.toString("utf8") : (result.bodyExcerpt ?? null);
  const cause = verdict.cause ?? null;
  return [
    delivery.agentId,
    delivery.taskId ?? null,
    delivery.purpose,
    new Date(result.startedAt).toISOString(),
    cleanText(delivery.url),
    JSON.stringify(maskHeaders(delivery.requestHeaders)),
    excerpt(delivery.requestBody.toString("utf8")),
    delivery.requestBody.length,
    result.status ?? null,
    result.headers === undefined ? null : JSON.stringify(maskHeaders(result.headers)),
    body === null ? null : excerpt(body),
    result.ok ? result.body.length : null,
    JSON.stringify(result.timings),
    cause === null ? "good" : "failed",
    cause,
    cause === null ? null : cause === "arena" ? "arena" : "agent",
    cleanText(verdict.detail),
    verdict.advice === undefined ? null : cleanText(verdict.advice),
  ];
}

function excerpt(text: string): string {
  return truncateUtf8(cleanText(text), BODY_MAX_BYTES, " … (cut)");
}

/** Which names are masked: the same few with every exchange. An endpoint may send any, so there is an end to it. */
const maskedNames = new Map<string, boolean>();
const NAMES_KEPT = 1_000;

function isMasked(name: string): boolean {
  const known = maskedNames.get(name);
  if (known !== undefined) return known;
  const masked = MASKED.test(name);
  if (maskedNames.size >= NAMES_KEPT) maskedNames.delete(maskedNames.keys().next().value as string);
  maskedNames.set(name, masked);
  return masked;
}

/** Headers for a person to read: secrets masked, long values cut, repeated ones joined. */
export function maskHeaders(headers: ResponseHeaders): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const text = Array.isArray(value) ? value.join(", ") : value;
    shown[cleanText(name)] = isMasked(name) ? "(masked)" : truncateUtf8(cleanText(text), HEADER_MAX_BYTES, " …");
  }
  return shown;
}

const PRUNE: Statement = {
  name: "prune-deliveries",
  text: `
delete from deliveries d using (
  select agent_id, id from (
    select agent_id, id, row_number() over (partition by agent_id order by id desc) as place from deliveries
  ) ranked where place > $1 limit 5000
) old where d.agent_id = old.agent_id and d.id = old.id`,
};

/** Drops all but the latest deliveries of each agent. */
export async function pruneDeliveries(db: Db, kept: number): Promise<void> {
  await db.run(PRUNE, [kept]);
}

/** Deliveries of an agent, latest first. */
export async function listDeliveries(
  db: Db,
  agentId: number,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: DeliveryRow[] }> {
  const [total] = await db.orm.select({ total: count() }).from(deliveries).where(eq(deliveries.agentId, agentId));
  const rows = await db.orm
    .select()
    .from(deliveries)
    .where(eq(deliveries.agentId, agentId))
    .orderBy(desc(deliveries.id))
    .limit(page.limit)
    .offset(page.offset);
  return { total: Number(total?.total ?? 0), rows };
}

export async function findDelivery(db: Db, agentId: number, id: number): Promise<DeliveryRow | undefined> {
  const [row] = await db.orm
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.agentId, agentId), eq(deliveries.id, id)));
  return row;
}
