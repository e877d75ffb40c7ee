import { fileURLToPath } from "node:url";

/** Folder of the built pages, for whoever serves them. */
export const staticDir = fileURLToPath(new URL("./dist", import.meta.url));
