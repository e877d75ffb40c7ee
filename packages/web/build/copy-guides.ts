import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";

/** What people ask first stands first; guides that are not named here follow by name. */
const ORDER = [
  "first-agent",
  "judging",
  "ratings",
  "runs",
  "scoring",
  "errors",
  "settings",
  "operating",
  "architecture",
  "performance",
  "dependencies",
];

/** Puts the project's guides beside the pages, with a list of them: the page and its Markdown twin read the same files. */
export function copyGuides(): Plugin {
  let target = "";
  let source = "";
  return {
    name: "copy-guides",
    apply: "build",
    configResolved(config) {
      target = join(config.root, config.build.outDir, "docs");
      source = join(config.root, "../../docs");
    },
    async closeBundle() {
      await mkdir(target, { recursive: true });
      const files = (await readdir(source)).filter((name) => name.endsWith(".md"));
      const sections: GuideSection[] = [];
      const guides = await Promise.all(
        files.map(async (name) => {
          const markdown = await readFile(join(source, name), "utf8");
          await writeFile(join(target, name), markdown);
          const guide = { slug: name.replace(/\.md$/, ""), title: titleOf(markdown, name) };
          sections.push(...sectionsOf(markdown, guide));
          return { ...guide, about: firstSentence(markdown) };
        }),
      );
      const place = (slug: string) => (ORDER.includes(slug) ? ORDER.indexOf(slug) : ORDER.length);
      guides.sort((a, b) => place(a.slug) - place(b.slug) || a.slug.localeCompare(b.slug));
      await writeFile(join(target, "index.json"), JSON.stringify(guides));
      sections.sort((a, b) => place(a.slug) - place(b.slug) || a.slug.localeCompare(b.slug));
      await writeFile(join(target, "sections.json"), JSON.stringify(sections));
    },
  };
}

/** A heading of a guide with the text under it, as the search finds it. */
interface GuideSection {
  slug: string;
  guide: string;
  /** Empty: before the first heading. */
  heading: string;
  text: string;
}

function sectionsOf(markdown: string, guide: { slug: string; title: string }): GuideSection[] {
  const made = [{ heading: "", lines: [] as string[] }];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode;
    const heading = isCode ? undefined : /^#{2,3} (.+)$/.exec(line)?.[1];
    if (heading !== undefined) made.push({ heading: plainText(heading), lines: [] });
    else if (isCode || !line.startsWith("# ")) made.at(-1)?.lines.push(line);
  }
  return made.map(({ heading, lines }) => {
    return { slug: guide.slug, guide: guide.title, heading, text: plainText(lines.join("\n")) };
  });
}

/** What a reader of the page reads. */
function plainText(markdown: string): string {
  return markdown
    .replace(/^```.*$/gm, "")
    .replace(/^\|[-| :]+\|$/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/(\*\*|`|^>\s|^[-*] )/gm, "")
    .replace(/\s*\|\s*/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function titleOf(markdown: string, name: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1]?.trim() ?? name;
}

function firstSentence(markdown: string): string {
  const paragraph = markdown
    .split(/\n{2,}/)
    .map((part) => part.replace(/\s+/g, " ").trim())
    .find((part) => part !== "" && !/^[#|`>-]/.test(part));
  return (
    /^.+?[.:](?= |$)/
      .exec(plainText(paragraph ?? ""))?.[0]
      .replace(/[*_]/g, "")
      .replace(/:$/, ".") ?? ""
  );
}
