import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PageContent } from "./page-content.ts";

/** Where the built index.html takes what differs from page to page. */
const HEAD = "<!--page-->";

/** The one HTML document of the pages, with the head that a page has before any script runs: readers of links see no more. */
export async function createShell(staticDir: string): Promise<(page: Head, publicUrl: string) => string> {
  const html = await readFile(join(staticDir, "index.html"), "utf8");
  if (!html.includes(HEAD)) throw new Error(`${staticDir}/index.html is not what the pages' build makes`);
  const [before, after] = html.split(HEAD, 2) as [string, string];
  return (page, publicUrl) => before + headOf(page, publicUrl) + after;
}

type Head = Pick<PageContent, "title" | "description" | "card" | "private"> & { path: string };

function headOf(page: Head, publicUrl: string): string {
  const title = escapeHtml(`${page.title} · agon`);
  const description = escapeHtml(page.description);
  const tags = [
    `<title>${title}</title>`,
    `<meta name="description" content="${description}">`,
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${description}">`,
    `<meta property="og:type" content="website">`,
    `<meta property="og:url" content="${escapeHtml(publicUrl + page.path)}">`,
  ];
  if (page.private === true) tags.push(`<meta name="robots" content="noindex">`);
  if (page.card !== undefined) {
    tags.push(
      `<meta property="og:image" content="${escapeHtml(publicUrl + page.card)}">`,
      `<meta property="og:image:width" content="1200">`,
      `<meta property="og:image:height" content="630">`,
      `<meta name="twitter:card" content="summary_large_image">`,
    );
  }
  return tags.join("\n    ");
}

export function escapeHtml(text: string): string {
  const names: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (letter) => names[letter] as string);
}
