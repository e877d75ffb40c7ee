CREATE TABLE "activations" (
	"agent_id" integer PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"revision" integer NOT NULL,
	"state" text NOT NULL,
	"steps" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"alive_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "agent_transitions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "agent_transitions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"agent_id" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"from_status" text,
	"to_status" text NOT NULL,
	"cause" text NOT NULL,
	"detail" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "completions" (
	"task_uuid" uuid NOT NULL,
	"signature" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "completions_pkey" PRIMARY KEY("task_uuid","signature")
);
--> statement-breakpoint
CREATE TABLE "health_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "health_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"agent_id" integer NOT NULL,
	"kind" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"ok" boolean NOT NULL,
	"http_status" integer,
	"latency_ms" integer,
	"detail" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "task_payloads" (
	"task_id" bigint PRIMARY KEY NOT NULL,
	"payload" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "status" text;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "status_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "failures_in_row" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "successes_in_row" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "next_probe_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "cooldown_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "cooldown_cause" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "run_id" uuid;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "slot_id" bigint;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "candidate_id" uuid;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "claim_by" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "acknowledged_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "prompt_tokens" integer;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "completion_tokens" integer;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "model_id" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "note" text;--> statement-breakpoint
CREATE INDEX "agent_transitions_agent" ON "agent_transitions" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "completions_age" ON "completions" USING btree ("at");--> statement-breakpoint
CREATE INDEX "health_checks_agent" ON "health_checks" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "health_checks_age" ON "health_checks" USING btree ("at");--> statement-breakpoint
CREATE INDEX "agents_probe" ON "agents" USING btree ("next_probe_at") WHERE next_probe_at is not null;--> statement-breakpoint
CREATE INDEX "agents_status" ON "agents" USING btree ("status") WHERE status is not null;--> statement-breakpoint
CREATE INDEX "tasks_run_queued" ON "tasks" USING btree ("id") WHERE state = 'queued' and kind in ('scout', 'build', 'verify', 'critique');--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_wire" ON "tasks" USING btree ("uuid") WHERE kind in ('scout', 'build', 'verify', 'critique');--> statement-breakpoint
CREATE INDEX "tasks_slot" ON "tasks" USING btree ("slot_id") WHERE slot_id is not null;