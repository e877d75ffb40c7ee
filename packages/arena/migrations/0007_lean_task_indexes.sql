DROP INDEX "tasks_queued_prompt";--> statement-breakpoint
DROP INDEX "tasks_agent";--> statement-breakpoint
CREATE INDEX "tasks_agent" ON "tasks" USING btree ("agent_id","id") WHERE started_at is not null;