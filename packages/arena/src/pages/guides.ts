import { readFile } from "node:fs/promises";
import { join } from "node:path";

export interface Guide {
  slug: string;
  title: string;
  /** Its first sentence. */
  about: string;
}

/** The guides that were built into the pages. */
export interface Guides {
  list(): Promise<readonly Guide[]>;
  find(slug: string): Promise<(Guide & { markdown: string }) | undefined>;
}

/** Reads each file when it is asked for, by a name of the list only: no path is made of what a visitor sends. */
export function createGuides(staticDir: string | undefined): Guides {
  const folder = staticDir === undefined ? undefined : join(staticDir, "docs");
  const list = async (): Promise<readonly Guide[]> => {
    if (folder === undefined) return [];
    return JSON.parse(await readFile(join(folder, "index.json"), "utf8"));
  };
  return {
    list,
    async find(slug) {
      const guide = (await list()).find((each) => each.slug === slug);
      if (guide === undefined || folder === undefined) return undefined;
      return { ...guide, markdown: await readFile(join(folder, `${guide.slug}.md`), "utf8") };
    },
  };
}
