import { describe, expect, it } from "vitest";
import { evaluateCheck, parseCheck } from "../../src/judging/checks.ts";
import { parsePromptInput } from "../../src/ladder/prompt-input.ts";
import { type ShippedPrompt, text } from "../../src/ladder/shipped/shipped-prompt.ts";
import { loadShippedPrompts } from "../../src/ladder/shipped/shipped-prompts.ts";

const { gym, main } = loadShippedPrompts();
const checked = main.filter((prompt) => prompt.check !== undefined);

const invoice = { invoice_number: "NB-2291", total: 1344.7, currency: "EUR", due_date: "2024-06-14" };
const meeting = { date: "2025-01-08", start: "15:15", place: "workshop", people: 6 };
const addresses = [
  "office@harbour.example",
  "groups@harbour.example",
  "press@harbour.example",
  "j.moreau+press@photo.example",
];
const log = { errors: 3, failed_jobs: [7731], finished_jobs: [7732], last_error_worker: "worker-1" };
const french = `Bonjour {name}, vous avez {count} nouveaux messages.
Votre fichier <b>{file}</b> n’a pas pu être enregistré.
Réessayez dans {seconds} secondes.`;

/** For every checked prompt: answers that a fair judge accepts, and answers that one does not. */
const answers: Record<string, { right: string[]; wrong: string[] }> = {
  "agon-math-01": { right: ["884", "48 * 25 - 316 = 884."], wrong: ["-6984", "1516"] },
  "agon-math-02": { right: ["100", "**100**"], wrong: ["35.5", "71"] },
  "agon-math-03": { right: ["190.70", "190.7", "€190.70"], wrong: ["190", "191"] },
  "agon-math-04": { right: ["152", "152 km/h"], wrong: ["171", "159.07"] },
  "agon-math-05": { right: ["121"], wrong: ["55", "12.1"] },
  "agon-math-06": { right: ["24"], wrong: ["1024", "-24"] },
  "agon-math-07": { right: ["215", "215 °C"], wrong: ["419", "214"] },
  "agon-math-08": { right: ["-12", "−12"], wrong: ["12", "37"] },
  "agon-math-09": { right: ["0.75", "0,75"], wrong: ["0.23", "3"] },
  "agon-math-10": { right: ["1687.30", "1,687.30", "1687.296"], wrong: ["1680", "1687.31"] },
  "agon-math-11": { right: ["A share is 115.\nAnswer: 62"], wrong: ["A share is 115.\nAnswer: 50", "Answer: 12"] },
  "agon-math-12": { right: ["135 m², 540 slabs.\nAnswer: 34 packs"], wrong: ["Answer: 33.75", "Answer: 540"] },
  "agon-knowledge-01": { right: ["W", "W."], wrong: ["w", "Tu", "Wolfram"] },
  "agon-knowledge-02": { right: ["Ulaanbaatar", "Ulan Bator", "**Ulan-Bator**"], wrong: ["Ulan-Ude", "Astana"] },
  "agon-knowledge-03": { right: ["1989", "9 November 1989"], wrong: ["1990", "1961"] },
  "agon-knowledge-04": { right: ["Jupiter", "jupiter."], wrong: ["Saturn", "Mercury"] },
  "agon-knowledge-05": { right: ["Chinua Achebe"], wrong: ["Wole Soyinka", "Achebe"] },
  "agon-knowledge-06": { right: ["206"], wrong: ["270", "two hundred and six"] },
  "agon-knowledge-07": { right: ["299792", "299,792 km/s", "299792.458"], wrong: ["300000", "299792458"] },
  "agon-knowledge-08": { right: ["429"], wrong: ["503", "420"] },
  "agon-knowledge-09": { right: ["JPY", "`JPY`"], wrong: ["YEN", "JPN"] },
  "agon-knowledge-10": { right: ["C", "C) troposphere"], wrong: ["A", "B) mesosphere", "A or C"] },
  "agon-reasoning-01": { right: ["Jonas, Aiko, Tariq, Lena, Mira.\nAnswer: C"], wrong: ["Answer: B", "Answer: E"] },
  "agon-reasoning-02": { right: ["Bruno", "**Bruno**"], wrong: ["Anna", "Carla", "Bruno or Carla"] },
  "agon-reasoning-03": { right: ["8"], wrong: ["9", "7"] },
  "agon-reasoning-04": { right: ["Five late days count, not six.\nAnswer: C"], wrong: ["Answer: D", "Answer: A"] },
  "agon-coding-01": { right: ["2 1 1", "```\n2 1 1\n```"], wrong: ["2 2 1", "2 1 0"] },
  "agon-coding-02": { right: ["1-10-100-9 object -1"], wrong: ["1-9-10-100 object -1", "1-10-100-9 null -1"] },
  "agon-coding-03": { right: ["low never moves when high is low + 1.\nAnswer: 6"], wrong: ["Answer: 8", "Answer: 5"] },
  "agon-extraction-01": {
    right: [JSON.stringify(invoice), `\`\`\`json\n${JSON.stringify(invoice, null, 2)}\n\`\`\``],
    wrong: [JSON.stringify({ ...invoice, total: 1130 }), JSON.stringify({ ...invoice, note: "" }), "NB-2291"],
  },
  "agon-extraction-02": {
    right: [JSON.stringify(meeting)],
    wrong: [JSON.stringify({ ...meeting, start: "14:15" }), JSON.stringify({ ...meeting, people: 5 })],
  },
  "agon-extraction-03": {
    right: [JSON.stringify(addresses), `Here they are: ${JSON.stringify(addresses)}`],
    wrong: [JSON.stringify(addresses.toReversed()), JSON.stringify([...addresses, "tickets@harbour.example"])],
  },
  "agon-extraction-04": {
    right: [JSON.stringify(log)],
    wrong: [JSON.stringify({ ...log, errors: 4 }), JSON.stringify({ ...log, failed_jobs: [7731, 7732] })],
  },
  "agon-data-01": { right: ["harbour", "Harbour"], wrong: ["station", "park"] },
  "agon-data-02": { right: ["11"], wrong: ["14", "2"] },
  "agon-data-03": { right: ["4", "4 rows"], wrong: ["3", "2"] },
  "agon-translation-01": {
    right: [french],
    wrong: [french.replace("{count}", "{nombre}"), "Hello {name}, you have {count} new messages."],
  },
};

