import { type ShippedPrompt, text } from "./shipped-prompt.ts";

const category = "coding";

export const codingPrompts: ShippedPrompt[] = [
  {
    external_id: "agon-coding-01",
    category,
    prompt: text`
      What does this Python 3 program print?

      \`\`\`python
      def count_new(items, seen=[]):
          new = 0
          for item in items:
              if item not in seen:
                  seen.append(item)
                  new += 1
          return new

      print(count_new([1, 2, 2]), count_new([2, 3]), count_new([3], []))
      \`\`\`

      Reply with the printed line and nothing else.
    `,
    check: { kind: "exact", value: "2 1 1" },
    reference: "The default list is made once and shared by the first two calls; the third brings its own.",
  },
  {
    external_id: "agon-coding-02",
    category,
    prompt: text`
      What does this JavaScript program print?

      \`\`\`js
      const prices = [10, 9, 1, 100];
      prices.sort();
      console.log(prices.join("-"), typeof null, [1, 2, 3].indexOf("2"));
      \`\`\`

      Reply with the printed line and nothing else.
    `,
    check: { kind: "exact", value: "1-10-100-9 object -1" },
    reference: "Without a comparison function numbers are sorted as text; indexOf compares strictly.",
  },
  {
    external_id: "agon-coding-03",
    category,
    prompt: text`
      This function should tell whether a sorted list holds a value. For some inputs it never returns.

      \`\`\`
      1  def holds(sorted_items, wanted):
      2      low, high = 0, len(sorted_items)
      3      while low < high:
      4          middle = (low + high) // 2
      5          if sorted_items[middle] < wanted:
      6              low = middle
      7          else:
      8              high = middle
      9      return low < len(sorted_items) and sorted_items[low] == wanted
      \`\`\`

      Changing a single line repairs it. Say in one sentence what goes wrong, then end with a line of the
      form "Answer: <line number>".
    `,
    check: { kind: "number", value: 6 },
    reference: "low = middle makes no progress once high is low + 1; it has to be middle + 1.",
  },
  {
    external_id: "agon-coding-04",
    category,
    prompt: text`
      Write a function in a language of your choice that merges opening hours.

      Input: a list of pairs of minutes since midnight, such as (540, 720), each with start < end, in any
      order, possibly overlapping. Two periods that touch, such as (540, 600) and (600, 660), count as one.
      Periods less than five minutes apart are merged too, because nobody closes a shop for four minutes; a
      gap of exactly five minutes stays a gap. Output: the merged periods, sorted. The input must not be
      changed.

      Give the code, then a short table of test cases that covers the edges named above and at least two
      that are not named. State the running time in one line.
    `,
  },
  {
    external_id: "agon-coding-05",
    category,
    prompt: text`
      Review this function as you would in a pull request. It runs on a server that handles many requests at
      once; \`db\` is a pool of connections to PostgreSQL.

      \`\`\`js
      async function redeemVoucher(db, userId, code) {
        const voucher = (await db.query("select * from vouchers where code = '" + code + "'")).rows[0];
        if (!voucher) throw new Error("no such voucher");
        if (voucher.used_by) return { ok: false, reason: "used" };
        if (voucher.expires_at < new Date().toISOString()) return { ok: false, reason: "expired" };
        await db.query("update vouchers set used_by = $1 where code = $2", [userId, code]);
        await db.query("update accounts set balance = balance + $1 where id = $2", [voucher.amount, userId]);
        sendMail(userId, "Your voucher was redeemed");
        return { ok: true, balance: (await db.query("select balance from accounts where id = $1", [userId])).rows[0].balance };
      }
      \`\`\`

      List the problems, the most dangerous first. For each: what can happen, in one sentence with a concrete
      example, and the smallest change that prevents it. Then give a corrected version of the function. Do not
      comment on style.
    `,
    reference:
      "SQL injection; two requests redeem at once; no transaction; expiry compares a date with text; mail unawaited.",
  },
  {
    external_id: "agon-coding-06",
    category,
    prompt: text`
      Explain to a colleague who knows one programming language well, but has never worked with threads, why
      two threads that each add one to a shared counter a million times may end with less than two million.
      Use one small drawing in plain text of the steps that go wrong. Then name two ways to prevent it and say
      when you would choose which. At most 300 words, no code longer than six lines.
    `,
  },
];
