import { defineConfig } from "vitest/config";

const conditions = ["@agon/source", "module", "node", "development|production"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["@agon/source"] } },
  test: {
    execArgv: ["--conditions=@agon/source"],
    include: ["packages/*/test/**/*.test.ts", "scripts/**/*.test.ts"],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ["default", "json"] : ["default", "json"],
    outputFile: { json: "node_modules/.cache/vitest/report.json" },
  },
});
