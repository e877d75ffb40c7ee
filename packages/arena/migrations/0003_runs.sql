CREATE TABLE "candidates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"number" integer NOT NULL,
	"task_id" bigint NOT NULL,
	"agent_id" integer NOT NULL,
	"account_id" integer NOT NULL,
	"title" text NOT NULL,
	"state" text NOT NULL,
	"duplicate_of" uuid,
	"reason" text,
	"plan_task_id" bigint,
	"terms" jsonb,
	"score" double precision,
	"rank" integer
);
--> statement-breakpoint
CREATE TABLE "contributions" (
	"task_id" bigint PRIMARY KEY NOT NULL,
	"run_id" uuid NOT NULL,
	"slot_id" bigint NOT NULL,
	"agent_id" integer NOT NULL,
	"role" text NOT NULL,
	"score" double precision NOT NULL,
	"terms" jsonb NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"number" bigint GENERATED ALWAYS AS IDENTITY (sequence name "runs_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"goal" text NOT NULL,
	"launchpad" text NOT NULL,
	"pack" jsonb NOT NULL,
	"scouts" integer NOT NULL,
	"builders_per_candidate" integer NOT NULL,
	"verifiers_per_candidate" integer NOT NULL,
	"critics_per_candidate" integer NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"winner_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "slots" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "slots_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"run_id" uuid NOT NULL,
	"phase" text NOT NULL,
	"candidate_id" uuid,
	"position" integer NOT NULL,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"losses" integer DEFAULT 0 NOT NULL,
	"waiting_since" timestamp (3) with time zone NOT NULL,
	"task_id" bigint,
	"agent_id" integer,
	"own_account" boolean DEFAULT false NOT NULL,
	"cause" text,
	"detail" text,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "candidates_number" ON "candidates" USING btree ("run_id","number");--> statement-breakpoint
CREATE INDEX "contributions_agent" ON "contributions" USING btree ("agent_id","role","at");--> statement-breakpoint
CREATE INDEX "contributions_run" ON "contributions" USING btree ("run_id");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_number" ON "runs" USING btree ("number");--> statement-breakpoint
CREATE INDEX "runs_account" ON "runs" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "runs_open" ON "runs" USING btree ("number") WHERE finished_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "slots_place" ON "slots" USING btree ("run_id","phase",coalesce("candidate_id", "run_id"),"position");--> statement-breakpoint
CREATE INDEX "slots_open" ON "slots" USING btree ("run_id") WHERE state in ('waiting', 'working');