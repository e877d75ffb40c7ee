import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createArena } from "../../src/arena.ts";
import { loadConfig } from "../../src/config.ts";
import { canDraw, drawableText, faceFor } from "../../src/pages/card-letters.ts";
import { openTestDatabase, type TestDatabase } from "../support/open-databases.ts";
import { createManualClock, registerAgent, SECRET_KEY, type TestArena } from "../support/test-arena.ts";

const SHELL = `<!doctype html><html><head><!--page--></head><body><div id="root"></div></body></html>`;

/** A folder as the pages' build makes it, with as little in it as can be served. */
function makeStaticDir(): string {
  const folder = mkdtempSync(join(tmpdir(), "agon-pages-"));
  mkdirSync(join(folder, "assets"));
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "index.html"), SHELL);
  writeFileSync(join(folder, "favicon.svg"), "<svg/>");
  writeFileSync(join(folder, "theme.js"), "// theme");
  writeFileSync(join(folder, "robots.txt"), "User-agent: *");
  writeFileSync(join(folder, "assets/page-abc.js"), "console.log(1)");
  writeFileSync(join(folder, "assets/page-abc.js.gz"), gzipSync("console.log(1)"));
  writeFileSync(join(folder, "docs/judging.md"), "# How it is judged\n\nBy people.\n");
  writeFileSync(
    join(folder, "docs/index.json"),
    JSON.stringify([{ slug: "judging", title: "How it is judged", about: "By people." }]),
  );
  return folder;
}

