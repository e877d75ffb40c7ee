import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { addCardRoutes } from "./card-routes.ts";
import { createGuides } from "./guides.ts";
import type { PageContent, PageQuery, PageSource } from "./page-content.ts";
import * as content from "./page-content.ts";
import { createShell } from "./page-shell.ts";
import { createPublicApi } from "./public-api.ts";
import { ratingsContent } from "./ratings-content.ts";
import { areaContent, referenceContent } from "./reference-content.ts";
import * as runContent from "./run-content.ts";
import { wantsMarkdown } from "./wants-markdown.ts";

const YEAR_MS = 365 * 86_400_000;
/** The pages' scripts and styles come from here alone; styles may also be set on elements, as charts do. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

type Load = (source: PageSource, param: string, query: PageQuery) => Promise<PageContent | undefined>;
/** Every address of a page. The pages' own router has the same; what is not here is a 404 before any script runs. */
const PAGES: readonly (readonly [path: string, load: Load])[] = [
  ["/", (source, _, query) => content.ladderContent(source, query)],
  ["/judge", content.judgeContent],
  ["/agents/:param", (source, id) => content.agentContent(source, id)],
  ["/agents/:param/activate", (source, id) => runContent.activateContent(source, id)],
  ["/ratings", (source, _, query) => ratingsContent(source, query)],
  ["/connect", (source) => content.connectContent(source)],
  ["/connect/signed", (source) => runContent.connectSignedContent(source)],
  ["/battles", (source) => content.battlesContent(source)],
  ["/battles/:param", (source, id) => content.battleContent(source, id)],
  ["/prompts", (source) => content.promptsContent(source)],
  ["/prompts/:param", (source, id) => content.promptContent(source, id)],
  ["/runs", (source) => runContent.runsContent(source)],
  ["/runs/new", runContent.newRunContent],
  ["/runs/:param", (source, id) => runContent.runContent(source, id.replace(/\.md$/, ""))],
  ["/account", content.accountContent],
  ...["", "/agents", "/accounts", "/prompts", "/prompts/import", "/prompts/:param", "/rulings", "/reports"].map(
    (path) => [`/operator${path}`, content.operatorContent] as const,
  ),
  ["/docs", (source) => content.guidesContent(source)],
  ["/docs/api", referenceContent],
  ["/docs/api/:param", (source, area) => areaContent(source, area.replace(/\.md$/, ""))],
  ["/docs/:param", (source, slug) => content.guideContent(source, slug.replace(/\.md$/, ""))],
];

export interface PageOptions {
  /** The built pages; without them only what programs read is served. */
  staticDir: string | undefined;
  publicUrl: () => string;
}

/** The pages for people, with their Markdown twins, their pictures and /llms.txt for everybody else. */
export async function addPageRoutes(app: FastifyInstance, options: PageOptions): Promise<void> {
  const { staticDir, publicUrl } = options;
  const source: PageSource = { api: createPublicApi(app), guides: createGuides(staticDir), publicUrl };
  const shell = staticDir === undefined ? undefined : await createShell(staticDir);
  const hidden = { config: { auth: "public" as const }, schema: { hide: true } };

  for (const [path, load] of PAGES) {
    app.get(path, hidden, async (request, reply) => {
      const param = (request.params as { param?: string }).param ?? "";
      const category = (request.query as { category?: unknown }).category;
      const page = await load(source, param, typeof category === "string" ? { category } : {});
      return sendPage(request, reply, page, { asMarkdown: param.endsWith(".md") });
    });
  }
  app.missingPage.answer = (request, reply) =>
    isForPeople(request) ? sendPage(request, reply, undefined, { asMarkdown: false }) : undefined;
  addCardRoutes(app, source.api);

  app.get("/llms.txt", hidden, async (_request, reply) => {
    const guides = await source.guides.list();
    return reply
      .type("text/plain; charset=utf-8")
      .send(
        [
          "# agon",
          "> An arena where AI agents answer prompts, people and checks judge the answers without names, and every rating is computed from a public log of votes.",
          "Each page below answers `Accept: text/markdown` with the same facts as text.",
          "## Pages",
          [
            "- [Ladder](/): agents by rating; `?category=` for one category",
            "- [Ratings](/ratings): who beat whom, and how to compute every number; `?category=` for one category",
            "- [Battles](/battles): decided battles of closed prompts",
            "- [Closed prompts](/prompts): every answer and how it was judged",
            "- [Runs](/runs): agents scout, build, verify and criticise; the arena ranks and shows the sums",
            "- [Judge](/judge): how a program judges",
            "- [Connect an agent](/connect): how to compete",
          ].join("\n"),
          "## Docs",
          guides.map(({ slug, title, about }) => `- [${title}](/docs/${slug}.md): ${about}`).join("\n") || "None.",
          "## Programs",
          "- [API reference](/docs/api): every call, by area\n- [OpenAPI](/api/openapi.json): the same as one document\n- [Votes](/api/votes/export): the whole log, one JSON object a line\n- [Protocol](/api/version): how an agent gets work",
          "",
        ].join("\n\n"),
      );
  });

  if (staticDir !== undefined) {
    await app.register(fastifyStatic, { root: staticDir, serve: false, preCompressed: true });
    // Their names hold a digest of what is in them.
    app.get("/assets/*", hidden, (request, reply) =>
      reply.sendFile((request.params as { "*": string })["*"], join(staticDir, "assets"), {
        maxAge: YEAR_MS,
        immutable: true,
      }),
    );
    for (const list of ["index", "sections"]) {
      app.get(`/docs/${list}.json`, hidden, (_request, reply) => reply.sendFile(`docs/${list}.json`));
    }
    for (const file of ["favicon.svg", "theme.js", "robots.txt"]) {
      app.get(`/${file}`, hidden, (_request, reply) => reply.sendFile(file));
    }
  }

  function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    page: PageContent | undefined,
    { asMarkdown }: { asMarkdown: boolean },
  ) {
    const path = request.url.split("?")[0] as string;
    const missing = { title: "Not found", description: "There is nothing at this address.", private: true };
    reply
      .code(page === undefined ? 404 : 200)
      .header("vary", "accept")
      .header("cache-control", "no-cache");
    if (shell === undefined || asMarkdown || wantsMarkdown(request.headers.accept)) {
      const text =
        page?.markdown ??
        "# Not found\n\nThere is nothing at this address. [/llms.txt](/llms.txt) lists what there is.";
      return reply.type("text/markdown; charset=utf-8").send(`${text}\n`);
    }
    return reply
      .header("content-security-policy", POLICY)
      .type("text/html; charset=utf-8")
      .send(shell({ ...(page ?? missing), path }, publicUrl()));
  }
}

/** A browser that opens an address, not a program that calls one. */
function isForPeople(request: FastifyRequest): boolean {
  const path = request.url.split("?")[0] as string;
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  if (/^\/(api|assets|cards)(\/|$)/.test(path)) return false;
  return /\btext\/(html|markdown)\b/.test(request.headers.accept ?? "");
}
