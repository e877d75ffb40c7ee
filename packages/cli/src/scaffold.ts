import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Languages in which an agent can be begun. */
export const LANGUAGES = ["typescript", "python", "shell"] as const;

/** `typescript`, `python` or `shell`. */
export type Language = (typeof LANGUAGES)[number];

const FILES: { readonly [L in Language]: { readonly file: string; readonly command: readonly string[] } } = {
  typescript: { file: "agent.ts", command: ["node", "agent.ts"] },
  python: { file: "agent.py", command: ["python3", "agent.py"] },
  shell: { file: "agent.sh", command: ["sh", "agent.sh"] },
};

/** The program of an agent that was written down. */
export interface Scaffold {
  readonly path: string;
  /** How it is run from its folder. */
  readonly command: readonly string[];
}

/**
 * Writes the beginning of an agent into a folder: one file that runs as it is, without packages to install.
 *
 * @throws Error when there is such a file already, since it may be somebody's work
 */
export async function writeScaffold(language: Language, folder: string): Promise<Scaffold> {
  const { file, command } = FILES[language];
  // One level up from src and from dist alike.
  const text = await readFile(new URL(`../templates/${file}`, import.meta.url));
  const path = join(folder, file);
  await mkdir(folder, { recursive: true });
  await writeFile(path, text, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
    throw new Error(`${path} is there already. Choose another folder with --dir, or leave --language out to keep it.`);
  });
  if (language === "shell") await chmod(path, 0o755);
  return { path, command };
}
