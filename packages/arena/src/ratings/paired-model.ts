import type { PairCells } from "./pair-counts.ts";

export type PairedModel = "bt" | "davidson";

/**
 * What a model says of each cell at given strengths, per cell: log likelihood, its slope and curvature in the
 * difference of strengths `x` and in the log of the tie parameter `t`, and the summed squares of each battle's own
 * slopes, which the sandwich is filled with. Curvatures are of the negative log likelihood. Under Bradley–Terry all in
 * `t` is zero, and one array of zeros.
 */
export interface CellTerms {
  logLikelihood: number;
  readonly slopeX: Float64Array;
  readonly slopeT: Float64Array;
  readonly curveXX: Float64Array;
  readonly curveXT: Float64Array;
  readonly curveTT: Float64Array;
  readonly squareXX: Float64Array;
  readonly squareXT: Float64Array;
  readonly squareTT: Float64Array;
}

export function createTerms(count: number, hasTie: boolean): CellTerms {
  const zeros = () => new Float64Array(count);
  const none = zeros();
  const ofTie = () => (hasTie ? zeros() : none);
  return {
    logLikelihood: 0,
    slopeX: zeros(),
    slopeT: ofTie(),
    curveXX: zeros(),
    curveXT: ofTie(),
    curveTT: ofTie(),
    squareXX: zeros(),
    squareXT: ofTie(),
    squareTT: ofTie(),
  };
}

/** Strengths and what else is fitted, all on the natural-log scale. `tie` is undefined where ties are half wins. */
export interface Parameters {
  readonly strengths: Float64Array;
  readonly side: number;
  readonly tie: number | undefined;
}

/**
 * Fills the terms of all cells; `a` and `b` are indexes into the strengths. "Both bad" is a tie to every model, and a tie
 * is half a win for each side to Bradley–Terry. Each model goes through the cells by itself: called for each of them, it
 * would be handed every number in an object of its own.
 */
export function fillTerms(terms: CellTerms, cells: PairCells, { strengths, side, tie }: Parameters): void {
  if (tie === undefined) fillBradleyTerry(terms, cells, strengths, side);
  else fillDavidson(terms, cells, strengths, side, Math.exp(tie));
}

/** Bradley–Terry: P(a wins) = 1 / (1 + e^-x). */
function fillBradleyTerry(terms: CellTerms, cells: PairCells, strengths: Float64Array, side: number): void {
  let logLikelihood = 0;
  for (let at = 0; at < cells.a.length; at += 1) {
    const x = (strengths[cells.a[at] as number] as number) - (strengths[cells.b[at] as number] as number) + side;
    const winsA = cells.winsA[at] as number;
    const winsB = cells.winsB[at] as number;
    const drawn = (cells.ties[at] as number) + (cells.bothBad[at] as number);
    // Of the absolute value, so that nothing overflows; one exponential and one logarithm for all.
    const size = Math.abs(x);
    const small = Math.exp(-size);
    const ofBigger = 1 / (1 + small);
    const p = x > 0 ? ofBigger : small * ofBigger;
    const q = x > 0 ? small * ofBigger : ofBigger;
    const forA = winsA + drawn / 2;
    const forB = winsB + drawn / 2;
    const battles = forA + forB;
    logLikelihood -= battles * Math.log1p(small) + size * (x > 0 ? forB : forA);
    // Not `forA - battles * p`: where p is nearly 1, that would lose the digits that are left.
    terms.slopeX[at] = forA * q - forB * p;
    terms.curveXX[at] = battles * p * q;
    terms.squareXX[at] = winsA * q * q + winsB * p * p + (drawn * (q - p) * (q - p)) / 4;
  }
  terms.logLikelihood = logLikelihood;
}

/** Davidson (1970): the wins of a, those of b and ties are to each other as e^(x/2), e^(-x/2) and ν. */
function fillDavidson(terms: CellTerms, cells: PairCells, strengths: Float64Array, side: number, nu: number): void {
  let logLikelihood = 0;
  const logNu = Math.log(nu);
  for (let at = 0; at < cells.a.length; at += 1) {
    const x = (strengths[cells.a[at] as number] as number) - (strengths[cells.b[at] as number] as number) + side;
    const winsA = cells.winsA[at] as number;
    const winsB = cells.winsB[at] as number;
    const drawn = (cells.ties[at] as number) + (cells.bothBad[at] as number);
    const half = Math.abs(x) / 2;
    const root = Math.exp(-half);
    const sum = 1 + root * root + nu * root;
    const bigger = 1 / sum;
    const smaller = (root * root) / sum;
    const a = x > 0 ? bigger : smaller;
    const b = x > 0 ? smaller : bigger;
    const tie = (nu * root) / sum;
    const decided = winsA + winsB;
    const battles = decided + drawn;
    logLikelihood += (winsA - winsB) * (x / 2) + drawn * logNu - battles * (half + Math.log(sum));
    const mean = (a - b) / 2;
    const byA = b + tie / 2;
    const byB = -(a + tie / 2);
    terms.slopeX[at] = winsA * byA + winsB * byB - drawn * mean;
    terms.slopeT[at] = drawn * (1 - tie) - decided * tie;
    terms.curveXX[at] = battles * ((a + b) / 4 - mean * mean);
    terms.curveXT[at] = -battles * mean * tie;
    terms.curveTT[at] = battles * tie * (1 - tie);
    terms.squareXX[at] = winsA * byA * byA + winsB * byB * byB + drawn * mean * mean;
    terms.squareXT[at] = -(winsA * byA + winsB * byB) * tie - drawn * mean * (1 - tie);
    terms.squareTT[at] = decided * tie * tie + drawn * (1 - tie) * (1 - tie);
  }
  terms.logLikelihood = logLikelihood;
}
