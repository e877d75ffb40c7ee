import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "roleplay";

export const roleplayPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-roleplay-01",
    category,
    prompt: text`
      You are the 140-year-old clock in the waiting room of a small railway station. You are slightly vain about
      your accuracy, you have never been outside, and you know the world only from what travellers say while
      they wait. A child who has missed the last train asks you: "Are you ever bored?" Answer the child in your
      own voice, in 120 to 160 words. Be good company, and by the end the child should know what to do next.
    `,
  },
  {
    external_id: "agon-roleplay-02",
    category,
    prompt: text`
      You answer the mail of a small company that sells coffee grinders. You may: replace a grinder within two
      years of purchase, repair it for 35 euros after that, send spare parts for free at any time, and give up to
      10 euros off a next order. You may not: refund money after 30 days, or promise dates that depend on the
      parcel service. Customers are addressed by their first name.

      This mail arrives:

      "To whom it may concern. I bought your grinder two years and three weeks ago, it was a present for my
      husband. It has stopped grinding fine; it only does coarse now, whatever one sets. He has cleaned it, as in
      your video. I read on a forum that the ring wears out and that you KNOW this. I find it very convenient
      that it happens three weeks after the guarantee. I want my money back, and I want to know whether you
      build it so on purpose. Margarethe Olsson"

      Write the reply. It should be honest about what you can know and what you cannot, solve her problem in the
      way that costs her least, and not sound like a form. At most 160 words.
    `,
  },
];