describe("the shipped prompts", () => {
  it("are five for the gym and sixty for the ladder, with ids of their own", () => {
    expect(gym).toHaveLength(5);
    expect(main).toHaveLength(60);
    expect(new Set([...gym, ...main].map((prompt) => prompt.external_id)).size).toBe(65);
  });

  it("cover at least ten categories, and show most of them early", () => {
    const categories = new Set(main.map((prompt) => prompt.category));
    expect(categories.size).toBeGreaterThanOrEqual(10);
    expect(new Set(main.slice(0, categories.size).map((prompt) => prompt.category))).toEqual(categories);
  });

  it("hold about as many that a machine can judge as an agent needs to be placed", () => {
    expect(checked.length).toBeGreaterThanOrEqual(30);
  });

  it.each([...gym, ...main].map((prompt) => [prompt.external_id, prompt] as const))(
    "%s imports as it is",
    (_id, prompt) => {
      expect(parsePromptInput(prompt, "item 1")).toEqual(prompt);
      expect(prompt).not.toHaveProperty("deadline_seconds");
      expect(prompt.prompt).toBe(prompt.prompt.trim());
    },
  );

  it("have answers to be tried for every check, and for nothing else", () => {
    expect(Object.keys(answers).sort()).toEqual(checked.map((prompt) => prompt.external_id).sort());
  });
});

describe.each(checked.map((prompt) => [prompt.external_id, prompt] as const))("the check of %s", (id, prompt) => {
  const { right = [], wrong = [] } = answers[id] ?? {};
  const isRight = (answer: string) => evaluateCheck(parseCheck(prompt.check), answer).right;

  it("accepts right answers", () => {
    expect(right.filter(isRight)).toEqual(right);
    expect(right).not.toEqual([]);
  });

  it("rejects wrong answers", () => {
    expect(wrong.filter(isRight)).toEqual([]);
    expect(wrong).not.toEqual([]);
  });

  it("rejects silence and an echo of the prompt", () => {
    expect(["", " ", prompt.prompt, `Answer: ${prompt.prompt}`].filter(isRight)).toEqual([]);
  });

  it("is announced: the prompt says what form the answer must take", () => {
    expect(prompt.prompt).toMatch(/Reply with|line of the\s+form/);
  });
});

describe("the arithmetic prompts", () => {
  const sums = main.filter(({ external_id }) => /^agon-math-(0\d|10)$/.test(external_id));

  it("are ten", () => expect(sums).toHaveLength(10));

  it.each(sums.map((prompt) => [prompt.external_id, prompt] as const))("%s holds its calculation", (_id, prompt) => {
    expect(evaluateCheck(parseCheck(prompt.check), `${computeLongest(prompt)}`).right).toBe(true);
  });
});

/** What a calculator would make of a prompt: the value of the longest stretch that looks like a calculation. */
function computeLongest({ prompt }: ShippedPrompt): number {
  const stretches = prompt.match(/[\d(][\d\s.+\-*/()]*[\d)]/g) ?? [];
  const longest = stretches.reduce((one, other) => (other.length > one.length ? other : one), "");
  return new Function(`return ${longest}`)() as number;
}

describe("text", () => {
  it("takes the indentation of the code away and keeps that of the text, when lines differ", () => {
    expect(text`
      a
        b \`c\`

      d \n
    `).toBe("a\n  b `c`\n\nd \\n");
  });
});
