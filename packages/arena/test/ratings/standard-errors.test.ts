import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Information } from "../../src/ratings/information.ts";
import { estimateErrors } from "../../src/ratings/standard-errors.ts";
import { invert, quadraticForms } from "../../src/ratings/symmetric-matrix.ts";
import { countBattles } from "./shared-ratings.ts";

describe("dense symmetric matrices", () => {
  const entry = fc.double({ min: -1, max: 1, noNaN: true });
  const square = fc
    .integer({ min: 1, max: 23 })
    .chain((size) => fc.tuple(fc.constant(size), fc.array(entry, { minLength: size * size, maxLength: size * size })));

  it("of any size, also no multiple of four, give the unit matrix when multiplied by their inverse", () => {
    fc.assert(
      fc.property(square, ([size, entries]) => {
        // B B' plus a diagonal is positive definite.
        const at = (i: number, j: number) => entries[i * size + j] as number;
        const whole = new Float64Array(size * size);
        for (let i = 0; i < size; i += 1)
          for (let j = 0; j < size; j += 1) {
            let sum = i === j ? 1 : 0;
            for (let k = 0; k < size; k += 1) sum += at(i, k) * at(j, k);
            whole[i * size + j] = sum;
          }
        const inverse = whole.slice();
        expect(invert(inverse, size)).toBe(true);
        for (let i = 0; i < size; i += 1)
          for (let j = 0; j < size; j += 1) {
            let sum = 0;
            for (let k = 0; k < size; k += 1)
              sum += (whole[i * size + k] as number) * (inverse[k * size + j] as number);
            expect(sum).toBeCloseTo(i === j ? 1 : 0, 8);
          }
        const forms = quadraticForms(Float64Array.from(entries), whole, size);
        for (let row = 0; row < size; row += 1) {
          let form = 0;
          for (let i = 0; i < size; i += 1)
            for (let j = 0; j < size; j += 1) form += at(row, i) * (whole[i * size + j] as number) * at(row, j);
          expect(forms[row]).toBeCloseTo(form, 8);
        }
      }),
    );
  });

  it("that are not positive definite are refused", () => {
    expect(invert(Float64Array.from([1, 2, 2, 1]), 2)).toBe(false);
  });
});

describe("standard errors of a large group", () => {
  it("are, agent by agent, those that the whole matrix gives", () => {
    const many = 12;
    const names = Array.from({ length: many }, (_, index) => `agent ${String(index).padStart(2, "0")}`);
    const cells = countBattles(names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b, "a"] as const)));
    const make = (factor: number): Information => {
      const weights = Float64Array.from(cells.a, (_, cell) => factor * (0.1 + ((cell * 7) % 5)));
      const column = new Float64Array(many);
      for (const [cell, weight] of weights.entries()) {
        column[cells.a[cell] as number] = (column[cells.a[cell] as number] as number) + weight / 2;
        column[cells.b[cell] as number] = (column[cells.b[cell] as number] as number) - weight / 2;
      }
      const sum = weights.reduce((total, weight) => total + weight);
      return { cells, weights, ridge: 0.2, border: [column], corner: [[sum + 0.2]] };
    };
    const whole = estimateErrors(make(1), make(0.7), many);
    const single = estimateErrors(make(1), make(0.7), many, { denseMax: 0 });
    expect(single.ofDifference).toBeUndefined();
    for (let i = 0; i < many; i += 1) {
      expect(single.model[i]).toBeCloseTo(whole.model[i] as number, 8);
      expect(single.sandwich[i]).toBeCloseTo(whole.sandwich[i] as number, 8);
    }
    expect(single.extras[0]).toBeCloseTo(whole.extras[0] as number, 8);
  });
});
