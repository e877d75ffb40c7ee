CREATE TABLE "meetings" (
	"agent_a" integer NOT NULL,
	"agent_b" integer NOT NULL,
	"shown" integer NOT NULL,
	"votes" integer NOT NULL,
	CONSTRAINT "meetings_agent_a_agent_b_pk" PRIMARY KEY("agent_a","agent_b")
);
--> statement-breakpoint
CREATE TABLE "ranking_items" (
	"category" text NOT NULL,
	"agent_id" integer NOT NULL,
	"rating" double precision NOT NULL,
	"se" double precision NOT NULL,
	"ci_low" double precision NOT NULL,
	"ci_high" double precision NOT NULL,
	"rank_low" integer,
	"rank_high" integer,
	"component" integer NOT NULL,
	CONSTRAINT "ranking_items_category_agent_id_pk" PRIMARY KEY("category","agent_id")
);
--> statement-breakpoint
CREATE TABLE "rankings" (
	"category" text PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"ruling_id" integer NOT NULL,
	"fitted_at" timestamp (3) with time zone NOT NULL,
	"fit_ms" double precision NOT NULL,
	"battles" integer NOT NULL,
	"both_bad" integer NOT NULL,
	"components" integer NOT NULL,
	"log_likelihood" double precision NOT NULL,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "ruling_votes" (
	"ruling_id" integer NOT NULL,
	"number" bigint NOT NULL,
	CONSTRAINT "ruling_votes_ruling_id_number_pk" PRIMARY KEY("ruling_id","number")
);
--> statement-breakpoint
CREATE TABLE "rulings" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rulings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"choice" jsonb NOT NULL,
	"reason" text NOT NULL,
	"decided_by" text NOT NULL,
	"decided_at" timestamp (3) with time zone NOT NULL,
	"position" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unknown_gates" (
	"answer_id" bigint NOT NULL,
	"gate" text NOT NULL,
	"detail" text NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "unknown_gates_answer_id_gate_pk" PRIMARY KEY("answer_id","gate")
);
--> statement-breakpoint
DROP INDEX "battles_pair";--> statement-breakpoint
ALTER TABLE "battles" ADD COLUMN "rejudges" bigint;--> statement-breakpoint
ALTER TABLE "battles" ADD COLUMN "replaced" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "votes" ADD COLUMN "elo_a" double precision;--> statement-breakpoint
ALTER TABLE "votes" ADD COLUMN "elo_b" double precision;--> statement-breakpoint
ALTER TABLE "votes" ADD COLUMN "ruling_id" integer;--> statement-breakpoint
CREATE INDEX "battles_decided" ON "battles" USING btree ("id") WHERE decided_at is not null;--> statement-breakpoint
CREATE INDEX "battles_agent_a" ON "battles" USING btree ("agent_a","id") WHERE decided_at is not null;--> statement-breakpoint
CREATE INDEX "battles_agent_b" ON "battles" USING btree ("agent_b","id") WHERE decided_at is not null;--> statement-breakpoint
CREATE INDEX "votes_agent_a" ON "votes" USING btree ("agent_a","number");--> statement-breakpoint
CREATE INDEX "votes_agent_b" ON "votes" USING btree ("agent_b","number");--> statement-breakpoint
CREATE INDEX "votes_judge" ON "votes" USING btree ("judge_kind","judge_id","number") WHERE judge_kind <> 'check';--> statement-breakpoint
CREATE UNIQUE INDEX "battles_pair" ON "battles" USING btree ("answer_a","answer_b","judged_by") WHERE not replaced;