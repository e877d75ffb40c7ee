import { connect } from "node:net";
import { Writable } from "node:stream";
import { ProblemError, problemSchema } from "@agon/protocol";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBareApp } from "../support/bare-app.ts";
import { expectProblem } from "./problem-answers.ts";

describe("problems", () => {
  let app: FastifyInstance;
  let logged: { level: number; msg: string; err?: { message: string } }[];
  beforeEach(async () => {
    logged = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        logged.push(JSON.parse(String(chunk)));
        done();
      },
    });
    app = await createBareApp({ log: pino({ level: "info" }, stream) });
    const config = { auth: "public" } as const;
    app.get("/rivers", { config }, async () => []);
    app.post("/rivers", { config }, async (request) => ({ body: request.body ?? null }));
    app.patch("/rivers/:river_id/name", { config }, async () => ({}));
    app.get("/broken", { config }, async () => {
      throw new Error("password of the database: hunter2");
    });
    app.get("/strange", { config }, async () => {
      throw "not even an error";
    });
    app.get("/unbuilt", { config }, async () => {
      throw new ProblemError("unavailable", "not here");
    });
    app.get("/unstorable/:sqlstate", { config }, async (request) => {
      const { sqlstate } = request.params as { sqlstate: string };
      const cause = Object.assign(new Error("refused by the database"), { code: sqlstate });
      throw new Error("Failed query", { cause });
    });
  });
  afterEach(() => app.close());

  const errors = () => logged.filter(({ level }) => level >= 50);

  /** Sends raw bytes to the listening server and resolves to all that comes back until it closes. */
  async function exchange(bytes: string): Promise<{ head: string; problem: ReturnType<typeof problemSchema.parse> }> {
    const { port } = app.server.address() as { port: number };
    const text = await new Promise<string>((resolve) => {
      let received = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
      socket.on("data", (chunk) => {
        received += chunk;
      });
      socket.on("error", () => resolve(received));
      socket.on("close", () => resolve(received));
    });
    const [head = "", body = ""] = text.split("\r\n\r\n");
    return { head, problem: problemSchema.parse(JSON.parse(body)) };
  }

  it("say 404 for an address that leads nowhere, and repeat only the beginning of a long one", async () => {
    for (const url of ["/nowhere", "/rivers/", "/RIVERS", "/rivers/7", "/rivers/7/name/x", "/?q=1"]) {
      const problem = expectProblem(url, await app.inject(url));
      expect([url, problem.code, problem.detail]).toEqual([
        url,
        "not_found",
        `there is nothing at ${url.split("?")[0]}`,
      ]);
    }
    const long = expectProblem("long", await app.inject(`/${"x".repeat(15_000)}`));
    expect(long.detail).toMatch(/^there is nothing at \/x{190,199}…$/);
  });

  it("say 405 with Allow for a method that an address does not take, also below a parameter", async () => {
    const cases = [
      ["PUT", "/rivers", "GET, POST"],
      ["DELETE", "/rivers?x=1", "GET, POST"],
      ["OPTIONS", "/rivers", "GET, POST"],
      ["GET", "/rivers/7/name", "PATCH"],
      ["POST", "/rivers/7/name", "PATCH"],
      ["DELETE", "/rivers/%C3%A9/name", "PATCH"],
    ] as const;
    for (const [method, url, allow] of cases) {
      const answer = await app.inject({ method, url });
      const problem = expectProblem(`${method} ${url}`, answer);
      expect([method, url, problem.code, answer.headers.allow]).toEqual([method, url, "method_not_allowed", allow]);
      expect(problem.detail).toContain(allow);
    }
  });

  it("hide what went wrong on our side, and log it under the id that the caller gets", async () => {
    for (const url of ["/broken", "/strange"]) {
      const problem = expectProblem(url, await app.inject(url));
      expect([url, problem.status, problem.code]).toEqual([url, 500, "internal"]);
      expect(problem.detail).not.toContain("hunter2");
      expect(errors().at(-1)).toMatchObject({ reqId: problem.request_id });
    }
    expect(errors()[0]?.err?.message).toContain("hunter2");
  });

  it("of the caller's making are no errors in the log, those with a status above 500 among them", async () => {
    for (const url of ["/nowhere", "/unbuilt", "/unstorable/22021", "/%E0%A4%A"])
      expectProblem(url, await app.inject(url));
    expectProblem("405", await app.inject({ method: "PUT", url: "/rivers" }));
    expectProblem("400", await app.inject({ method: "POST", url: "/rivers", payload: "{" }));
    expect(errors()).toEqual([]);
  });

  it("blame the request for text that the database cannot hold, and nobody but us for its other refusals", async () => {
    for (const [sqlstate, status] of [
      ["22021", 400],
      ["22P05", 400],
      ["22P02", 400],
      ["23505", 500],
      ["57014", 500],
    ]) {
      const problem = expectProblem(`${sqlstate}`, await app.inject(`/unstorable/${sqlstate}`));
      expect([sqlstate, problem.status]).toEqual([sqlstate, status]);
    }
  });

  it("refuse a path that is no percent-encoded UTF-8, or longer than any id", async () => {
    for (const url of ["/rivers/%E0%A4%A/name", "/%", "/%zz", "/%C0%80", `/rivers/${"x".repeat(20_000)}/name`]) {
      const problem = expectProblem(url.slice(0, 30), await app.inject({ method: "PATCH", url }));
      expect([url.slice(0, 30), problem.code, problem.errors?.[0]?.field]).toEqual([
        url.slice(0, 30),
        "invalid_request",
        "path",
      ]);
    }
  });

  it("answer on the wire what is no HTTP at all", async () => {
    await app.listen({ port: 0, host: "127.0.0.1" });
    const cases = [
      ["GARBAGE\r\n\r\n", "not an HTTP request"],
      ["GET /rivers HTTP/1.1\r\nhost: localhost\r\nno colon\r\n\r\n", "not an HTTP request"],
      [`GET /rivers HTTP/1.1\r\nhost: localhost\r\nx-long: ${"x".repeat(20_000)}\r\n\r\n`, "headers are larger"],
      ["POST /rivers HTTP/1.1\r\nhost: localhost\r\ncontent-length: abc\r\n\r\n", "not an HTTP request"],
      [
        "POST /rivers HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}",
        "not an HTTP",
      ],
    ] as const;
    for (const [bytes, says] of cases) {
      const { head, problem } = await exchange(bytes);
      expect([bytes.slice(0, 40), head.split("\r\n")[0]]).toEqual([bytes.slice(0, 40), "HTTP/1.1 400 Bad Request"]);
      expect(head.toLowerCase()).toContain("content-type: application/problem+json; charset=utf-8");
      expect(problem).toMatchObject({ code: "invalid_request", status: 400, detail: expect.stringContaining(says) });
    }
  });

  it("answer on the wire a body that is too large as it arrives, and one whose length is wrong", async () => {
    await app.listen({ port: 0, host: "127.0.0.1" });
    const start = "POST /rivers HTTP/1.1\r\nhost: localhost\r\n";
    const declared = await exchange(`${start}content-length: 1048577\r\n\r\n`);
    expect(declared.problem.code).toBe("payload_too_large");
    const chunk = `${(65_536).toString(16)}\r\n${" ".repeat(65_536)}\r\n`;
    const chunked = await exchange(`${start}transfer-encoding: chunked\r\n\r\n${chunk.repeat(17)}`);
    expect(chunked.problem.code).toBe("payload_too_large");
    const compressed = await exchange(
      `${start}content-encoding: gzip\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
    );
    expect(compressed.problem).toMatchObject({ status: 415, code: "unsupported_media_type" });
  });

  it("send callers elsewhere while the server stops", async () => {
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    app.addHook("preClose", () => held);
    const url = await app.listen({ port: 0, host: "127.0.0.1" });
    const closing = app.close();
    const answer = await fetch(`${url}/rivers`);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(problemSchema.parse(await answer.json())).toMatchObject({ code: "unavailable", status: 503 });
    go();
    await closing;
  });
});
