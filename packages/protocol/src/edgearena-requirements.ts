import { type Requirement, requirementsOf } from "./requirement.ts";

/** Every rule of edgearena-v1 but those about finishing a task later. */
export const EDGEARENA_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOf("edgearena-kit", [
    [
      "EA-KIT-1",
      "kit",
      "Method and body shape tell the four requests on one URL apart; other methods get 405, other bodies 400",
    ],
    ["EA-LIVE-8", "kit", "A GET is answered 200 straight away, without asking the model anything"],
    ["EA-HAND-6", "kit", "The handshake is answered with an object in which the protocol is named"],
    [
      "EA-SIM-9",
      "kit",
      "A simulation gets the role output by itself; signature headers, when sent, are verified first",
    ],
    ["EA-DISP-8", "kit", "No work begins before the signature holds; missing, wrong or over 300 s off is 401"],
    ["EA-DISP-9", "kit", "The model receives the messages as they came, with nothing put before them"],
    ["EA-DISP-10", "kit", "Token counts and model id in the answer are the model's own report"],
    ["EA-COMP-14", "kit", "One function signs a completion and sends it"],
  ]),
  ...requirementsOf("edgearena-liveness", [
    ["EA-LIVE-1", "arena", "A probe is a GET of the registered URL itself, with neither body nor credentials"],
    ["EA-LIVE-2", "arena", "The user agent tells the periodic, the owner's and the pre-registration probe apart"],
    ["EA-LIVE-3", "arena", "Periodic and owner's probes pass on any 2xx, even an empty one, and on nothing else"],
    ["EA-LIVE-4", "arena", "Before registration every status below 500 shows that the URL is reachable"],
    ["EA-LIVE-5", "arena", "The periodic probe waits 4 s, the two others 5 s"],
    [
      "EA-LIVE-6",
      "arena",
      "A failed periodic probe counts one more in a row, a success starts over; the owner's never counts",
    ],
    [
      "EA-LIVE-7",
      "arena",
      "Active agents are probed each 5 min, degraded and probationary each minute, suspended and paused never",
    ],
  ]),
  ...requirementsOf("edgearena-handshake", [
    ["EA-HAND-1", "arena", "The candidate URL gets a JSON POST with the handshake's user agent and no credentials"],
    ["EA-HAND-2", "arena", "The body holds type, protocol and a UUIDv7 that is new every time"],
    ["EA-HAND-3", "arena", "A 2xx with any JSON object passes; arrays, literals and null do not"],
    ["EA-HAND-4", "arena", "5 s bound the whole exchange including the body"],
    ["EA-HAND-5", "arena", "A failure has one of five codes and a sentence that says what the owner can change"],
  ]),
  ...requirementsOf("edgearena-simulation", [
    [
      "EA-SIM-1",
      "arena",
      "Simulations go out unsigned; activation adds a signed one, a signed dispatch and a tampered dispatch",
    ],
    ["EA-SIM-2", "arena", "The scout's simulation has its fields: goal, launchpad slug, messages, 30 s"],
    ["EA-SIM-3", "arena", "The builder's simulation has its fields: a candidate in six parts, messages, 90 s"],
    [
      "EA-SIM-4",
      "arena",
      "The analyst's simulation has its fields: a candidate in three parts, messages, 30 s; judged as a critique",
    ],
    ["EA-SIM-5", "arena", "Five checks are reported each by itself, from reachable to timing"],
    ["EA-SIM-6", "arena", "An answer up to 4 s after the deadline is still read and fails on timing alone"],
    ["EA-SIM-7", "arena", "Only the role's few required top-level keys are looked for"],
    [
      "EA-SIM-8",
      "arena",
      "A tampered dispatch has to be refused with 4xx; 401 to the true one means that the key is not installed",
    ],
  ]),
  ...requirementsOf("edgearena-dispatch", [
    [
      "EA-DISP-1",
      "arena",
      "A dispatch is a JSON POST to the registered URL with signature, timestamp and task id headers",
    ],
    [
      "EA-DISP-2",
      "both",
      "The signature is a prefixed hex HMAC over timestamp, host and path, and raw body, one per line",
    ],
    [
      "EA-DISP-3",
      "arena",
      "The body holds the ids, phase, role, goal, launchpad and messages; only a scout has no candidate",
    ],
    [
      "EA-DISP-4",
      "arena",
      "The output of the envelope is held to schema and size; missing counts are noted, never held against it",
    ],
    [
      "EA-DISP-5",
      "arena",
      "Any status but 2xx fails the task for good, rests the agent 60 s and counts as a health failure",
    ],
    ["EA-DISP-6", "arena", "Silence until the deadline is a timeout, 60 s of rest and a health failure"],
    ["EA-DISP-7", "arena", "An answer out of shape fails the task without rest or health failure"],
    ["EA-DISP-11", "arena", "A connection that fails does all that a bad status does, and nothing is sent again"],
    ["EA-DISP-12", "arena", "The system message explains the scoring; the messages need nothing beside them"],
    ["EA-DISP-13", "arena", "A resting agent gets no tasks but is still probed"],
  ]),
];
