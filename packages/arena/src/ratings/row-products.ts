import { rowProductsModule } from "./row-products-module.ts";

/**
 * Numbers in one array, and inner products of rows among them. Rows are taken four at a time with two others: a number
 * that is loaded is then used two or four times.
 */
export interface RowSpace {
  /** The first `SUMS` hold what was multiplied last; all after them are the caller's. */
  readonly numbers: Float64Array;
  readonly multiplyRows: MultiplyRows;
}

/**
 * `left` and `right` are where the first of the four and of the two rows begins, each next one `stride` further on; all
 * of `length`. Rows beyond `height` (1 to 4) and `pair` (1 to 2) are those before them again. The products, the four with
 * the first of the two and then with the second, become the first numbers of the space.
 */
type MultiplyRows = (left: number, height: number, right: number, pair: number, stride: number, length: number) => void;

export const SUMS = 8;

/** A matrix of 70 rows: JavaScript takes a third of a millisecond for it, not worth a memory with gigabytes of addresses. */
const JAVASCRIPT_MAX = 10_000;

/** Zeros for `length` numbers after the sums. It gives the same digits wherever it runs, only not as soon. */
export function createRowSpace(length: number): RowSpace {
  const fast = length > JAVASCRIPT_MAX ? createWasmSpace(length) : undefined;
  return fast ?? createPlainSpace(length);
}

/** In JavaScript, with even and odd columns in sums of their own like row-products.wat. */
export function createPlainSpace(length: number): RowSpace {
  const numbers = new Float64Array(SUMS + length);
  const odd = new Float64Array(SUMS);
  return {
    numbers,
    multiplyRows(left, height, right, pair, stride, columns) {
      multiplyEveryOther(numbers, odd, left + 1, height, right + 1, pair, stride, columns - 1);
      multiplyEveryOther(numbers, numbers, left, height, right, pair, stride, columns);
      for (let at = 0; at < SUMS; at += 1) numbers[at] = (numbers[at] as number) + (odd[at] as number);
    },
  };
}

function multiplyEveryOther(
  numbers: Float64Array,
  sums: Float64Array,
  left: number,
  height: number,
  first: number,
  pair: number,
  stride: number,
  length: number,
): void {
  const r1 = height > 1 ? left + stride : left;
  const r2 = height > 2 ? r1 + stride : r1;
  const r3 = height > 3 ? r2 + stride : r2;
  const second = pair > 1 ? first + stride : first;
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let [t0, t1, t2, t3] = [0, 0, 0, 0];
  for (let k = 0; k < length; k += 2) {
    const x = numbers[first + k] as number;
    const y = numbers[second + k] as number;
    const v0 = numbers[left + k] as number;
    const v1 = numbers[r1 + k] as number;
    const v2 = numbers[r2 + k] as number;
    const v3 = numbers[r3 + k] as number;
    s0 += x * v0;
    s1 += x * v1;
    s2 += x * v2;
    s3 += x * v3;
    t0 += y * v0;
    t1 += y * v1;
    t2 += y * v2;
    t3 += y * v3;
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
  sums[4] = t0;
  sums[5] = t1;
  sums[6] = t2;
  sums[7] = t3;
}

/** What is used of it; the types of Node and of ECMAScript leave it out. */
declare const WebAssembly:
  | {
      Module: new (bytes: Uint8Array) => object;
      Memory: new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
      Instance: new (module: object, imports: object) => { exports: unknown };
    }
  | undefined;

const PAGE_BYTES = 65_536;

/** Translated once a thread; null where that cannot be: a processor or a Node without it, or started with --jitless. */
let translated: object | null | undefined;

/**
 * In WebAssembly, two columns at a time: some four times as fast. Each space has a memory of its own, of just its size,
 * since one that is kept would grow to the largest matrix and never shrink. Undefined where there is none to be had.
 */
export function createWasmSpace(length: number): RowSpace | undefined {
  if (typeof WebAssembly === "undefined") return undefined;
  try {
    translated ??= new WebAssembly.Module(Buffer.from(rowProductsModule, "base64"));
  } catch {
    translated = null;
  }
  if (translated === null) return undefined;
  const pages = Math.ceil(((SUMS + length) * Float64Array.BYTES_PER_ELEMENT) / PAGE_BYTES);
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    const instance = new WebAssembly.Instance(translated, { space: { memory } });
    const { multiplyRows } = instance.exports as { multiplyRows: MultiplyRows };
    return { numbers: new Float64Array(memory.buffer, 0, SUMS + length), multiplyRows };
  } catch {
    // Each memory also reserves gigabytes of addresses, so that nothing need be checked; a limit on those may refuse.
    return undefined;
  }
}
