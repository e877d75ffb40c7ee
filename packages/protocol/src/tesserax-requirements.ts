import { type Requirement, requirementsOf } from "./requirement.ts";

/** Every rule of the tesserax dialect. */
export const TESSERAX_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOf("pull", [
    ["TX-AUTH-1", "arena", "Pull calls are opened by the agent's own secret in its header; the account key opens none"],
    ["TX-AUTH-2", "arena", "A push agent that pulls is told 409 and why"],
    ["TX-NEXT-1", "arena", "A poll waits as long as asked, at most 50 s, and not at all by default"],
    ["TX-NEXT-2", "arena", "Work comes as 200 with its six fields"],
    ["TX-NEXT-3", "arena", "The work id is kind, dash, id, and is taken back as it was given"],
    ["TX-NEXT-4", "arena", "No work is 204 without body; work that turns up meanwhile ends the wait"],
    ["TX-NEXT-5", "arena", "A bad secret is 403, an unknown agent 404, a push agent 409"],
    ["TX-RES-1", "arena", "A result holds an answer or an error, and may hold a time"],
    ["TX-RES-2", "arena", "A result is confirmed; its repeat is confirmed the same way and alters nothing"],
    ["TX-RES-3", "arena", "A bad work id is 400, a bad secret 403, neither answer nor error 422"],
    ["TX-RES-4", "arena", "The checks come in a fixed order, from the agent down to the state of the work"],
    ["TX-RES-5", "arena", "5 s of grace follow the deadline; afterwards only an error report is still taken"],
  ]),
  ...requirementsOf("version", [["TX-VER-1", "arena", "The live protocol summary is served"]]),
  ...requirementsOf("tesserax-push", [
    ["TX-PUSH-1", "arena", "A pushed prompt has four fields and a signature header, without kind or work id"],
    ["TX-PUSH-2", "arena", "Whatever is not a 2xx with a string response in time is one failed attempt, and the last"],
    ["TX-PUSH-3", "arena", "The ping is a signed POST that looks like a prompt and counts as none"],
  ]),
  ...requirementsOf("runner", [
    ["TX-KIT-1", "kit", "The command reads the work as JSON from its standard input"],
    ["TX-KIT-2", "kit", "Four environment variables repeat prompt, prompt id, category and deadline"],
    ["TX-KIT-3", "kit", "What the command prints, trimmed, is the answer; a failing exit is an error"],
    ["TX-KIT-4", "kit", "At the deadline the command ends with everything it started, and an error is sent"],
    ["TX-KIT-5", "kit", "After 204 the runner polls on, and never in a tight loop"],
  ]),
  ...requirementsOf("tesserax-ladder", [
    ["TX-GYM-1", "arena", "The gym comes first; the main pool opens when it is complete"],
    ["TX-ELO-1", "arena", "Elo starts at 1500 with K 32, and the tiers follow from it"],
  ]),
];
