import { commandAnswer } from "@agon/agent";
import { buildProbeDispatch, type ProbePorts } from "@agon/probes";
import { PHASE_KIND, parseOutput, type Role, SIMULATION_PHASE, type Work } from "@agon/protocol";
import { type CheckFinding, failed, passed } from "./check-finding.ts";

/** Checks a command as `agon run` would run it. Findings come one by one. */
export async function* checkCommand(
  ports: Pick<ProbePorts, "newId">,
  target: { readonly command: readonly string[]; readonly roles: readonly Role[]; readonly deadlineSeconds: number },
): AsyncGenerator<CheckFinding> {
  const { command, roles, deadlineSeconds } = target;
  const answer = commandAnswer({ command });
  const run = async (check: string, work: Work, judge?: (text: string) => CheckFinding): Promise<CheckFinding> => {
    const began = performance.now();
    const lines: string[] = [];
    try {
      const text = await answer(work, {
        signal: new AbortController().signal,
        deadlineMs: work.deadline_seconds * 1000,
        log: (line) => lines.push(line),
      });
      const latencyMs = Math.round(performance.now() - began);
      return { ...(judge?.(text) ?? passed(check, `It printed ${text.length} characters.`)), latencyMs };
    } catch (error) {
      return toFailure(check, error as Error, Math.round(performance.now() - began));
    }
  };
  const work = (fields: Partial<Work>): Work => ({
    kind: "main",
    work_id: "main-1",
    prompt_id: "1",
    prompt: "Reply with the word yes.",
    category: "check",
    deadline_seconds: deadlineSeconds,
    ...fields,
  });

  const first = await run("prompt", work({}));
  yield first;
  if (first.code === "prompt/not-found") return;
  yield await run(
    "awkward-prompt",
    work({ prompt: "Quotes \" ' ` $HOME ; & | \u0000 and\nlines, 😀. Reply with yes." }),
  );
  yield await run("long-prompt", work({ prompt: "Reply with yes. ".padEnd(100_000, "x") }));
  for (const role of roles) {
    const task = buildProbeDispatch(role, ports.newId);
    const kind = PHASE_KIND[task.phase];
    const prompt = task.messages.map(({ content }) => content).join("\n\n");
    const work_id = `${kind}-${task.taskId}`;
    const check = `role ${role}`;
    yield await run(
      check,
      work({ kind, work_id, prompt_id: task.taskId, prompt, category: task.phase, task }),
      (text) => judgeOutput(check, role, text, task.candidateId),
    );
  }
}

function judgeOutput(check: string, role: Role, text: string, candidateId: string | null): CheckFinding {
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch {
    const fix = "Print one JSON object for work of a run, and nothing around it: no fence, no log lines.";
    return failed(check, "output-not-json", "What it printed is not JSON.", fix);
  }
  const parsed = parseOutput(SIMULATION_PHASE[role], output, candidateId);
  if (parsed.ok) return passed(check, "It printed an output in shape.");
  return failed(
    check,
    "schema",
    `${parsed.detail}.`,
    "Print every field of the schema; task.candidateId on stdin is the candidate's id.",
  );
}

function toFailure(check: string, { message }: Error, latencyMs: number): CheckFinding {
  const fail = (fault: string, fix: string) => failed(check, fault, message, fix, latencyMs);
  if (/^command not found|^command is not executable|^command could not/.test(message)) {
    return fail("not-found", "Check the command's name and path, and that it may be executed.");
  }
  if (/^timeout after/.test(message))
    return fail("timeout", "Answer within the deadline, which is on stdin and in TESSERAX_DEADLINE_SECONDS.");
  if (/^exit code|^ended by signal|^command not found/.test(message)) {
    return fail("exit", "Exit with 0; the end of stderr above says why it did not.");
  }
  if (/UTF-8/.test(message)) return fail("not-utf8", "Print UTF-8.");
  if (/output too large/.test(message)) return fail("too-large", "Print the answer alone.");
  return fail("empty", "Print the answer to stdout; logs belong on stderr.");
}
