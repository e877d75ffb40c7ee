import { expect, it } from "vitest";
import { CallOffs } from "../../src/push/call-offs.ts";

it("calls off what is there and nothing that was taken away, whichever place it gets", () => {
  const callOffs = new CallOffs();
  const called: string[] = [];
  const add = (name: string) => callOffs.add(() => called.push(name));
  const [a, b, c] = ["a", "b", "c"].map(add) as [number, number, number];
  callOffs.remove(b);
  callOffs.remove(a);
  const [d, e] = [add("d"), add("e")];
  expect([a, b].sort()).toEqual([d, e].sort());
  expect(new Set([c, d, e, add("f")]).size).toBe(4);
  callOffs.remove(e);
  expect(callOffs.isOver).toBe(false);
  callOffs.callOff();
  expect([callOffs.isOver, called.sort()]).toEqual([true, ["c", "d", "f"]]);
});

it("bears that what it calls off takes itself away", () => {
  const callOffs = new CallOffs();
  const called: number[] = [];
  for (const each of [0, 1, 2]) {
    const place = callOffs.add(() => {
      called.push(each);
      callOffs.remove(place);
    });
  }
  callOffs.callOff();
  expect(called).toEqual([0, 1, 2]);
});
