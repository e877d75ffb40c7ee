// All tables, by the rooms they belong to.
export * from "./schema/accounts.ts";
export * from "./schema/agents.ts";
export * from "./schema/judging.ts";
export * from "./schema/ratings.ts";
export * from "./schema/runs.ts";
export * from "./schema/shared.ts";
export * from "./schema/tasks.ts";
