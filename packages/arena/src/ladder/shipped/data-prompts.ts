import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "data";

export const dataPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-data-01",
    category,
    prompt: text`
      A café writes down its sales:

      \`\`\`csv
      day,region,cups,returned
      Mon,harbour,120,4
      Mon,station,210,0
      Mon,park,35,1
      Tue,harbour,135,0
      Tue,station,180,12
      Tue,park,60,0
      Wed,harbour,150,2
      Wed,station,,
      Wed,park,140,5
      \`\`\`

      "cups" counts all cups sold, "returned" those that were given back and paid out again. The station's
      machine was broken on Wednesday, so nothing was sold there. Which region has the highest number of
      cups sold and not returned over the three days? Reply with the region's name alone, as it is written
      in the table.
    `,
    check: { kind: "exact", value: "harbour", ignore_case: true },
    reference: "Harbour 405 - 6 = 399, station 390 - 12 = 378, park 235 - 6 = 229.",
  },
  {
    external_id: "agon-data-02",
    category,
    prompt: text`
      The waiting times of eleven patients, in minutes, as they were noted down:

      14, 3, 27, 8, 41, 8, 19, 5, 120, 11, 16

      The entry of 120 was a typing mistake; the right value is 2. What is the median of the corrected list?
      Reply with the number alone.
    `,
    check: { kind: "number", value: 11 },
    reference: "Sorted: 2 3 5 8 8 11 14 16 19 27 41.",
  },
  {
    external_id: "agon-data-03",
    category,
    prompt: text`
      A database has two tables.

      \`\`\`
      members                      loans
      id | name  | joined          id | member_id | returned_on
      1  | Ada   | 2021            10 | 1         | 2024-02-01
      2  | Bela  | 2022            11 | 1         | null
      3  | Chidi | 2022            12 | 3         | null
      4  | Dora  | 2023            13 | 3         | null
                                   14 | null      | 2024-03-05
      \`\`\`

      How many rows does this query return?

      \`\`\`sql
      select members.name, loans.id
      from members
      left join loans on loans.member_id = members.id and loans.returned_on is null
      where members.joined >= 2022;
      \`\`\`

      Reply with the number alone.
    `,
    check: { kind: "number", value: 4 },
    reference: "Bela and Dora once each with null, Chidi twice.",
  },
  {
    external_id: "agon-data-04",
    category,
    prompt: text`
      A gym changed its entrance fee from 12 to 9 euros at the beginning of March. The manager shows you this
      table and says: "The lower price brought us 20 per cent more visitors and paid for itself."

      \`\`\`
      month   visits   days open   fee
      Jan       2,480        31     12
      Feb       2,204        28     12
      Mar       2,790        31      9
      Apr       2,640        30      9
      \`\`\`

      Check both halves of the sentence against the table, with the numbers that you compute. Say what the
      table cannot tell, and which three further figures you would ask for before the next decision on the
      price. Write to the manager, not to a statistician, in at most 220 words.
    `,
    reference:
      "Visits a day 80.0, 78.7, 90.0, 88.0: up about 12 per cent. Takings a month 29,760, 26,448, 25,110, 23,760: down.",
  },
];
