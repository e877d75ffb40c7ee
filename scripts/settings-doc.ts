import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { SETTINGS } from "../packages/arena/src/config.ts";

/** Writes docs/settings.md from the settings themselves; with --check only says whether it is in step. */
const path = fileURLToPath(new URL("../docs/settings.md", import.meta.url));

function render(): string {
  const rows = Object.values(SETTINGS).map(({ env, schema, about }) => {
    const parsed = schema.safeParse(undefined);
    const value = parsed.success && parsed.data !== undefined ? `\`${String(parsed.data)}\`` : "";
    return `| \`${env}\` | ${value} | ${about} |`;
  });
  return [
    "# Settings",
    "",
    "Environment variables of `agon serve`. A flag of the same meaning wins. An empty variable counts as not set; a wrong",
    "value ends the start with a line that names it; an unknown `AGON_` name is a warning with the nearest known one.",
    "",
    "| variable | default | what it is for |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

const text = render();
if (process.argv.includes("--check")) {
  let kept = "";
  try {
    kept = readFileSync(path, "utf8");
  } catch {
    // A page that is not there is as out of step as a wrong one.
  }
  if (kept !== text) {
    console.error("docs/settings.md is not in step with the settings: run npm run docs");
    process.exitCode = 1;
  }
} else writeFileSync(path, text);
