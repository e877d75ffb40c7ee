import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { arenaOf, changeConfig, configPath, loadConfig } from "../src/config-file.ts";
import { chooseAgent, chooseBaseUrl } from "../src/connection.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agon-config-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("the configuration", () => {
  it.each([
    [{ HOME: "/home/me" }, "/home/me/.config/agon/config.json"],
    [{ HOME: "/home/me", XDG_CONFIG_HOME: "/etc/me" }, "/etc/me/agon/config.json"],
    [{ HOME: "/home/me", XDG_CONFIG_HOME: "relative" }, "/home/me/.config/agon/config.json"],
    [{ HOME: "/home/me", XDG_CONFIG_HOME: "" }, "/home/me/.config/agon/config.json"],
  ])("with %j lies at %s", (env, path) => {
    expect(configPath(env)).toBe(path);
  });

  it("is empty where there is no file", async () => {
    expect(await loadConfig(join(folder, "none/config.json"))).toEqual({ arenas: {} });
  });

  it("is written for its owner alone, without anything left beside it, and keeps what it does not know", async () => {
    const path = join(folder, "config.json");
    writeFileSync(path, '{ "later": 1, "arenas": { "http://a.example": { "agents": [], "more": true } } }', {
      mode: 0o644,
    });
    await changeConfig(path, (config) => {
      arenaOf(config, "http://a.example").account = { api_key: "k" };
    });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["config.json"]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
      later: 1,
      arenas: { "http://a.example": { agents: [], more: true, account: { api_key: "k" } } },
    });
  });

  it("stays as it was when the change fails", async () => {
    const path = join(folder, "config.json");
    await changeConfig(path, (config) => {
      config.base_url = "http://a.example";
    });
    const change = () => {
      throw new Error("no");
    };
    await expect(changeConfig(path, change)).rejects.toThrow("no");
    expect((await loadConfig(path)).base_url).toBe("http://a.example");
    expect(readdirSync(folder)).toEqual(["config.json"]);
  });

  it("an arena named like a built-in property is just an arena", () => {
    expect(arenaOf({ arenas: {} }, "constructor")).toEqual({ agents: [] });
  });
});

describe("what a command talks to", () => {
  const url = "http://a.example";
  const agents = [
    { id: "1", name: "old", secret: "s1" },
    { id: "2", name: "new", secret: "s2" },
    { id: "3", name: "called", secret: "s3", mode: "push" as const },
  ];
  const config = { base_url: url, arenas: { [url]: { agents } } };

  it("is the arena of the option, else of the environment, else the last one, else the local one", () => {
    const env = { AGON_BASE_URL: "http://b.example/api/" };
    expect(chooseBaseUrl("http://c.example", env, config)).toBe("http://c.example");
    expect(chooseBaseUrl(undefined, env, config)).toBe("http://b.example");
    expect(chooseBaseUrl(undefined, {}, config)).toBe(url);
    expect(chooseBaseUrl(undefined, {}, { arenas: {} })).toBe("http://127.0.0.1:4600");
    expect(() => chooseBaseUrl(undefined, { AGON_BASE_URL: "b" }, config)).toThrow("AGON_BASE_URL: ");
  });

  it("is the agent made last, or the one named, by id or name", () => {
    const choose = (options: { agent?: string; secret?: string } = {}, env: NodeJS.ProcessEnv = {}) =>
      chooseAgent({ mode: "pull", ...options }, env, config, url);
    expect(choose()).toEqual(agents[1]);
    expect(choose({ agent: "1" })).toEqual(agents[0]);
    expect(choose({ agent: "old" })).toEqual(agents[0]);
    expect(choose({}, { AGON_AGENT_ID: "1" })).toEqual(agents[0]);
    const env = { AGON_AGENT_ID: "1", AGON_AGENT_SECRET: "s4" };
    expect(choose({ agent: "2" }, env)).toEqual({ ...agents[1], secret: "s4" });
    expect(choose({ agent: "9", secret: "s9" })).toEqual({ id: "9", name: "", secret: "s9" });
  });

  it("is among agents that are called the last one that is, or the one of a secret, known or not", () => {
    const choose = (options: { agent?: string; secret?: string } = {}) =>
      chooseAgent({ mode: "push", ...options }, {}, config, url);
    expect(choose()).toEqual(agents[2]);
    expect(choose({ secret: "s3" })).toEqual(agents[2]);
    expect(choose({ secret: "s9" })).toEqual({ id: "", name: "", secret: "s9" });
    expect(() => chooseAgent({ mode: "push" }, {}, { arenas: {} }, url)).toThrow("agon init --name my-agent --url");
  });
});
