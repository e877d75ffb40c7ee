import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createPlainSpace, createWasmSpace, type RowSpace, SUMS } from "../../src/ratings/row-products.ts";
import { invert, quadraticForms } from "../../src/ratings/symmetric-matrix.ts";

const wasm = (length: number) => createWasmSpace(length) as RowSpace;
const finite = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e3, max: 1e3 });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe("inner products of rows", () => {
  it("are to the last digit the same in WebAssembly as in JavaScript, wherever rows begin and end", () => {
    const rows = fc.record({
      numbers: fc.array(finite, { minLength: 200, maxLength: 200 }),
      left: fc.integer({ min: 0, max: 30 }),
      right: fc.integer({ min: 0, max: 100 }),
      height: fc.integer({ min: 1, max: 4 }),
      pair: fc.integer({ min: 1, max: 2 }),
      stride: fc.integer({ min: 20, max: 23 }),
      length: fc.integer({ min: 0, max: 23 }),
    });
    fc.assert(
      fc.property(rows, ({ numbers, left, right, height, pair, stride, length }) => {
        const [one, other] = [createPlainSpace(200), wasm(200)].map((space) => {
          space.numbers.set(numbers, SUMS);
          space.multiplyRows(SUMS + left, height, SUMS + right, pair, stride, length);
          return space.numbers;
        }) as [Float64Array, Float64Array];
        expect(other).toEqual(one);
        for (let second = 0; second < pair; second += 1)
          for (let row = 0; row < height; row += 1) {
            let sum = 0;
            for (let k = 0; k < length; k += 1) {
              const at =
                (numbers[left + row * stride + k] as number) * (numbers[right + second * stride + k] as number);
              sum += at;
            }
            expect(one[4 * second + row]).toBeCloseTo(sum, 6);
          }
      }),
    );
  });

  it("are there for more numbers than fit into one page of memory, all zero at first", () => {
    const space = wasm(100_001);
    expect(space.numbers).toHaveLength(SUMS + 100_001);
    expect(space.numbers.every((value) => value === 0)).toBe(true);
    space.numbers.fill(1, SUMS);
    space.multiplyRows(SUMS + 80_001, 4, SUMS + 2, 2, 5_000, 5_000);
    expect([...space.numbers.subarray(0, SUMS)]).toEqual(Array(SUMS).fill(5_000));
  });
});

describe("matrices", () => {
  const matrix = fc
    .record({ size: fc.integer({ min: 1, max: 40 }), seed: fc.integer(), level: fc.constantFrom(-1, 0, 1e-9, 1) })
    .map(({ size, seed, level }) => ({ size, level, ...makeMatrices(size, seed, level) }));

  it("of every size have to the last digit the same inverse and forms in WebAssembly as in JavaScript", () => {
    for (let size = 1; size <= 40; size += 1) expectSame({ size, ...makeMatrices(size, size, 1) }, true);
    fc.assert(fc.property(matrix, (each) => expectSame(each, each.level === 1 ? true : undefined)));
  });

  it("that are singular are refused by both, and stay as they are", () => {
    for (let size = 2; size <= 40; size += 1) {
      // A Laplacian of whole numbers, whose last pivot is zero without any rounding: everybody met the last one only.
      const whole = new Float64Array(size * size);
      for (let i = 0; i < size - 1; i += 1) {
        whole[i * size + i] = 1;
        whole[(size - 1) * size + i] = -1;
      }
      whole[size * size - 1] = size - 1;
      for (const createSpace of [createPlainSpace, wasm]) {
        const kept = whole.slice();
        expect(invert(kept, size, createSpace)).toBe(false);
        expect(kept).toEqual(whole);
      }
    }
  });
});

describe("where WebAssembly is missing", () => {
  const refusals: [string, unknown][] = [
    ["as with --jitless", undefined],
    ["or knows no SIMD", { Module: refuse(new Error("CompileError: Wasm SIMD unsupported")) }],
    ["or has no memory to give", { Module: Object, Memory: refuse(new RangeError("could not allocate memory")) }],
  ];
  it.each(refusals)("%s, JavaScript does it", async (_, global) => {
    vi.resetModules();
    vi.stubGlobal("WebAssembly", global);
    const { createRowSpace, createWasmSpace: create } = await import("../../src/ratings/row-products.ts");
    expect(create(20_000)).toBeUndefined();
    const space = createRowSpace(20_000);
    space.numbers.fill(2, SUMS);
    space.multiplyRows(SUMS, 4, SUMS + 1_000, 2, 100, 25);
    expect([...space.numbers.subarray(0, SUMS)]).toEqual(Array(SUMS).fill(100));
  });
});

function refuse(error: Error) {
  return class {
    constructor() {
      throw error;
    }
  };
}

/** B B' plus `level` on the diagonal, where B has a column too few: singular at 0, but for rounding. And any rows. */
function makeMatrices(size: number, seed: number, level: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
  const rows = Float64Array.from({ length: size * size }, next);
  const whole = new Float64Array(size * size);
  for (let i = 0; i < size; i += 1)
    for (let j = 0; j < size; j += 1) {
      let sum = i === j ? level : 0;
      for (let k = 1; k < size; k += 1) sum += (rows[i * size + k] as number) * (rows[j * size + k] as number);
      whole[i * size + j] = sum;
    }
  return { rows, whole };
}

function expectSame(
  { size, rows, whole }: { size: number; rows: Float64Array; whole: Float64Array },
  definite: boolean | undefined,
): void {
  const [one, other] = [createPlainSpace, wasm].map((createSpace) => {
    const inverse = whole.slice();
    const isDefinite = invert(inverse, size, createSpace);
    return { isDefinite, inverse, forms: quadraticForms(rows, whole, size, createSpace) };
  }) as [{ isDefinite: boolean }, unknown];
  if (definite !== undefined) expect(one.isDefinite).toBe(definite);
  expect(other).toEqual(one);
}
