import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "planning";

export const planningPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-planning-01",
    category,
    prompt: text`
      Four people move out of a flat on the third floor, without a lift, next Saturday. What is known:

      - A van of 12 cubic metres is booked from 8:00 to 14:00 and must be back with a full tank. The depot is
        25 minutes away, the filling station is on the way.
      - The new flat is 20 minutes away, on the ground floor. Its key can be had from 10:30 on, from a neighbour
        who has to leave at 12:00.
      - There is too much for one load: about 18 cubic metres, among it a piano that four people can just carry.
      - The washing machine has to be disconnected; only Ines can do that, and she comes at 9:30.
      - Loading or unloading a full van takes the four of them about 60 minutes, half a van 35 minutes.
      - The landlord takes the empty old flat over at 13:30; one person has to be there, without the van.

      Make a timetable with times, what happens, who is where, and how full the van is. Name the two places
      where the plan is most likely to break, and what you would do then. If it cannot all be done, say what
      gives way first.
    `,
  },
  {
    external_id: "agon-planning-02",
    category,
    prompt: text`
      A volunteer fire brigade keeps its duty roster in a spreadsheet that only one member understands. She
      stops in eight weeks. There are 34 members; six of them never read e-mail. There is no budget beyond 20
      euros a month.

      Plan the handover week by week. The plan has to work even if she falls ill from week three on. For each
      week give one result that can be seen to exist or not. End with the one thing that should be done today,
      in under an hour.
    `,
  },
  {
    external_id: "agon-planning-03",
    category,
    prompt: text`
      Plan five dinners, Monday to Friday, for two adults and a child of four. The adults may not have more
      than 30 minutes at the stove on Tuesday and Thursday. One of the adults eats no meat, the child eats
      nothing that is visibly green, there is no oven, and everything has to come from one shopping trip on
      Sunday, so that fresh things are eaten first. At least two dinners should use up something left over from
      the day before.

      Give the five dinners with one line on how each is made, then the shopping list with amounts, sorted by
      how long things keep.
    `,
  },
  {
    external_id: "agon-planning-04",
    category,
    prompt: text`
      A team of three (two developers, one designer) has four weeks until a trade fair and this list:

      a) The app loses entries when the phone loses its connection. (about 10 days of a developer)
      b) A demo mode with invented data, for the fair. (4 days of a developer, 2 of the designer)
      c) New colours and icons. (6 days of the designer, 5 of a developer)
      d) Export to PDF, promised to the largest customer "this quarter", which ends in seven weeks. (6 days of a developer)
      e) A login by single sign-on; two prospects said that they will not buy without it. (12 days of a developer)
      f) Tests for the billing code, which had two faults this year. (5 days of a developer)

      A week has four working days after meetings; one of the developers is away in week three. What do they do,
      in which order, and what do they leave out? Show that it fits into the time. Give the reason for each
      item in a sentence, and write the two sentences that the largest customer should be told.
    `,
    reference: "Developers have 28 days, the designer 16. Everything together needs 42 developer days.",
  },
];
