import { describe, expect, it } from "vitest";
import { commandAgent } from "../src/index.ts";
import { byFetch, ID, makeDispatch, makeSimulation, SCOUT_OUTPUT, sign } from "./agent-calls.ts";

const open = (script: string) => byFetch(commandAgent({ command: ["sh", "-c", script] }));

describe("an agent whose work a command does", () => {
  it("gets a dispatch as its task, for a simulation too", async () => {
    // What it reads comes back in a field that schemas let through.
    const script = `sed 's/^/${JSON.stringify({ ...SCOUT_OUTPUT, work: 0 }).replace(/0\}$/, "")}/; s/$/}/'`;
    await using agent = await open(script);
    const simulated = await agent.send("POST", JSON.stringify(makeSimulation("SCOUT")));
    expect(simulated.json.work.task).toMatchObject({ phase: "SCOUT", role: "SCOUT", candidateId: null, goal: "g" });
    const payload = makeDispatch();
    const body = JSON.stringify(payload);
    const dispatched = await agent.send("POST", body, sign(body));
    expect(dispatched.json.output.work.task).toEqual(payload);
    expect(dispatched.json).toMatchObject({ modelId: "sh", promptTokens: 0 });
  });

  it("may print colours and log lines around its JSON, and leave the candidate to the kit", async () => {
    const output = { strengths: [], weaknesses: [], score_adjustments: {}, penalty_points: 0, fatal_flaw: false };
    const json = JSON.stringify({ ...output, verdict: "pass", candidate_id: "made up" });
    await using agent = await open(`echo 'Loading...'; printf '\\033[1m%s\\033[m\\n' '${json}'`);
    const body = JSON.stringify(makeDispatch({ phase: "CRITIQUE" }));
    expect((await agent.send("POST", body, sign(body))).json.output).toMatchObject({
      candidate_id: ID,
      verdict: "pass",
    });
  });

  it("says why it failed, and what it printed instead of an output", async () => {
    await using broken = await open("echo no model >&2; exit 3");
    const body = JSON.stringify(makeDispatch());
    expect(await broken.send("POST", body, sign(body))).toMatchObject({
      status: 502,
      json: { code: "model_failed", error: "exit code 3: no model" },
    });
    await using chatty = await open("echo I would rather not");
    const again = JSON.stringify(makeDispatch());
    expect(await chatty.send("POST", again, sign(again))).toMatchObject({
      status: 502,
      json: { code: "invalid_output", rawOutput: "I would rather not" },
    });
  });
});
