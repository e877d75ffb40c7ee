import type { PairCells } from "./pair-counts.ts";

/**
 * A symmetric matrix that belongs to a fit: rows for the strengths, then for what else is fitted (the first side's
 * advantage, the tie parameter). Its part for strengths is a sum over cells of weight (e_a - e_b)(e_a - e_b)', a
 * graph's Laplacian, plus `ridge` on the diagonal; that is never written out.
 */
export interface Information {
  readonly cells: PairCells;
  readonly weights: Float64Array;
  readonly ridge: number;
  /** One column per extra parameter, as long as there are strengths; each sums to zero. */
  readonly border: readonly Float64Array[];
  /** Among the extra parameters. */
  readonly corner: readonly (readonly number[])[];
}

/** A vector that fits it. */
export interface Direction {
  readonly strengths: Float64Array;
  readonly extras: number[];
}

/**
 * Solves information · x = (strengths, extras) by conjugate gradients on the strengths and a Schur complement for the
 * rest. Without a ridge the strengths' part must sum to zero, as must the solution's. `tolerance` is what may be left,
 * relative to the right-hand side.
 */
export function solve(information: Information, right: Direction, tolerance: number): Direction {
  const { border, corner } = information;
  const base = solveStrengths(information, right.strengths, tolerance);
  if (border.length === 0) return { strengths: base, extras: [] };
  const through = border.map((column) => solveStrengths(information, column, tolerance));
  const reduced = corner.map((row, i) =>
    row.map((value, j) => value - dot(border[i] as Float64Array, through[j] as Float64Array)),
  );
  const extras = solveSmall(
    reduced,
    right.extras.map((value, i) => value - dot(border[i] as Float64Array, base)),
  );
  const strengths = base.map((value, at) =>
    extras.reduce((rest, extra, i) => rest - extra * (through[i]?.[at] as number), value),
  );
  return { strengths, extras };
}

function solveStrengths(information: Information, right: Float64Array, tolerance: number): Float64Array {
  const size = right.length;
  const scale = diagonal(information, size);
  const x = new Float64Array(size);
  const residual = right.slice();
  // What rounding left in the direction that the matrix does not know could never be solved for.
  if (information.ridge === 0) centre(residual);
  const scaled = new Float64Array(size);
  const direction = new Float64Array(size);
  const image = new Float64Array(size);
  const goal = tolerance ** 2 * dot(residual, residual);
  let fit = 0;
  // In exact arithmetic `size` steps are enough; rounding asks for some more where ratings lie far apart.
  for (let step = 0; step < 10 * size + 100 && dot(residual, residual) > goal; step += 1) {
    for (let i = 0; i < size; i += 1) scaled[i] = (residual[i] as number) / (scale[i] as number);
    const fitNow = dot(residual, scaled);
    const keep = step === 0 ? 0 : fitNow / fit;
    fit = fitNow;
    for (let i = 0; i < size; i += 1) direction[i] = (scaled[i] as number) + keep * (direction[i] as number);
    multiply(information, direction, image);
    const along = dot(direction, image);
    if (!(along > 0)) break;
    const length = fit / along;
    for (let i = 0; i < size; i += 1) {
      x[i] = (x[i] as number) + length * (direction[i] as number);
      residual[i] = (residual[i] as number) - length * (image[i] as number);
    }
  }
  if (information.ridge === 0) centre(x);
  return x;
}

function diagonal({ cells, weights, ridge }: Information, size: number): Float64Array {
  const sums = new Float64Array(size).fill(ridge);
  for (let cell = 0; cell < weights.length; cell += 1) {
    const weight = weights[cell] as number;
    const a = cells.a[cell] as number;
    const b = cells.b[cell] as number;
    sums[a] = (sums[a] as number) + weight;
    sums[b] = (sums[b] as number) + weight;
  }
  for (let i = 0; i < size; i += 1) if (sums[i] === 0) sums[i] = 1;
  return sums;
}

function multiply({ cells, weights, ridge }: Information, vector: Float64Array, image: Float64Array): void {
  for (let i = 0; i < vector.length; i += 1) image[i] = ridge * (vector[i] as number);
  const { a: first, b: second } = cells;
  // Cells of one agent follow each other, so that its own sum need not be stored each time.
  for (let cell = 0; cell < weights.length; ) {
    const a = first[cell] as number;
    const own = vector[a] as number;
    let sum = 0;
    for (; cell < weights.length && first[cell] === a; cell += 1) {
      const b = second[cell] as number;
      const flow = (weights[cell] as number) * (own - (vector[b] as number));
      sum += flow;
      image[b] = (image[b] as number) - flow;
    }
    image[a] = (image[a] as number) + sum;
  }
}

export function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i += 1) sum += (x[i] as number) * (y[i] as number);
  return sum;
}

/** Takes the mean away. */
export function centre(x: Float64Array): void {
  let sum = 0;
  for (let i = 0; i < x.length; i += 1) sum += x[i] as number;
  const mean = sum / x.length;
  for (let i = 0; i < x.length; i += 1) x[i] = (x[i] as number) - mean;
}

/** One or two equations, by Cramer's rule. */
function solveSmall(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const at = (row: number, column: number) => matrix[row]?.[column] as number;
  const [first = 0, second = 0] = right;
  if (right.length === 1) return [first / at(0, 0)];
  const determinant = at(0, 0) * at(1, 1) - at(0, 1) * at(1, 0);
  return [(first * at(1, 1) - second * at(0, 1)) / determinant, (second * at(0, 0) - first * at(1, 0)) / determinant];
}

/**
 * The whole of it as a dense matrix (lower half). `level` weighs the direction in which all strengths move alike, which
 * a Laplacian does not know: with it the matrix can be inverted, and the inverse differs from what is sought by one
 * number.
 */
export function toDense({ cells, weights, ridge, border, corner }: Information, count: number, level: number) {
  const size = count + border.length;
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < count; i += 1) {
    matrix.fill(level / count, i * size, i * size + i + 1);
    matrix[i * size + i] = (matrix[i * size + i] as number) + ridge;
  }
  for (let cell = 0; cell < weights.length; cell += 1) {
    const weight = weights[cell] as number;
    const a = cells.a[cell] as number;
    const b = cells.b[cell] as number;
    const low = Math.max(a, b) * size + Math.min(a, b);
    matrix[low] = (matrix[low] as number) - weight;
    matrix[a * size + a] = (matrix[a * size + a] as number) + weight;
    matrix[b * size + b] = (matrix[b * size + b] as number) + weight;
  }
  for (const [i, column] of border.entries()) {
    matrix.set(column, (count + i) * size);
    for (let j = 0; j <= i; j += 1) matrix[(count + i) * size + count + j] = corner[i]?.[j] as number;
  }
  return matrix;
}

/** The number v M v. */
export function quadraticForm(information: Information, { strengths, extras }: Direction): number {
  const image = new Float64Array(strengths.length);
  multiply(information, strengths, image);
  let form = dot(strengths, image);
  for (const [i, extra] of extras.entries()) {
    form += 2 * extra * dot(information.border[i] as Float64Array, strengths);
    for (const [j, other] of extras.entries()) form += extra * other * (information.corner[i]?.[j] as number);
  }
  return form;
}
