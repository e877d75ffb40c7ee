import type { ScoutOutput } from "@agon/protocol";

const HONEST = "No source was looked up: this candidate comes from a template of the house.";

/**
 * What the house proposes without a model: general shapes that fit most goals, one for each search, different enough
 * that they are no near-duplicates of each other whatever the goal is.
 */
export const SCOUT_TEMPLATES: readonly ((goal: string) => ScoutOutput)[] = [
  (goal) => ({
    candidate_title: "A done-for-you service with a fixed price",
    target_customer: "Owners of firms with two to ten employees who put this task off every month",
    core_problem: "The task comes back regularly, is nobody's job, and gets done late in the evening or not at all.",
    proposed_solution: `One person takes it over completely for a monthly fee, begins by hand with five customers, and automates only what repeats. Goal: ${goal}`,
    why_now: "General tools can do the routine half of such work by now, so one person can serve many customers.",
    claims: [
      { type: "problem", text: "The task comes back at least monthly." },
      { type: "willingness to pay", text: "A fixed price is easier to agree to than an hourly rate." },
      { type: "feasibility", text: "Five customers can be served by hand by one person." },
    ],
    evidence: [
      { kind: "template", summary: HONEST },
      { kind: "analogy", summary: "Bookkeeping and cleaning are commonly sold to small firms this way." },
    ],
  }),
  (goal) => ({
    candidate_title: "A small group that meets weekly and works side by side",
    target_customer: "Beginners who have tried alone before and stopped within three weeks",
    core_problem:
      "Without somebody who expects them, people give up at the first obstacle although they had time and means.",
    proposed_solution: `Six participants, one host, eight evenings: everybody says what they will finish, does it there, and shows it at the end. Goal: ${goal}`,
    why_now: "Meeting by video has become ordinary, so a group no longer needs six people in one street.",
    claims: [
      { type: "problem", text: "Most who begin alone stop early." },
      { type: "habit", text: "A fixed appointment keeps people at it." },
    ],
    evidence: [
      { kind: "template", summary: HONEST },
      { kind: "analogy", summary: "Running clubs and language tandems rest on the same appointment." },
      { kind: "reasoning", summary: "The host's effort is two hours a week, whatever the subject." },
    ],
  }),
  (goal) => ({
    candidate_title: "An up-to-date directory of what is scattered today",
    target_customer: "Buyers and volunteers who compare offers once or twice a year and lose a weekend over it",
    core_problem: "Prices, conditions and contacts stand on dozens of pages, half of them outdated, none comparable.",
    proposed_solution: `Collect forty entries, verify each by telephone, publish them as one sortable table with the date of every check, and let listed parties correct themselves. Goal: ${goal}`,
    why_now: "Search results are filled with generated pages, which makes a checked list worth more than it was.",
    claims: [
      { type: "problem", text: "Comparing takes hours today." },
      { type: "feasibility", text: "Forty entries can be checked in two weeks." },
      { type: "defence", text: "The dates of the checks are what others would have to repeat." },
      { type: "reach", text: "Listed parties will link to it." },
    ],
    evidence: [{ kind: "template", summary: HONEST }],
  }),
  (goal) => ({
    candidate_title: "A kit: checklist, worked example, and one hour of questions",
    target_customer: "Careful people facing something for the first time: a move, an application, a first employee",
    core_problem: "Guides explain everything except in which order to act and how to see that a step went wrong.",
    proposed_solution: `Write down the fifteen steps with a filled-in example for each, sell or give it away together with a call, and improve it after every conversation. Goal: ${goal}`,
    why_now:
      "Forms and rules in many places went online in recent years, and the old advice no longer matches the screens.",
    claims: [
      { type: "problem", text: "First-timers lack the order of steps." },
      { type: "margin", text: "A kit costs effort once and sells many times." },
    ],
    evidence: [
      { kind: "template", summary: HONEST },
      { kind: "reasoning", summary: "Each call shows which step the text explains badly." },
    ],
  }),
  (goal) => ({
    candidate_title: "Matchmaking between spare capacity and short-term need",
    target_customer: "Workshops, kitchens and offices that stand empty at set hours, and newcomers who need just those",
    core_problem: "Both sides exist in the same town, know nothing of each other, and neither wants a long contract.",
    proposed_solution: `Begin with one kind of room in one town, arrange the first ten bookings personally, and take a share of each only once both sides asked for the next. Goal: ${goal}`,
    why_now: "Rents rose while more space is used part of the week only.",
    claims: [
      { type: "supply", text: "There are at least ten such rooms within reach." },
      { type: "demand", text: "Newcomers accept odd hours for a lower price." },
      { type: "risk", text: "Liability can be settled by one standard agreement." },
    ],
    evidence: [
      { kind: "template", summary: HONEST },
      { kind: "analogy", summary: "Shared kitchens and rehearsal rooms work on the same hours." },
    ],
  }),
  (goal) => ({
    candidate_title: "Dropping a step: the shortest rule that makes the work unnecessary",
    target_customer: "Teams of five to thirty with a report, approval or meeting that nobody can explain any more",
    core_problem: "Work survives its purpose because stopping it is nobody's decision.",
    proposed_solution: `Pick one recurring step, stop it for four weeks with everybody's knowledge, note who misses what, then bring back only that part. Goal: ${goal}`,
    why_now: "Remote work multiplied reports and meetings in many teams, and few were removed again.",
    claims: [
      { type: "problem", text: "At least one such step exists in most teams." },
      { type: "safety", text: "Four weeks show what is missed, and can be undone." },
    ],
    evidence: [
      { kind: "template", summary: HONEST },
      { kind: "reasoning", summary: "A trial with an end date needs less agreement than a decision." },
      { kind: "reasoning", summary: "What nobody misses within a month was of little use." },
    ],
  }),
];
