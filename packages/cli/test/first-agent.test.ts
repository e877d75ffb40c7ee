import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const PAGE = join(import.meta.dirname, "../../../docs/first-agent.md");
const BIN = join(import.meta.dirname, "../bin/agon.js");

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

it("leads a newcomer from nothing to competing agents, command by command", async () => {
  const blocks = [...readFileSync(PAGE, "utf8").matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(5);
  const folder = mkdtempSync(join(tmpdir(), "agon-first-"));
  try {
    const bin = join(folder, "bin");
    mkdirSync(bin);
    writeFileSync(
      join(bin, "agon"),
      `#!/bin/sh\nexec "${process.execPath}" --conditions=@agon/source "${BIN}" "$@"\n`,
      {
        mode: 0o755,
      },
    );
    const script = ["set -eu", "trap 'kill $(jobs -p) 2> /dev/null' EXIT", ...blocks].join("\n");
    const port = String(await freePort());
    const walk = spawn("bash", ["-c", script], {
      cwd: folder,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: `${bin}:${process.env.PATH}`,
        HOME: folder,
        AGON_PORT: port,
        AGON_BASE_URL: `http://127.0.0.1:${port}`,
      },
    });
    // A command that waits for something in vain would wait for ever.
    const timer = setTimeout(() => process.kill(-(walk.pid as number), "SIGKILL"), 230_000);
    const [stdout, stderr, [code]] = await Promise.all([text(walk.stdout), text(walk.stderr), once(walk, "close")]);
    clearTimeout(timer);
    const logs = ["arena", "moon", "tide", "surf"].map((name) => {
      try {
        return `${name}: ${readFileSync(join(folder, `${name}.log`), "utf8").slice(-2_000)}`;
      } catch {
        return `${name}: –`;
      }
    });
    expect(code, [stdout, stderr, ...logs].join("\n")).toBe(0);
    expect(stdout).toContain("/report");
    for (const name of ["moon", "tide"]) expect(stdout).toMatch(new RegExp(`\n +\\S+ +${name} `));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}, 240_000);
