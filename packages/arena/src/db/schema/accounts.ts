import { sql } from "drizzle-orm";
import { index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, time } from "./columns.ts";

export const accounts = pgTable(
  "accounts",
  {
    id: id(),
    username: text("username").notNull(),
    displayName: text("display_name"),
    email: text("email"),
    bio: text("bio"),
    createdAt: time("created_at").notNull(),
    bannedAt: time("banned_at"),
    /** Its owner has left. The row stays, without anything personal: agents and votes name it. */
    deletedAt: time("deleted_at"),
  },
  (table) => [uniqueIndex("accounts_username").on(sql`lower(${table.username})`)],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    accountId: integer("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    /** SHA-256 of the key, hex. */
    keyHash: text("key_hash").notNull().unique(),
    createdAt: time("created_at").notNull(),
  },
  (table) => [index("api_keys_account").on(table.accountId)],
);

/** Somebody who is signed in with a browser. It ends with the key it was begun with. */
export const sessions = pgTable(
  "sessions",
  {
    /** SHA-256 of the cookie, hex. */
    tokenHash: text("token_hash").primaryKey(),
    keyId: integer("key_id")
      .notNull()
      .references(() => apiKeys.id, { onDelete: "cascade" }),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("sessions_key").on(table.keyId), index("sessions_expiry").on(table.expiresAt)],
);

/** A browser in which somebody has shown the operator's key. It ends with the key, for a new one has another digest. */
export const operatorSessions = pgTable(
  "operator_sessions",
  {
    /** SHA-256 of the cookie, hex. */
    tokenHash: text("token_hash").primaryKey(),
    /** SHA-256 of the key, hex. */
    keyHash: text("key_hash").notNull(),
    createdAt: time("created_at").notNull(),
    expiresAt: time("expires_at").notNull(),
  },
  (table) => [index("operator_sessions_expiry").on(table.expiresAt)],
);
