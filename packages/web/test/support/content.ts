/** Prompts with answers from good to bad, as agents write them. */
export interface Material {
  category: string;
  prompt: string;
  answers: readonly [good: string, fair: string, bad: string];
}

export const MATERIAL: readonly Material[] = [
  {
    category: "code",
    prompt: "Write a function that merges overlapping intervals. Say what it costs.",
    answers: [
      `Sort by start, then walk once and either extend the last interval or begin a new one.

\`\`\`python
def merge(intervals: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
\`\`\`

**Cost:** \`O(n log n)\` for sorting, \`O(n)\` for the walk. Touching intervals such as \`(1, 3)\` and \`(3, 5)\` are merged; use \`<\` if they should stay apart.`,
      `\`\`\`js
function merge(list) {
  list.sort((a, b) => a[0] - b[0]);
  const out = [];
  for (const [s, e] of list) {
    const last = out[out.length - 1];
    if (last && s <= last[1]) last[1] = Math.max(last[1], e);
    else out.push([s, e]);
  }
  return out;
}
\`\`\`

It is O(n log n). Note that it changes its argument.`,
      "You can compare every interval with every other and join those that overlap. Repeat until nothing changes any more.",
    ],
  },
  {
    category: "reasoning",
    prompt:
      "Three switches outside a closed room control three lamps inside. You may go in once. How do you find out which switch belongs to which lamp?",
    answers: [
      `Use heat as a second signal.

1. Turn switch **1** on and leave it for ten minutes.
2. Turn it off, turn switch **2** on, and go in at once.

| lamp | switch |
|---|---|
| lit | 2 |
| dark and warm | 1 |
| dark and cold | 3 |

This needs lamps that get warm. With LEDs there is no such answer from one visit.`,
      "Turn on the first for a while, turn it off, turn on the second and enter. The lit one is the second, the warm one the first, the other the third.",
      "Turn on two switches and go in. The two lit lamps belong to them, and the dark one to the third.",
    ],
  },
  {
    category: "writing",
    prompt:
      "Write a short notice for a library: the reading room closes at six on Fridays from now on. Friendly, no exclamation marks.",
    answers: [
      `**The reading room on Fridays**

From this week on the reading room closes at six o'clock on Fridays. Books that you want to go on with can be kept at the desk under your name until Monday.

On all other days nothing changes. Thank you for your understanding.`,
      "Dear readers, please note that the reading room will close at 6 pm on Fridays from now on. We thank you for your understanding and look forward to seeing you.",
      "ATTENTION: reading room closes 6 PM FRIDAYS!! No exceptions!",
    ],
  },
  {
    category: "knowledge",
    prompt: "Why does the moon look larger near the horizon?",
    answers: [
      `It does not *become* larger: photographs show the same half degree everywhere in the sky, and near the horizon it is even about 1.5 % further away.

The difference is made by seeing. Two explanations carry most of it:

- **Apparent distance.** The sky looks like a flattened dome, so what stands at its edge is taken to be further off, and what has the same angle but is further off is taken to be larger.
- **Things beside it.** Trees and roofs give a measure that the high moon lacks.

Looking through a tube, or upside down between your legs, makes most of it go away.`,
      "This is called the moon illusion. The moon has the same size in the sky; the brain compares it with trees and houses at the horizon and takes it to be larger.",
      "Because the atmosphere near the horizon works as a magnifying glass and makes it about twice as large.",
    ],
  },
  {
    category: "arithmetic",
    prompt: "A train leaves at 9:40 and arrives at 13:05. It stands for 25 minutes on the way. How long does it move?",
    answers: [
      `From 9:40 to 13:05 it is 3 h 25 min. Less 25 min standing, it moves for **3 h 0 min**, which is 180 minutes.

\`\`\`tool_call
{"name": "calculator", "arguments": {"expression": "(13*60+5) - (9*60+40) - 25"}}
\`\`\`

\`\`\`tool_result
180
\`\`\``,
      "3 hours and 25 minutes minus 25 minutes are 3 hours.",
      "It moves for 3 hours and 50 minutes.",
    ],
  },
  {
    category: "data",
    prompt:
      "Write one SQL query: the three customers with the highest total in 2025, with the total. Table orders(customer, total, ordered_at).",
    answers: [
      `\`\`\`sql
select customer, sum(total) as total
from orders
where ordered_at >= date '2025-01-01' and ordered_at < date '2026-01-01'
group by customer
order by total desc, customer
limit 3;
\`\`\`

The half-open range keeps an index on \`ordered_at\` usable, and the name breaks ties the same way every time.`,
      `\`\`\`sql
SELECT customer, SUM(total) FROM orders WHERE EXTRACT(YEAR FROM ordered_at) = 2025 GROUP BY customer ORDER BY 2 DESC LIMIT 3
\`\`\``,
      "SELECT TOP 3 customer, total FROM orders WHERE year = 2025",
    ],
  },
];

/** Names as people give them, a long one and one that is written from right to left among them. */
export const NAMES: readonly (readonly [name: string, skill: number, model: string])[] = [
  ["meridian", 0.94, "claude-sonnet-5"],
  ["Kestrel", 0.86, "gpt-5.1"],
  ["quiet-river", 0.8, "qwen3-72b"],
  ["sum of parts", 0.72, "gemini-3-pro"],
  ["Norr", 0.66, "mistral-large-3"],
  ["באר שבע", 0.6, ""],
  ["paperclip", 0.5, "llama-4-70b"],
  ["the-agent-with-a-name-so-long-that-no-column-was-ever-made-for-it-in-any-table-of-the-world", 0.42, "deepseek-v4"],
  ["tin_can", 0.3, "phi-5"],
  ["coin flip", 0.15, "none, a random choice"],
];
