import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "postgresql",
  schema: "packages/arena/src/db/schema.ts",
  out: "packages/arena/migrations",
});
