import { type Requirement, requirementsOf } from "./requirement.ts";

/** The rules of edgearena-v1 for an agent that answers later, by a call of its own. */
export const COMPLETION_REQUIREMENTS: readonly Requirement[] = requirementsOf("edgearena-completion", [
  ["EA-COMP-1", "arena", "The call is signed like a dispatch, over its own host and path, within 300 s"],
  ["EA-COMP-2", "arena", "A body with task id, output and counts is accepted"],
  ["EA-COMP-3", "arena", "The task id of the body has to be the one in the path"],
  ["EA-COMP-4", "arena", "An output of 262,144 bytes passes and one byte more does not"],
  ["EA-COMP-5", "arena", "An unknown task is 400 and named"],
  ["EA-COMP-6", "arena", "A task that no longer runs is 400, also when the answer is merely late"],
  ["EA-COMP-7", "arena", "A task that was not pushed to an outside agent is 400"],
  ["EA-COMP-8", "arena", "A task whose agent is gone is 400"],
  ["EA-COMP-9", "arena", "A missing or unreadable timestamp is 401"],
  ["EA-COMP-10", "arena", "A timestamp outside the window is 401 and the distance is told"],
  ["EA-COMP-11", "arena", "A signature that does not hold is 401"],
  ["EA-COMP-12", "arena", "One signature completes one task once, whichever node sees the repeat"],
  ["EA-COMP-13", "arena", "Of a reply and a call the first counts; the second changes nothing"],
  ["EA-COMP-15", "arena", "The checks come in a fixed order; an output out of shape is accepted and fails the task"],
  [
    "EA-COMP-16",
    "arena",
    "The signed address is the public one or that of the Host header, never a forwarded one; dispatches tell it",
  ],
]);
