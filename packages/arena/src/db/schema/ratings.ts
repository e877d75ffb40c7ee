import { bigint, doublePrecision, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { time } from "./columns.ts";

/** The published ranking of a category (`''`: over all), as of a position in the log. */
export const rankings = pgTable("rankings", {
  category: text("category").primaryKey(),
  /** The last vote that it covers. */
  position: bigint("position", { mode: "number" }).notNull(),
  /** The last ruling that it covers; 0 before the first. */
  rulingId: integer("ruling_id").notNull(),
  fittedAt: time("fitted_at").notNull(),
  fitMs: doublePrecision("fit_ms").notNull(),
  battles: integer("battles").notNull(),
  bothBad: integer("both_bad").notNull(),
  components: integer("components").notNull(),
  logLikelihood: doublePrecision("log_likelihood").notNull(),
  /** Why the latest fit was not published; what is shown is then the one before. */
  problem: text("problem"),
});

export const rankingItems = pgTable(
  "ranking_items",
  {
    category: text("category").notNull(),
    agentId: integer("agent_id").notNull(),
    rating: doublePrecision("rating").notNull(),
    se: doublePrecision("se").notNull(),
    ciLow: doublePrecision("ci_low").notNull(),
    ciHigh: doublePrecision("ci_high").notNull(),
    /** Null for who is not on the board. */
    rankLow: integer("rank_low"),
    rankHigh: integer("rank_high"),
    component: integer("component").notNull(),
  },
  (table) => [primaryKey({ columns: [table.category, table.agentId] })],
);

/** How often two agents were before judges together, and how many of these votes count. `agent_a` is the smaller id. */
export const meetings = pgTable(
  "meetings",
  {
    agentA: integer("agent_a").notNull(),
    agentB: integer("agent_b").notNull(),
    shown: integer("shown").notNull(),
    votes: integer("votes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.agentA, table.agentB] })],
);

/** Elo and record per agent, over all (category `''`) and in each category. */
export const standings = pgTable(
  "standings",
  {
    agentId: integer("agent_id").notNull(),
    category: text("category").notNull(),
    elo: doublePrecision("elo").notNull(),
    battles: integer("battles").notNull(),
    wins: integer("wins").notNull(),
    losses: integer("losses").notNull(),
    ties: integer("ties").notNull(),
    bothBad: integer("both_bad").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.category] }),
    index("standings_board").on(table.category, table.elo),
  ],
);
