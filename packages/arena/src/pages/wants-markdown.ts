/**
 * Whether a reader asks for Markdown rather than for the page: it names `text/markdown`, and HTML not more warmly. What
 * takes anything gets the page.
 */
export function wantsMarkdown(accept: string | undefined): boolean {
  const weight = (type: string) => {
    for (const part of accept?.split(",") ?? []) {
      const [name, ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
      if (name !== type) continue;
      const q = parameters.find((each) => each.startsWith("q="));
      return q === undefined ? 1 : Number(q.slice(2)) || 0;
    }
    return 0;
  };
  const markdown = Math.max(weight("text/markdown"), weight("text/x-markdown"));
  return markdown > 0 && markdown >= weight("text/html");
}
