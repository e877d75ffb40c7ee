CREATE TABLE "accounts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"username" text NOT NULL,
	"display_name" text,
	"email" text,
	"bio" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"banned_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "agents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"name" text NOT NULL,
	"transport" text NOT NULL,
	"dialect" text NOT NULL,
	"url" text,
	"owner_handle" text NOT NULL,
	"model_claimed" text,
	"cost_claimed" text,
	"tools_claimed" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"description" text,
	"roles" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"secret_sealed" text NOT NULL,
	"secret_hash" text NOT NULL,
	"max_concurrent" integer DEFAULT 1 NOT NULL,
	"max_tasks_per_day" integer,
	"ping_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deactivated_at" timestamp (3) with time zone,
	"paused_at" timestamp (3) with time zone,
	"suspended_at" timestamp (3) with time zone,
	"banned_at" timestamp (3) with time zone,
	"gym_completed_at" timestamp (3) with time zone,
	"next_push_at" timestamp (3) with time zone,
	"last_polled_at" timestamp (3) with time zone,
	"fault_streak" integer DEFAULT 0 NOT NULL,
	"slowed_until" timestamp (3) with time zone,
	"slowed_cause" text
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "api_keys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"account_id" integer NOT NULL,
	"key_hash" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "api_keys_key_hash_unique" UNIQUE("key_hash")
);
--> statement-breakpoint
CREATE TABLE "assignments" (
	"agent_id" integer NOT NULL,
	"prompt_id" integer NOT NULL,
	CONSTRAINT "assignments_pkey" PRIMARY KEY("agent_id","prompt_id")
);
--> statement-breakpoint
CREATE TABLE "battles" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "battles_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"prompt_id" integer NOT NULL,
	"answer_a" bigint NOT NULL,
	"answer_b" bigint NOT NULL,
	"agent_a" integer NOT NULL,
	"agent_b" integer NOT NULL,
	"judged_by" text NOT NULL,
	"votes" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "counters" (
	"name" text PRIMARY KEY NOT NULL,
	"value" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"agent_id" integer NOT NULL,
	"task_id" bigint,
	"purpose" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"url" text,
	"request_headers" jsonb,
	"request_body" text,
	"request_bytes" integer,
	"status" integer,
	"response_headers" jsonb,
	"response_body" text,
	"response_bytes" integer,
	"timings" jsonb,
	"verdict" text NOT NULL,
	"cause" text,
	"fault" text,
	"detail" text NOT NULL,
	"advice" text
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "presentations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"battle_id" bigint NOT NULL,
	"judge_kind" text NOT NULL,
	"judge_id" text NOT NULL,
	"answer_a" bigint NOT NULL,
	"answer_b" bigint NOT NULL,
	"flipped" boolean NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "prompts" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "prompts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"external_id" text,
	"kind" text NOT NULL,
	"prompt" text NOT NULL,
	"category" text NOT NULL,
	"deadline_seconds" integer,
	"check" jsonb,
	"reference" text,
	"source" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"retired_at" timestamp (3) with time zone,
	"opened_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"answers" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "prompts_external_id_unique" UNIQUE("external_id")
);
--> statement-breakpoint
CREATE TABLE "reports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "reports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"presentation_id" uuid NOT NULL,
	"answer_id" bigint NOT NULL,
	"judge_kind" text NOT NULL,
	"judge_id" text NOT NULL,
	"reason" text NOT NULL,
	"comment" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "standings" (
	"agent_id" integer NOT NULL,
	"category" text NOT NULL,
	"elo" double precision NOT NULL,
	"battles" integer NOT NULL,
	"wins" integer NOT NULL,
	"losses" integer NOT NULL,
	"ties" integer NOT NULL,
	"both_bad" integer NOT NULL,
	CONSTRAINT "standings_agent_id_category_pk" PRIMARY KEY("agent_id","category")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tasks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"uuid" uuid NOT NULL,
	"agent_id" integer NOT NULL,
	"kind" text NOT NULL,
	"prompt_id" integer,
	"state" text NOT NULL,
	"test" boolean DEFAULT false NOT NULL,
	"deadline_seconds" integer NOT NULL,
	"inserted_at" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone,
	"deadline_at" timestamp (3) with time zone,
	"finished_at" timestamp (3) with time zone,
	"undelivered" boolean DEFAULT false NOT NULL,
	"response" text,
	"error" text,
	"cause" text,
	"latency_ms" integer,
	"judged_at" timestamp (3) with time zone,
	"check_right" boolean,
	"check_followed" boolean DEFAULT false NOT NULL,
	"votable" boolean DEFAULT false NOT NULL,
	"votes" integer DEFAULT 0 NOT NULL,
	"names_itself" boolean DEFAULT false NOT NULL,
	"hidden_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "votes" (
	"number" bigint PRIMARY KEY NOT NULL,
	"battle_id" bigint NOT NULL,
	"judge_kind" text NOT NULL,
	"judge_id" text NOT NULL,
	"outcome" text NOT NULL,
	"agent_a" integer NOT NULL,
	"agent_b" integer NOT NULL,
	"category" text NOT NULL,
	"counted" boolean NOT NULL,
	"cast_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "agents" ADD CONSTRAINT "agents_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presentations" ADD CONSTRAINT "presentations_battle_id_battles_id_fk" FOREIGN KEY ("battle_id") REFERENCES "public"."battles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_username" ON "accounts" USING btree (lower("username"));--> statement-breakpoint
CREATE INDEX "agents_account" ON "agents" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "agents_push" ON "agents" USING btree ("next_push_at") WHERE transport = 'push' and ping_error is null and deactivated_at is null and suspended_at is null and banned_at is null;--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "battles_prompt" ON "battles" USING btree ("prompt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "battles_pair" ON "battles" USING btree ("answer_a","answer_b","judged_by");--> statement-breakpoint
CREATE INDEX "deliveries_agent" ON "deliveries" USING btree ("agent_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "presentations_live" ON "presentations" USING btree ("battle_id") WHERE state = 'live';--> statement-breakpoint
CREATE INDEX "presentations_judge" ON "presentations" USING btree ("judge_kind","judge_id","created_at");--> statement-breakpoint
CREATE INDEX "presentations_expiry" ON "presentations" USING btree ("expires_at") WHERE state = 'live';--> statement-breakpoint
CREATE INDEX "prompts_open" ON "prompts" USING btree ("opened_at") WHERE kind = 'main' and closed_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "reports_once" ON "reports" USING btree ("presentation_id","answer_id");--> statement-breakpoint
CREATE INDEX "standings_board" ON "standings" USING btree ("category","elo");--> statement-breakpoint
CREATE INDEX "tasks_queued" ON "tasks" USING btree ("agent_id","id") WHERE state = 'queued';--> statement-breakpoint
CREATE INDEX "tasks_test_queued" ON "tasks" USING btree ("agent_id") WHERE state = 'queued' and test;--> statement-breakpoint
CREATE INDEX "tasks_running" ON "tasks" USING btree ("agent_id","id") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "tasks_deadline" ON "tasks" USING btree ("deadline_at") WHERE state = 'running';--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_one_ahead" ON "tasks" USING btree ("agent_id") WHERE state = 'queued' and kind in ('gym', 'main') and not test;--> statement-breakpoint
CREATE UNIQUE INDEX "tasks_gym_in_work" ON "tasks" USING btree ("agent_id","prompt_id") WHERE state in ('queued', 'running') and kind = 'gym' and not test;--> statement-breakpoint
CREATE INDEX "tasks_agent" ON "tasks" USING btree ("agent_id","id");--> statement-breakpoint
CREATE INDEX "tasks_unjudged" ON "tasks" USING btree ("id") WHERE state = 'completed' and kind = 'main' and judged_at is null;--> statement-breakpoint
CREATE INDEX "tasks_answers" ON "tasks" USING btree ("prompt_id","id") WHERE state = 'completed' and kind = 'main';--> statement-breakpoint
CREATE INDEX "tasks_votable" ON "tasks" USING btree ("names_itself","votes","id") WHERE votable;--> statement-breakpoint
CREATE INDEX "tasks_partners" ON "tasks" USING btree ("prompt_id","names_itself","votes","id") WHERE votable;--> statement-breakpoint
CREATE INDEX "tasks_queued_prompt" ON "tasks" USING btree ("prompt_id") WHERE state = 'queued' and kind = 'main';--> statement-breakpoint
CREATE UNIQUE INDEX "votes_once" ON "votes" USING btree ("battle_id","judge_kind","judge_id");--> statement-breakpoint
INSERT INTO "counters" ("name", "value") VALUES ('votes', 0);