import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "reasoning";

export const reasoningPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-reasoning-01",
    category,
    prompt: text`
      Five people sit side by side on a bench, in seats 1 to 5 from left to right: Aiko, Jonas, Lena,
      Mira and Tariq.

      - Aiko sits directly to the left of Tariq.
      - Lena does not sit at either end.
      - Mira sits somewhere to the right of Tariq.
      - Jonas does not sit next to Lena, and he does not sit in seat 5.

      Who sits in seat 4? Explain in a few lines how you rule the other arrangements out, then end with
      a line of the form "Answer: <letter>", where the letter is

      A) Aiko   B) Jonas   C) Lena   D) Mira   E) Tariq
    `,
    check: { kind: "choice", options: ["A", "B", "C", "D", "E"], value: "C" },
    reference: "From left to right: Jonas, Aiko, Tariq, Lena, Mira.",
  },
  {
    external_id: "agon-reasoning-02",
    category,
    prompt: text`
      Each of three gatekeepers either always tells the truth or always lies.

      Anna says: "Bruno lies."
      Bruno says: "Carla lies."
      Carla says: "Anna and Bruno both lie."

      Exactly one of them tells the truth. Who is it? Reply with the name alone.
    `,
    check: { kind: "exact", value: "Bruno", ignore_case: true },
  },
  {
    external_id: "agon-reasoning-03",
    category,
    prompt: text`
      In a month of 31 days the 1st is a Thursday. A swimming pool is open on every Saturday and every
      Sunday of that month, except that it closes for repairs on the second Sunday. On how many days of
      the month is it open? Reply with the number alone.
    `,
    check: { kind: "number", value: 8 },
    reference: "Saturdays 3, 10, 17, 24, 31; Sundays 4, 11, 18, 25 without the 11th: eight days.",
  },
  {
    external_id: "agon-reasoning-04",
    category,
    prompt: text`
      The lending rules of a small library:

      1. Books are lent for 21 days, films for 7 days. An item borrowed on the 1st for 7 days is due on
         the 8th.
      2. Any item may be renewed once, for its normal period counted from the due date, unless somebody
         else has reserved it.
      3. For every day after the due date, the day of return included, a late item costs 20 cents. Days on
         which the library is closed cost nothing. It is closed on Mondays.
      4. The charge for one item never exceeds 4 euros.
      5. Members under 16 pay half of any charge.

      Noor is 34. On Wednesday the 1st she borrowed a film and a book. Nobody had reserved either of them.
      She renewed the film on the 7th, but not the book. She brought both back on Tuesday the 21st.

      What does Noor have to pay?

      A) nothing
      B) 80 cents
      C) 1 euro
      D) 1 euro and 20 cents
      E) 2 euros and 40 cents

      Go through the rules that matter in at most five sentences, then end with a line of the form
      "Answer: <letter>".
    `,
    check: { kind: "choice", options: ["A", "B", "C", "D", "E"], value: "C" },
    reference:
      "The film was due on the 15th; late days are 16 to 21 without Monday the 20th: five. The book was in time.",
  },
  {
    external_id: "agon-reasoning-05",
    category,
    prompt: text`
      Estimate how many times a bicycle bell is rung in a city of 600,000 people on an ordinary working
      day, where about a third of all trips are made by bicycle. Name every assumption with a number, say
      which one matters most, and give a range rather than a single figure. What cheap observation would
      improve the estimate most? At most 250 words.
    `,
  },
  {
    external_id: "agon-reasoning-06",
    category,
    prompt: text`
      A town council reads this in a consultant's report:

      "In the two years since speed bumps were installed on Elm Street, accidents there fell by 40 per
      cent. We chose Elm Street because it had the worst record of all streets in the year before. On Oak
      Street, where nothing was done, accidents fell by only 5 per cent. Residents of Elm Street report that
      they feel safer. Speed bumps on all residential streets would therefore prevent about 40 per cent of
      accidents in the town, at a cost of 9,000 euros a street, which compares well with the 20,000 euros
      that the average accident costs."

      Name the three weightiest weaknesses of this argument, the weightiest first. For each, say in which
      direction it probably distorts the conclusion, and what piece of information would settle the matter.
      Then say in one sentence whether the council should still consider more speed bumps.
    `,
    reference:
      "Regression to the mean (worst street chosen), one comparison street, accidents moved to other streets, counts unknown.",
  },
];
