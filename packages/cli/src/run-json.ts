import type { RunEvent, WebhookEvent } from "@agon/agent";

/**
 * An event of a run as a program reads it: flat, snake_case names, with the time. Polls that brought nothing are left
 * out; a reader would wait through thousands of them.
 */
export function toJsonEvent(event: RunEvent | WebhookEvent, at: Date): Record<string, unknown> | undefined {
  if (event.type === "polling" || event.type === "idle") return undefined;
  const { type, ...rest } = event;
  const fields: Record<string, unknown> = { at: at.toISOString(), type };
  for (const [name, value] of Object.entries(rest)) {
    if (name !== "work") fields[toSnakeCase(name)] = typeof value === "number" ? Math.round(value) : value;
  }
  if ("work" in event && event.work !== undefined) {
    const { kind, work_id, prompt_id, category } = event.work;
    Object.assign(fields, { kind, work_id, prompt_id, category });
  }
  return fields;
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
