import { defineConfig } from "vitest/config";

const conditions = ["@agon/source", "module", "node", "development|production"];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["@agon/source"] } },
  test: {
    execArgv: ["--conditions=@agon/source"],
    // One more than two cores: some files wait for real seconds to pass, as a runner's minute or a demo's half.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is polled for is a matter of milliseconds; a machine that does something else meanwhile is no failure.
    expect: { poll: { timeout: 10_000 } },
    reporters: ["default", "json"],
    outputFile: { json: "node_modules/.cache/vitest/report.json" },
    // Two projects, because a project's global setup runs only when one of its files does: the pure packages
    // never pay for, or fail over, a database server.
    projects: [
      {
        extends: true,
        test: { name: "pure", include: ["packages/{protocol,probes,agent}/test/**/*.test.ts", "scripts/**/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "arena",
          include: ["packages/{arena,cli}/test/**/*.test.ts"],
          globalSetup: ["packages/arena/test/support/postgres-server.ts", "packages/arena/test/support/pglite-dump.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "pages",
          include: ["packages/web/test/**/*.test.ts"],
          globalSetup: ["packages/web/test/support/chromium-notice.ts", "packages/arena/test/support/pglite-dump.ts"],
        },
      },
    ],
  },
});
