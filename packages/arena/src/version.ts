import { readFileSync } from "node:fs";

/** This package's version, as npm knows it. */
export const AGON_VERSION = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;
