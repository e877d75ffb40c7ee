import { type Information, quadraticForm, solve, toDense } from "./information.ts";
import { invert, quadraticForms } from "./symmetric-matrix.ts";

/** How sure a fit is. Of the strengths as they stand, with mean 0, natural-log scale. */
export interface Errors {
  /** As if the model were true. */
  readonly model: Float64Array;
  /** By how the battles really scattered (sandwich), which stays right where the model is only nearly true. */
  readonly sandwich: Float64Array;
  /** Model-based, of what else was fitted. */
  readonly extras: readonly number[];
  /** Model-based standard error of the difference of two members; undefined in groups too large to keep it. */
  readonly ofDifference: ((first: number, second: number) => number) | undefined;
}

/**
 * Beyond it a matrix would take more than 50 MB, of which three are there at once, and agents go one by one instead:
 * longer, with next to no memory.
 */
const DENSE_MAX = 2_500;
/** For agents one by one: nothing corrects what is left. */
const TOLERANCE = 1e-12;

/**
 * Standard errors from what the battles tell (`information`) and how they scattered (`squares`). Groups of more than
 * `denseMax` go agent by agent.
 */
export function estimateErrors(
  information: Information,
  squares: Information,
  count: number,
  { denseMax = DENSE_MAX }: { denseMax?: number } = {},
): Errors {
  const isSmall = count + information.border.length <= denseMax;
  const dense = isSmall ? estimateAtOnce(information, squares, count) : undefined;
  return dense ?? estimateOneByOne(information, squares, count);
}

function estimateAtOnce(information: Information, squares: Information, count: number): Errors | undefined {
  const size = count + information.border.length;
  let sum = 0;
  // Not by reduce, which makes an object of every sum: there may be half a million weights.
  for (let cell = 0; cell < information.weights.length; cell += 1) sum += 2 * (information.weights[cell] as number);
  const level = sum / count;
  const inverse = toDense(information, count, level);
  if (!invert(inverse, size)) return undefined;
  const excess = 1 / (count * (level + information.ridge));
  for (let i = 0; i < count; i += 1)
    for (let j = 0; j < count; j += 1) inverse[i * size + j] = (inverse[i * size + j] as number) - excess;
  const variance = (i: number) => inverse[i * size + i] as number;
  const scatter = quadraticForms(inverse, toDense(squares, count, 0), size);
  return {
    model: Float64Array.from({ length: count }, (_, i) => Math.sqrt(variance(i))),
    sandwich: scatter.slice(0, count).map(Math.sqrt),
    extras: information.border.map((_, i) => Math.sqrt(variance(count + i))),
    ofDifference: (i, j) => Math.sqrt(variance(i) + variance(j) - 2 * (inverse[i * size + j] as number)),
  };
}

function estimateOneByOne(information: Information, squares: Information, count: number): Errors {
  const model = new Float64Array(count);
  const sandwich = new Float64Array(count);
  const noExtras = information.border.map(() => 0);
  for (let i = 0; i < count; i += 1) {
    const unit = new Float64Array(count).fill(-1 / count);
    unit[i] = 1 - 1 / count;
    const row = solve(information, { strengths: unit, extras: noExtras }, TOLERANCE);
    model[i] = Math.sqrt(row.strengths[i] as number);
    sandwich[i] = Math.sqrt(quadraticForm(squares, row));
  }
  const extras = information.border.map((_, i) => {
    const unit = noExtras.map((_zero, j) => Number(i === j));
    return Math.sqrt(
      solve(information, { strengths: new Float64Array(count), extras: unit }, TOLERANCE).extras[i] as number,
    );
  });
  return { model, sandwich, extras, ofDifference: undefined };
}
