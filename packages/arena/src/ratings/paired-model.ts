import type { PairCells } from "./pair-counts.ts";

export type PairedModel = "bt" | "davidson";

/**
 * What a model says of each cell at given strengths, per cell: log likelihood, its slope and curvature in the
 * difference of strengths `x` and in the log of the tie parameter `t`, and the summed squares of each battle's own
 * slopes, which the sandwich is filled with. Curvatures are of the negative log likelihood. Under Bradley–Terry all in
 * `t` is zero.
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

export function createTerms(count: number): CellTerms {
  const zeros = () => new Float64Array(count);
  return {
    logLikelihood: 0,
    slopeX: zeros(),
    slopeT: zeros(),
    curveXX: zeros(),
    curveXT: zeros(),
    curveTT: zeros(),
    squareXX: zeros(),
    squareXT: zeros(),
    squareTT: zeros(),
  };
}

/** A tie is half a win for each side; "both bad" is a tie to every model. */
export function drawnIn(cells: PairCells, cell: number): number {
  return (cells.ties[cell] as number) + (cells.bothBad[cell] as number);
}

/** log(1 + e^x) without overflow. */
function softplus(x: number): number {
  return x > 0 ? x + Math.log1p(Math.exp(-x)) : Math.log1p(Math.exp(x));
}

/** Bradley–Terry: P(a wins) = 1 / (1 + e^-x). */
function fillBradleyTerry(terms: CellTerms, at: number, x: number, winsA: number, winsB: number, drawn: number): void {
  const p = 1 / (1 + Math.exp(-x));
  const q = 1 / (1 + Math.exp(x));
  const battles = winsA + winsB + drawn;
  terms.logLikelihood -= (winsA + drawn / 2) * softplus(-x) + (winsB + drawn / 2) * softplus(x);
  // Not `wins - battles * p`: where p is nearly 1, that would lose the digits that are left.
  terms.slopeX[at] = (winsA + drawn / 2) * q - (winsB + drawn / 2) * p;
  terms.curveXX[at] = battles * p * q;
  terms.squareXX[at] = winsA * q * q + winsB * p * p + (drawn * (q - p) * (q - p)) / 4;
}

/**
 * Davidson (1970): the wins of a, those of b and ties are to each other as e^(x/2), e^(-x/2) and e^t.
 */
function fillDavidson(
  terms: CellTerms,
  at: number,
  x: number,
  t: number,
  winsA: number,
  winsB: number,
  drawn: number,
): void {
  const top = Math.max(Math.abs(x) / 2, t);
  const [forA, forB, forTie] = [Math.exp(x / 2 - top), Math.exp(-x / 2 - top), Math.exp(t - top)];
  const sum = forA + forB + forTie;
  const [a, b, tie] = [forA / sum, forB / sum, forTie / sum];
  const battles = winsA + winsB + drawn;
  const logSum = top + Math.log(sum);
  terms.logLikelihood += winsA * (x / 2) - winsB * (x / 2) + drawn * t - battles * logSum;
  const mean = (a - b) / 2;
  const [byA, byB, byTie] = [b + tie / 2, -(a + tie / 2), -mean];
  terms.slopeX[at] = winsA * byA + winsB * byB + drawn * byTie;
  terms.slopeT[at] = drawn * (1 - tie) - (winsA + winsB) * tie;
  terms.curveXX[at] = battles * ((a + b) / 4 - mean * mean);
  terms.curveXT[at] = -battles * mean * tie;
  terms.curveTT[at] = battles * tie * (1 - tie);
  terms.squareXX[at] = winsA * byA * byA + winsB * byB * byB + drawn * byTie * byTie;
  terms.squareXT[at] = -(winsA * byA + winsB * byB) * tie + drawn * byTie * (1 - tie);
  terms.squareTT[at] = (winsA + winsB) * tie * tie + drawn * (1 - tie) * (1 - tie);
}

/** Strengths and what else is fitted, all on the natural-log scale. `tie` is undefined where ties are half wins. */
export interface Parameters {
  readonly strengths: Float64Array;
  readonly side: number;
  readonly tie: number | undefined;
}

/** Fills the terms of all cells; `a` and `b` are indexes into the strengths. */
export function fillTerms(terms: CellTerms, cells: PairCells, { strengths, side, tie }: Parameters): void {
  terms.logLikelihood = 0;
  for (let at = 0; at < cells.a.length; at += 1) {
    const x = (strengths[cells.a[at] as number] as number) - (strengths[cells.b[at] as number] as number) + side;
    const [winsA, winsB, drawn] = [cells.winsA[at] as number, cells.winsB[at] as number, drawnIn(cells, at)];
    if (tie === undefined) fillBradleyTerry(terms, at, x, winsA, winsB, drawn);
    else fillDavidson(terms, at, x, tie, winsA, winsB, drawn);
  }
}
