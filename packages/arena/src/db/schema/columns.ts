import { bigint, integer, timestamp } from "drizzle-orm/pg-core";

// Times are always with time zone: a plain timestamp shifts by the host's offset on both drivers.
export const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });
export const id = () => integer("id").primaryKey().generatedAlwaysAsIdentity();
export const longId = () => bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity();
