import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "extraction";

export const extractionPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-extraction-01",
    category,
    prompt: text`
      Read this invoice.

      NORDWIND BOATYARD - Am Kai 7, 24103 Kiel
      Customer no. 40117              Our reference: quote NB-2207
      INVOICE NB-2291                 dated 15 May 2024

      Hull cleaning, 26 ft             1 x   380.00
      Antifouling paint, 2.5 l tin     3 x   120.00     360.00
      Labour                           6 h x  65.00     390.00
                                          Net total   1,130.00
                                          VAT 19 %      214.70
                                          To pay      1,344.70 EUR

      Please pay within 30 days of the date of this invoice. Thank you.

      Reply with one JSON object with exactly these fields: "invoice_number" (string), "total" (number, the
      amount to pay), "currency" (three-letter code) and "due_date" (YYYY-MM-DD). No other text.
    `,
    check: {
      kind: "json-schema",
      schema: {
        type: "object",
        properties: {
          invoice_number: { const: "NB-2291" },
          total: { const: 1344.7 },
          currency: { const: "EUR" },
          due_date: { const: "2024-06-14" },
        },
        required: ["invoice_number", "total", "currency", "due_date"],
        additionalProperties: false,
      },
    },
  },
  {
    external_id: "agon-extraction-02",
    category,
    prompt: text`
      Subject: Re: Re: Thursday?

      Hi all,

      Thursday the 9th does not work for Priya after all, and the big room is taken on Friday anyway. So let
      us stay with Wednesday, the 8th of January 2025, but an hour later than I first wrote: a quarter past
      three instead of a quarter past two in the afternoon. We meet in the workshop on the ground floor, not
      in the office. Coming so far: Priya, Tom, both Hansens, and me. Tom's apprentice would like to listen
      in; I said yes. Lucia sends her apologies.

      See you then,
      Wiebke

      Reply with one JSON object with exactly these fields: "date" (YYYY-MM-DD), "start" (24-hour HH:MM),
      "place" ("office", "workshop" or "big room") and "people" (number of people expected, the writer
      included). No other text.
    `,
    check: {
      kind: "json-schema",
      schema: {
        type: "object",
        properties: {
          date: { const: "2025-01-08" },
          start: { const: "15:15" },
          place: { const: "workshop" },
          people: { const: 6 },
        },
        required: ["date", "start", "place", "people"],
        additionalProperties: false,
      },
    },
    reference: "Priya, Tom, two Hansens, Wiebke and the apprentice.",
  },
  {
    external_id: "agon-extraction-03",
    category,
    prompt: text`
      Find the e-mail addresses that are meant to be used, in the order in which they appear:

      "Write to office@harbour.example for tickets. (The old address, tickets@harbour.example, is no longer
      read.) Groups of ten or more: groups at harbour dot example. Press: press@harbour.example, and please
      copy j.moreau+press@photo.example. Do not write to noreply@harbour.example."

      Write each of them in the usual form with the @ sign. Reply with one JSON array of strings. No other
      text.
    `,
    check: {
      kind: "json-schema",
      schema: {
        type: "array",
        const: [
          "office@harbour.example",
          "groups@harbour.example",
          "press@harbour.example",
          "j.moreau+press@photo.example",
        ],
      },
    },
  },
  {
    external_id: "agon-extraction-04",
    category,
    prompt: text`
      Here is a piece of a server's log:

      \`\`\`
      08:59:58 INFO  worker-2 picked job 7731 (resize)
      09:00:01 INFO  worker-1 picked job 7732 (resize)
      09:00:04 ERROR worker-2 job 7731 failed: disk full
      09:00:04 INFO  worker-2 job 7731 will be retried at 09:00:34
      09:00:09 WARN  worker-1 job 7732 slow: 8 s
      09:00:11 INFO  worker-1 job 7732 done
      09:00:12 ERROR worker-3 lost connection to queue
      09:00:15 INFO  worker-3 connected to queue
      09:00:34 INFO  worker-1 picked job 7731 (resize)
      09:00:36 ERROR worker-1 job 7731 failed: disk full
      09:00:36 INFO  worker-1 job 7731 gave up after 2 attempts
      \`\`\`

      Reply with one JSON object with exactly these fields: "errors" (number of lines of level ERROR),
      "failed_jobs" (array of the numbers of all jobs that were given up), "finished_jobs" (array of the
      numbers of all jobs that were done) and "last_error_worker" (string). No other text.
    `,
    check: {
      kind: "json-schema",
      schema: {
        type: "object",
        properties: {
          errors: { const: 3 },
          failed_jobs: { const: [7731] },
          finished_jobs: { const: [7732] },
          last_error_worker: { const: "worker-1" },
        },
        required: ["errors", "failed_jobs", "finished_jobs", "last_error_worker"],
        additionalProperties: false,
      },
    },
  },
  {
    external_id: "agon-extraction-05",
    category,
    prompt: text`
      Two people saw the same incident on a campsite and wrote it down.

      First: "It was shortly after ten, I had just washed up. A white van came down the slope without lights
      and without anybody in it, quite slowly, and rolled over the corner of the blue tent. Nobody was in the
      tent. The owner of the van came running, a tall man in a green jacket, and said he had pulled the
      handbrake. He gave the family his number and they seemed to agree. The police never came."

      Second: "Around half past nine, it was still a little light, a pale grey delivery van rolled backwards
      down the hill with its lights on. It hit the fence and then a blue tent. A child had crawled out of the
      tent just before. A man and a woman ran after the van; the woman was shouting that he never pulls the
      handbrake. Later a police car stood at the gate."

      Make a table with three columns: a fact, what the first person says, what the second person says. Use
      one row for each fact on which they differ or which only one of them mentions. Below the table, list
      what both agree on. Do not decide who is right, and do not add anything that neither of them says.
    `,
  },
];
