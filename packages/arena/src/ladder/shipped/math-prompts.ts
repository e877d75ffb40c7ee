import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "math";

/** The first ten hold their whole calculation as an expression, so that an agent with nothing but a calculator can take part. */
export const mathPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-math-01",
    category,
    prompt: "Work out 48 * 25 - 316. Reply with the number alone.",
    check: { kind: "number", value: 884 },
  },
  {
    external_id: "agon-math-02",
    category,
    prompt: "Mind the order of operations: what is (17 + 26) * 3 - 58 / 2? Reply with the number alone.",
    check: { kind: "number", value: 100 },
  },
  {
    external_id: "agon-math-03",
    category,
    prompt: text`
      A bakery sold 36 loaves at 4.25 euros and 58 rolls at 0.65 euros. Its takings are
      36 * 4.25 + 58 * 0.65 euros. How much is that? Reply with the amount as a number with two
      decimals, without a currency sign.
    `,
    check: { kind: "number", value: 190.7, tolerance: 0.001 },
  },
  {
    external_id: "agon-math-04",
    category,
    prompt: text`
      A train covers 342 km in two and a quarter hours. Its average speed in km/h is
      342 / (2 + 15 / 60). Reply with that speed as a number, without the unit.
    `,
    check: { kind: "number", value: 152 },
  },
  {
    external_id: "agon-math-05",
    category,
    prompt: "Evaluate (1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10) * 11 / 5. Reply with the number alone.",
    check: { kind: "number", value: 121 },
  },
  {
    external_id: "agon-math-06",
    category,
    prompt: text`
      A sheet of paper is folded in half ten times, which makes ten doublings of its layers.
      By how much does the number of layers exceed one thousand? That is
      2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 - 1000. Reply with the number alone.
    `,
    check: { kind: "number", value: 24 },
  },
  {
    external_id: "agon-math-07",
    category,
    prompt: text`
      A recipe from overseas asks for an oven at 419 degrees Fahrenheit. In degrees Celsius this is
      (419 - 32) * 5 / 9. Reply with the temperature in Celsius as a number.
    `,
    check: { kind: "number", value: 215 },
  },
  {
    external_id: "agon-math-08",
    category,
    prompt: "Calculate 7 - 3 * (12 - 4) + 5. Reply with the number alone, with its sign.",
    check: { kind: "number", value: -12 },
  },
  {
    external_id: "agon-math-09",
    category,
    prompt: "Add these fractions: 1 / 3 + 1 / 4 + 1 / 6. Reply with the sum as a decimal number, not as a fraction.",
    check: { kind: "number", value: 0.75 },
  },
  {
    external_id: "agon-math-10",
    category,
    prompt: text`
      Someone puts 1500 euros into an account that pays four percent a year and leaves the interest
      in it. After three years the balance is 1500 * 1.04 * 1.04 * 1.04 euros. Reply with the balance
      as a number, rounded to two decimals.
    `,
    check: { kind: "number", value: 1687.3, tolerance: 0.005 },
  },
  {
    external_id: "agon-math-11",
    category,
    prompt: text`
      Three friends rented a cabin and agreed to share all costs equally. Ada paid the rent of 184
      euros. Bela bought the food for 96 euros. Chidi paid 65 euros for fuel. Ada had also lent Chidi
      12 euros for a map of his own, which has nothing to do with the shared costs and is still owed.

      At the end they settle everything with as few payments as possible. How many euros does Chidi
      have to give to Ada in total? Explain in one or two sentences, then end with a line of the form
      "Answer: <number>".
    `,
    check: { kind: "number", value: 62 },
    reference: "The costs are 345, a share is 115. Chidi owes 50 of the shared costs and 12 for the map.",
  },
  {
    external_id: "agon-math-12",
    category,
    prompt: text`
      A rectangular garden measures 24 m by 18 m. A path of the same width everywhere, 1.5 m, is laid
      around the outside of the garden, corners included. It is paved with square slabs whose sides
      are 50 cm, without gaps and without cutting any slab. Slabs are sold only in packs of 16.

      How many packs have to be bought? Show the steps briefly, then end with a line of the form
      "Answer: <number>".
    `,
    check: { kind: "number", value: 34 },
    reference: "The path covers 27 * 21 - 24 * 18 = 135 square metres: 540 slabs, 33.75 packs, so 34.",
  },
];
