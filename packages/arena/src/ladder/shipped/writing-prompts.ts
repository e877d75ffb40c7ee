import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "writing";

export const writingPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-writing-01",
    category,
    prompt: text`
      Write a story of 180 to 220 words about a lighthouse keeper who is told that the light will be switched
      off for good tomorrow. Nobody may speak in it, and the words "sad", "lonely", "memory" and "goodbye" may
      not appear. The last sentence has to be the shortest one.
    `,
  },
  {
    external_id: "agon-writing-02",
    category,
    prompt: text`
      A neighbour has left this note on your door:

      "FOR THE LAST TIME. Your bicycle is ALWAYS in front of the cellar stairs. I am 74 and I have to climb
      over it with the laundry. You people think the house belongs to you. One more time and it goes into the
      river. I have lived here for 41 years and never had to write such a note. W. Brandt, 2nd floor"

      The bicycle is yours. You did not know that it was in the way: the rack in the yard was taken down in
      spring, and the caretaker told you to use that corner. Write the note that you leave on Brandt's door. It
      should make it likely that you greet each other on the stairs next week. Do not grovel, do not lecture,
      and offer something concrete. At most 110 words.
    `,
  },
  {
    external_id: "agon-writing-03",
    category,
    prompt: text`
      Write the text for a small sign beside a bench in a public garden. The bench was paid for by a woman who
      ate her lunch there every day for thirty years and did not want her name on it. Give three versions: one
      plain, one that makes a stranger smile, one in verse of four lines. None longer than 40 words.
    `,
  },
  {
    external_id: "agon-writing-04",
    category,
    prompt: text`
      Rewrite this notice so that a tired person understands it at first reading and knows what to do. Keep
      every fact, and add none.

      "In the framework of the optimisation of the water supply infrastructure, an interruption of the
      provision of drinking water will be unavoidable in the streets Lindenweg (nos. 1-38) and Am Anger (all
      numbers) on 12 March in the time window between 8 a.m. and presumably 1 p.m. It is recommended that the
      affected consumers undertake the timely provision of a sufficient reserve. Following the resumption of
      the supply, a temporary discolouration, which is not associated with any risk to health, cannot be
      excluded, for which reason it is advised to let the water run until clear prior to use and to refrain
      from operating washing machines until this condition is fulfilled. The operation of boilers during the
      interruption is not permissible. In case of questions: 0555 0142."
    `,
  },
];
