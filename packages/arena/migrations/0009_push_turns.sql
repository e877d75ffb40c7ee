CREATE TABLE "push_turns" (
	"agent_id" integer PRIMARY KEY NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	"taken" integer DEFAULT 0 NOT NULL,
	"resting" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
INSERT INTO "push_turns" ("agent_id", "next_at")
SELECT "id", coalesce("next_push_at", "created_at") FROM "agents" WHERE "transport" = 'push' and "dialect" = 'tesserax' and "deactivated_at" is null;--> statement-breakpoint
CREATE INDEX "push_turns_due" ON "push_turns" USING btree ("next_at");--> statement-breakpoint
DROP INDEX "agents_push";--> statement-breakpoint
ALTER TABLE "agents" DROP COLUMN "next_push_at";--> statement-breakpoint
ALTER TABLE "tasks" ALTER COLUMN "uuid" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "request_headers" SET DATA TYPE json USING "request_headers"::json;--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "response_headers" SET DATA TYPE json USING "response_headers"::json;--> statement-breakpoint
ALTER TABLE "deliveries" ALTER COLUMN "timings" SET DATA TYPE json USING "timings"::json;--> statement-breakpoint
DROP INDEX "deliveries_agent";--> statement-breakpoint
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_pkey";--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_pkey" PRIMARY KEY ("agent_id","id");
