DROP INDEX "tasks_run_queued";--> statement-breakpoint
DROP INDEX "tasks_deadline";--> statement-breakpoint
CREATE INDEX "prompts_gym" ON "prompts" USING btree ("id") WHERE kind = 'gym' and retired_at is null;--> statement-breakpoint
CREATE INDEX "tasks_run_queued" ON "tasks" USING btree ("agent_id","id") WHERE state = 'queued' and kind in ('scout', 'build', 'verify', 'critique');--> statement-breakpoint
CREATE INDEX "tasks_deadline" ON "tasks" USING btree ("deadline_at") WHERE state = 'running' and deadline_at is not null;