import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ConfigError, loadConfig, SETTINGS } from "../../src/config.ts";

const problemsOf = (env: Record<string, string>, flags = {}): readonly string[] => {
  try {
    loadConfig(flags, env);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
};

describe("the settings", () => {
  it("have a default for everything but what only the operator can know", () => {
    const { config, warnings } = loadConfig({});
    expect(warnings).toEqual([]);
    const unset = Object.entries(config).filter(([, value]) => value === undefined);
    expect(unset.map(([name]) => name).sort()).toEqual([
      "adminKey",
      "databaseUrl",
      "houseApiKey",
      "houseBaseUrl",
      "houseModel",
      "judgeApiKey",
      "judgeBaseUrl",
      "judgeModel",
      "launchpadsDir",
      "publicUrl",
      "secretKey",
    ]);
  });

  it("hold the numbers of the protocols", () => {
    expect(loadConfig({}).config).toMatchObject({
      host: "127.0.0.1",
      port: 4600,
      registration: "open",
      pullWaitMaxSeconds: 50,
      promptDeadlineSeconds: 300,
      resultGraceSeconds: 5,
      slowdownSeconds: 30,
      slowdownMaxSeconds: 900,
      sweepSeconds: 5,
      passSeconds: 2,
      registrationsPerHour: 10,
      votesToClose: 5,
      daysToClose: 7,
      poolReserve: 20,
      ratingJudges: ["account", "check"],
    });
  });

  it("come from the environment as text, each in its type", () => {
    const { config } = loadConfig(
      {},
      {
        AGON_HOST: " 0.0.0.0 ",
        AGON_PORT: "8080",
        AGON_PUBLIC_URL: "https://arena.example.com",
        AGON_DATABASE_URL: "postgresql://agon:pw@db.example.com/agon",
        AGON_ADMIN_KEY: "sixteen_letters!",
        AGON_SECRET_KEY: "k".repeat(32),
        AGON_REGISTRATION: "closed",
        AGON_PULL_WAIT_MAX_SECONDS: "12.5",
        AGON_RATING_JUDGES: "check , model",
        AGON_DEV: "yes",
      },
    );
    expect(config).toMatchObject({
      host: "0.0.0.0",
      port: 8080,
      publicUrl: "https://arena.example.com",
      databaseUrl: "postgresql://agon:pw@db.example.com/agon",
      adminKey: "sixteen_letters!",
      secretKey: "k".repeat(32),
      registration: "closed",
      pullWaitMaxSeconds: 12.5,
      ratingJudges: ["check", "model"],
      dev: true,
    });
  });

  it("come from flags before the environment, and from the environment before the default", () => {
    const env = { AGON_PORT: "1", AGON_HOST: "::1" };
    expect(loadConfig({ port: 2 }, env).config).toMatchObject({ port: 2, host: "::1" });
    expect(loadConfig({ port: undefined, host: "localhost" }, env).config).toMatchObject({
      port: 1,
      host: "localhost",
    });
    expect(loadConfig({ port: "3" }, env).config.port).toBe(3);
  });

  it("count as not set when they are empty or blank", () => {
    const blank = Object.fromEntries(
      Object.values(SETTINGS).map(({ env }, index) => [env, index % 2 === 0 ? "" : "  "]),
    );
    expect(loadConfig({}, blank)).toEqual(loadConfig({}));
  });

  it("read every word for yes and no, and no other", () => {
    for (const yes of ["true", "1", "yes"])
      expect([yes, loadConfig({}, { AGON_DEV: yes }).config.dev]).toEqual([yes, true]);
    for (const no of ["false", "0", "no"])
      expect([no, loadConfig({}, { AGON_DEV: no }).config.dev]).toEqual([no, false]);
    for (const neither of ["maybe", "2", "ja"]) expect(problemsOf({ AGON_DEV: neither })).toHaveLength(1);
    expect(loadConfig({ dev: true }).config.dev).toBe(true);
  });

  it("report every problem at once, each by the name of its variable", () => {
    const problems = problemsOf({
      AGON_PORT: "65536",
      AGON_PUBLIC_URL: "arena.example.com",
      AGON_DATABASE_URL: "mysql://db",
      AGON_ADMIN_KEY: "short",
      AGON_SECRET_KEY: "too short as well",
      AGON_REGISTRATION: "perhaps",
      AGON_PROMPT_DEADLINE_SECONDS: "9",
      AGON_SWEEP_SECONDS: "0",
      AGON_RATING_JUDGES: "account,dice",
      AGON_DAYS_TO_CLOSE: "soon",
    });
    expect(problems.map((problem) => problem.split(":")[0]).sort()).toEqual(
      [
        "AGON_PORT",
        "AGON_PUBLIC_URL",
        "AGON_DATABASE_URL",
        "AGON_ADMIN_KEY",
        "AGON_SECRET_KEY",
        "AGON_REGISTRATION",
        "AGON_PROMPT_DEADLINE_SECONDS",
        "AGON_SWEEP_SECONDS",
        "AGON_RATING_JUDGES",
        "AGON_DAYS_TO_CLOSE",
      ].sort(),
    );
    for (const problem of problems) expect(problem).toMatch(/^AGON_[A-Z_]+: \S/);
  });

  it("never repeat a secret in a problem", () => {
    const problems = problemsOf({
      AGON_ADMIN_KEY: "hunter2",
      AGON_SECRET_KEY: "hunter2",
      AGON_DATABASE_URL: "pg://agon:hunter2@db",
    });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain("hunter2");
  });

  it("refuse what is no number, and numbers out of range", () => {
    for (const port of ["-1", "65536", "1.5", "NaN", "Infinity", "eighty", "80 81", "1e9"]) {
      expect([port, problemsOf({ AGON_PORT: port }).length]).toEqual([port, 1]);
    }
    for (const seconds of ["-0.1", "1e12", "Infinity", "5s"]) {
      expect([seconds, problemsOf({ AGON_SLOWDOWN_SECONDS: seconds }).length]).toEqual([seconds, 1]);
    }
    expect(loadConfig({}, { AGON_SLOWDOWN_SECONDS: "0", AGON_PORT: "0" }).config).toMatchObject({
      slowdownSeconds: 0,
      port: 0,
    });
  });

  it("refuse a public URL that is no web address", () => {
    for (const url of ["ftp://arena.example.com", "javascript:alert(1)", "//arena.example.com", "https://"]) {
      expect([url, problemsOf({ AGON_PUBLIC_URL: url }).length]).toEqual([url, 1]);
    }
  });

  it("either hold or are refused as a whole, whatever the environment says", () => {
    const names = Object.values(SETTINGS).map(({ env }) => env);
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.string({ unit: "binary" })), (env) => {
        for (const problem of problemsOf(env)) expect(names).toContain(problem.split(":")[0]);
      }),
    );
  });

  it("have a variable of its own and an explanation each", () => {
    const settings = Object.values(SETTINGS);
    expect(new Set(settings.map(({ env }) => env)).size).toBe(settings.length);
    for (const { env, about } of settings) {
      expect(env).toMatch(/^AGON_[A-Z]+(_[A-Z]+)*$/);
      expect(about.length).toBeGreaterThan(10);
    }
  });
});

describe("a name in the environment that is no setting", () => {
  it("is warned about with the nearest one that is", () => {
    const env = {
      AGON_PROT: "80",
      AGON_DATABASEURL: "x",
      AGON_SECRET_KEYS: "x",
      AGON_RESULT_GRACE: "5",
      PATH: "/bin",
      AGONY: "1",
      MY_AGON_PORT: "1",
    };
    expect(loadConfig({}, env).warnings).toEqual([
      "AGON_PROT is not a setting; did you mean AGON_PORT?",
      "AGON_DATABASEURL is not a setting; did you mean AGON_DATABASE_URL?",
      "AGON_SECRET_KEYS is not a setting; did you mean AGON_SECRET_KEY?",
      "AGON_RESULT_GRACE is not a setting; did you mean AGON_RESULT_GRACE_SECONDS?",
    ]);
  });

  it("is left alone when other programs of this house read it", () => {
    const env = {
      AGON_BASE_URL: "x",
      AGON_API_KEY: "x",
      AGON_AGENT_ID: "1",
      AGON_AGENT_SECRET: "x",
      AGON_TEST_LOG: "debug",
    };
    expect(loadConfig({}, env).warnings).toEqual([]);
  });
});
