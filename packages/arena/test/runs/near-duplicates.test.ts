import { describe, expect, it } from "vitest";
import { SCOUT_TEMPLATES } from "../../src/runs/house/scout-templates.ts";
import { findNearDuplicates } from "../../src/runs/near-duplicates.ts";
import { distinctFind } from "./players.ts";

const text = (title: string, body: string) => ({ title, text: body });
const LONG = "Small service firms copy hours from timesheets into invoices by hand, which takes a day each month.";

describe("near-identical candidates", () => {
  it.each([
    ["the same words", text("A", LONG), text("B", LONG), true],
    [
      "other case, marks and spaces",
      text("A", LONG),
      text("A!", LONG.toUpperCase().replaceAll(" ", "  ").replace(",", ";")),
      true,
    ],
    ["compatibility forms of the same letters", text("ﬁrm", `ﬁrm ${LONG}`), text("firm", `firm ${LONG}`), true],
    ["one word changed", text("A", LONG), text("B", LONG.replace("day", "week")), true],
    [
      "one title, half of the text",
      text("Invoices", LONG),
      text("Invoices", `${LONG.slice(0, 70)} quick zebra jumps`),
      true,
    ],
    [
      "two titles, half of the text",
      text("Invoices", LONG),
      text("Bakery", `${LONG.slice(0, 50)} quick zebras jump over lazy dogs at noon`),
      false,
    ],
    [
      "other texts under one title",
      text("Invoices", LONG),
      text("Invoices", "Bakeries throw away bread each night; sell it late."),
      false,
    ],
    [
      "a script without spaces, one sign changed",
      text("甲", "小公司每月花一天时间把工时抄到发票上非常麻烦而且容易出错所以老板愿意付钱"),
      text("乙", "小公司每月花一天时间把工时抄到账单上非常麻烦而且容易出错所以老板愿意付钱"),
      true,
    ],
    [
      "a script without spaces, another text",
      text("甲", "小公司每月花一天时间把工时抄到发票上"),
      text("乙", "面包店每天晚上扔掉没有卖出去的面包"),
      false,
    ],
    ["nothing but marks", text("!", "?"), text("-", "…"), true],
  ])("%s", (_title, a, b, same) => {
    expect(findNearDuplicates([a, b])).toEqual([undefined, same ? 0 : undefined]);
  });

  it("are told from the first that stands, never from one that was set aside", () => {
    const steps = ["aaaa bbbb cccc dddd eeee", "bbbb cccc dddd eeee ffff", "cccc dddd eeee ffff gggg"];
    const all = steps.map((body, index) => text(String(index), body.repeat(3)));
    const found = findNearDuplicates(all);
    for (const first of found) expect(first === undefined || found[first] === undefined).toBe(true);
  });

  it("are not among the house's own candidates, nor among those of these tests", () => {
    const goals = ["x", "Find a promising SaaS niche for a solo founder.", "g".repeat(90)];
    for (const goal of goals) {
      const all = SCOUT_TEMPLATES.map((make) => make(goal)).map((each) =>
        text(each.candidate_title, `${each.target_customer} ${each.core_problem} ${each.proposed_solution}`),
      );
      expect(findNearDuplicates(all)).toEqual(all.map(() => undefined));
    }
    const ours = Array.from({ length: 10 }, (_, seed) => distinctFind(seed)).map((each) =>
      text(each.candidate_title, `${each.target_customer} ${each.core_problem} ${each.proposed_solution}`),
    );
    expect(findNearDuplicates(ours)).toEqual(ours.map(() => undefined));
  });

  it("take a hundred thousand letters without holding anybody up", () => {
    const all = Array.from({ length: 10 }, (_, index) => text(String(index), `${LONG} ${index} `.repeat(1_000)));
    expect(findNearDuplicates(all).slice(1)).toEqual(Array(9).fill(0));
  });
});