describe("the pages", () => {
  const staticDir = makeStaticDir();
  let database: TestDatabase;
  let arena: TestArena;
  let agentId: number;
  beforeAll(async () => {
    database = await openTestDatabase("pglite");
    const { config } = loadConfig({ registrationsPerHour: 0, publicUrl: "https://arena.example" });
    const ports = {
      log: pino({ level: "silent" }),
      random: {
        bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
        uuid: () => crypto.randomUUID(),
      },
      clock: createManualClock(),
    };
    const keys = { secretKey: SECRET_KEY, adminKey: undefined };
    arena = (await createArena(config, ports, database, keys, { staticDir })) as TestArena;
    await arena.app.ready();
    agentId = (await registerAgent(arena, `<b>"bold" & *starred* | [x](y)</b>`)).id;
  });
  afterAll(async () => {
    await arena.stop();
    await database.close();
    rmSync(staticDir, { recursive: true, force: true });
  });

  const get = (url: string, accept = "text/html,*/*;q=0.8") => arena.app.inject({ url, headers: { accept } });

  it("come with the head of their own, escaped, and with a picture under the public URL", async () => {
    const answer = await get(`/agents/${agentId}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.body).toContain("<title>&lt;b&gt;&quot;bold&quot; &amp; *starred* | [x](y)&lt;/b&gt; · agon</title>");
    expect(answer.body).toContain(`content="https://arena.example/cards/agents/${agentId}.png"`);
    expect(answer.body).not.toContain("<b>");
  });

  it("allow scripts of their own origin only, none inline, and no other site's frame", async () => {
    for (const url of ["/", "/judge", "/nothing"]) {
      const policy = String((await get(url)).headers["content-security-policy"]);
      expect([url, policy]).toEqual([url, expect.stringContaining("script-src 'self';")]);
      expect([url, policy]).toEqual([url, expect.stringContaining("frame-ancestors 'none'")]);
      expect([url, policy.match(/https?:/)]).toEqual([url, null]);
    }
  });

  it("are 404 where there is nothing, as a page to people and as a problem to programs", async () => {
    for (const url of ["/nothing", "/agents/999", "/agents/x", "/battles/7", "/prompts/7", "/docs/nothing", "/a/b/c"]) {
      const page = await get(url);
      expect([url, page.statusCode, page.headers["content-type"]]).toEqual([url, 404, "text/html; charset=utf-8"]);
    }
    for (const [url, accept] of [
      ["/nothing", "*/*"],
      ["/api/nothing", "text/html"],
      ["/assets/nothing.js", "text/html"],
      ["/cards/agents/999.png", "image/png"],
    ] as const) {
      const answer = await get(url, accept);
      expect([url, answer.statusCode, answer.headers["content-type"]]).toEqual([
        url,
        404,
        "application/problem+json; charset=utf-8",
      ]);
    }
  });

  it("have Markdown twins for who asks for them, of what a name holds no markup", async () => {
    const answer = await get(`/agents/${agentId}`, "text/markdown");
    expect(answer.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect(answer.headers.vary).toBe("accept");
    expect(answer.body).toContain('# \\<b\\>"bold" \\& \\*starred\\* \\| \\[x\\](y)\\</b\\>');
    expect((await get("/", "text/markdown")).body).toContain("1 agents");
    expect((await get("/docs/judging", "text/markdown, text/html;q=0.5")).body).toContain("# How it is judged");
    expect((await get("/docs/judging.md", "*/*")).headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect((await get("/nothing", "text/markdown")).statusCode).toBe(404);
    for (const accept of ["text/html", "text/html, text/markdown;q=0.9", "*/*", "text/markdown;q=0"]) {
      expect([accept, (await get("/", accept)).headers["content-type"]]).toEqual([accept, "text/html; charset=utf-8"]);
    }
  });

  it("are listed for language models, guides included", async () => {
    const { body } = await get("/llms.txt");
    for (const part of ["](/battles)", "](/docs/judging.md): By people.", "](/api/openapi.json)"]) {
      expect(body).toContain(part);
    }
  });

  it("serve hashed files for ever and compressed as they were built, others to be asked for again", async () => {
    const asset = await arena.app.inject({ url: "/assets/page-abc.js", headers: { "accept-encoding": "gzip" } });
    expect(asset.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(asset.headers["content-encoding"]).toBe("gzip");
    expect((await get("/")).headers["cache-control"]).toBe("no-cache");
    for (const file of ["/favicon.svg", "/theme.js", "/robots.txt", "/docs/index.json"]) {
      expect([file, (await get(file)).statusCode]).toEqual([file, 200]);
    }
  });

  it("have cards as SVG and PNG", async () => {
    const { apiKey } = await registerAgent(arena, "starter");
    const made = await arena.app.inject({
      method: "POST",
      url: "/api/runs",
      headers: { authorization: `Bearer ${apiKey}` },
      payload: { goal: "Find <b> a niche.", launchpad: "make-money" },
    });
    const run = `/cards/runs/${made.json().id}`;
    const page = await get(`/runs/${made.json().id}`);
    expect(page.body).toContain(`content="https://arena.example${run}.png"`);
    expect((await get(`${run}.svg`)).body).toContain("Find &lt;b&gt; a niche.");
    for (const missing of ["x.png", "0192f4a9-1be4-7123-b21d-0a55f00d4c8e.png", "0192f4a9.svg"]) {
      expect([missing, (await get(`/cards/runs/${missing}`)).statusCode]).toEqual([missing, 404]);
    }
    for (const path of ["/cards/ladder", `/cards/agents/${agentId}`, run]) {
      const svg = await get(`${path}.svg`);
      expect([path, svg.headers["content-type"]]).toEqual([path, "image/svg+xml; charset=utf-8"]);
      expect(svg.body).not.toContain("<b>");
      const png = await get(`${path}.png`);
      expect([path, png.headers["content-type"], png.rawPayload.subarray(1, 4).toString()]).toEqual([
        path,
        "image/png",
        "PNG",
      ]);
      // Width and height, as the head of a PNG has them.
      expect([png.rawPayload.readUInt32BE(16), png.rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
    }
  }, 30_000);
});

describe("the letters of cards", () => {
  it.each([
    ["Łódź żółć", "IBM Plex Sans"],
    ["Ελληνικά", "IBM Plex Sans"],
    ["Русский агент Ё", "IBM Plex Sans"],
    ["Tiếng Việt ơi", "IBM Plex Sans"],
    ["באר שבע 7", "Noto Sans Hebrew"],
    ["وكيل عربي", "Noto Sans Arabic"],
    ["naïve café – “so”", "Instrument Sans"],
  ])("are there for %s, in one face", (name, face) => {
    expect([canDraw(name), faceFor(name, "Instrument Sans")]).toEqual([true, face]);
  });

  it.each(["北京代理", "エージェント", "robot 🤖", "Ⓐ→Ⓑ"])("are not there for %s", (name) => {
    expect(canDraw(name)).toBe(false);
  });

  it("stand for those that are not there, where they are few", () => {
    expect(drawableText("Find a café in 京 for me")).toBe("Find a café in · for me");
    expect(drawableText("北京代理 agent")).toBeUndefined();
    expect(drawableText("")).toBe("");
  });
});

describe("an arena without built pages", () => {
  it("still answers with what programs read", async () => {
    const database = await openTestDatabase("pglite");
    const { config } = loadConfig({});
    const ports = {
      log: pino({ level: "silent" }),
      random: { bytes: (length: number) => new Uint8Array(length), uuid: () => crypto.randomUUID() },
      clock: createManualClock(),
    };
    const arena = await createArena(config, ports, database, { secretKey: SECRET_KEY, adminKey: undefined });
    const answer = await arena.app.inject({ url: "/", headers: { accept: "text/html" } });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([200, "text/markdown; charset=utf-8"]);
    expect((await arena.app.inject({ url: "/assets/x.js" })).statusCode).toBe(404);
    await arena.stop();
    await database.close();
  });
});
