import { bigint, integer, pgTable, text } from "drizzle-orm/pg-core";
import { time } from "./columns.ts";

export const counters = pgTable("counters", {
  name: text("name").primaryKey(),
  value: bigint("value", { mode: "number" }).notNull(),
});

/** How often something was done in a window of time, counted for all nodes together. */
export const limits = pgTable("limits", {
  key: text("key").primaryKey(),
  count: integer("count").notNull(),
  endsAt: time("ends_at").notNull(),
});

/** Small facts about this arena, such as the proof that the sealing key is the right one. */
export const facts = pgTable("facts", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});
