import { type Component, findComponents, isStronglyConnected } from "./components.ts";
import { centre, type Direction, type Information, solve } from "./information.ts";
import type { PairCells } from "./pair-counts.ts";
import { type CellTerms, createTerms, fillTerms, type PairedModel, type Parameters } from "./paired-model.ts";
import { type Errors, estimateErrors } from "./standard-errors.ts";

/**
 * How much is assumed of an agent before its first battle: as much as this many draws against an average agent of its
 * group would tell. It keeps the ratings of winless and unbeaten agents finite, and 10 to 0 above 1 to 0, and fades as
 * battles come in. It is laid on each agent and not on pairs: half a win on each pair that met would take points from
 * whoever beats somebody much weaker, and on pairs that never met it would tie groups together that nothing compares.
 */
export const PRIOR_BATTLES = 0.1;

export interface FitOptions {
  /** How ties are taken: as half a win for each side (bt), or as an ending of their own (davidson). */
  model?: PairedModel;
  /** See {@link PRIOR_BATTLES}; 0 is plain maximum likelihood, which need not exist. */
  prior?: number;
  /** Fits how much it is worth to be the first side. The cells must have been counted with `keepSides`. */
  sideAdvantage?: boolean;
}

/** Why a group has no ratings: its likelihood has no largest value, or the search for it did not end at one. */
export type FitProblem = "no finite ratings" | "not converged";

/** The ratings of a group of agents that can be compared, all on the natural-log scale, strengths with mean 0. */
export interface GroupFit {
  readonly component: Component;
  readonly problem: FitProblem | undefined;
  readonly strengths: Float64Array;
  readonly errors: Errors | undefined;
  readonly side: { value: number; se: number } | undefined;
  /** The tie parameter ν of Davidson's model, and the standard error of its logarithm. */
  readonly tie: { value: number; seOfLog: number } | undefined;
  readonly logLikelihood: number;
  /** Largest slope that was left, in wins. */
  readonly gradient: number;
}

/** A draw between equals tells 1/4 of a win's square about a strength. */
export const INFORMATION_OF_DRAW = 1 / 4;
const STEPS_MAX = 100;
/** Wins by which an agent's record may differ from what its rating expects. */
const GRADIENT_MAX = 1e-8;
/** The last step was this short: the error left behind is about its square. */
const STEP_MAX = 1e-6;

/** Fits each group of connected agents by itself, so that what happens in one moves nobody in another. */
export function fitRatings(cells: PairCells, options: FitOptions = {}): GroupFit[] {
  return findComponents(cells).map((component) => fitGroup(cells, component, options));
}

function fitGroup(all: PairCells, component: Component, options: FitOptions): GroupFit {
  const { model = "bt", prior = PRIOR_BATTLES, sideAdvantage = false } = options;
  const cells = pickCells(all, component);
  const drawn = total(cells.ties) + total(cells.bothBad);
  const battles = total(cells.winsA) + total(cells.winsB) + drawn;
  const ridge = prior * INFORMATION_OF_DRAW;
  const count = component.members.length;
  // Without a tie and without a prior the tie parameter is 0, where its logarithm has no place.
  const hasTie = model === "davidson" && (drawn > 0 || ridge > 0);
  const none = { component, strengths: new Float64Array(count), side: undefined, tie: undefined, errors: undefined };
  if (count === 1) return { ...none, problem: undefined, logLikelihood: 0, gradient: 0 };
  if (ridge === 0 && (!isStronglyConnected(all, component) || (hasTie && drawn === battles))) {
    return { ...none, problem: "no finite ratings", logLikelihood: Number.NaN, gradient: Number.NaN };
  }

  const terms = createTerms(cells.a.length, hasTie);
  const start = { strengths: new Float64Array(count), side: 0, tie: hasTie ? 0 : undefined };
  const shape = { cells, ridge, sideAdvantage, hasTie };
  const { at, gradient } = climb(terms, shape, start);
  const isConverged = gradient <= GRADIENT_MAX * Math.max(1, battles / 1e6);
  if (!isConverged) return { ...none, problem: "not converged", logLikelihood: terms.logLikelihood, gradient };
  const errors = estimateErrors(observedInformation(terms, shape), squaredSlopes(terms, shape), count);
  const extraSe = (index: number) => errors.extras[index] as number;
  return {
    component,
    problem: undefined,
    strengths: at.strengths,
    errors,
    side: sideAdvantage ? { value: at.side, se: extraSe(0) } : undefined,
    tie: at.tie === undefined ? undefined : { value: Math.exp(at.tie), seOfLog: extraSe(sideAdvantage ? 1 : 0) },
    logLikelihood: terms.logLikelihood,
    gradient,
  };
}

function total(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i] as number;
  return sum;
}

interface Shape {
  readonly cells: PairCells;
  readonly ridge: number;
  readonly sideAdvantage: boolean;
  readonly hasTie: boolean;
}

/** Newton's method; halves a step that leads down, as the first ones may where ratings lie far apart. */
function climb(terms: CellTerms, shape: Shape, start: Parameters): { at: Parameters; gradient: number } {
  let at = start;
  fillTerms(terms, shape.cells, at);
  let height = penalised(terms, shape, at);
  let lastStep = Number.POSITIVE_INFINITY;
  for (let step = 0; ; step += 1) {
    const slope = slopeAt(terms, shape, at);
    const gradient = largest(slope);
    if ((gradient <= GRADIENT_MAX && lastStep <= STEP_MAX) || step === STEPS_MAX) return { at, gradient };
    const direction = solve(observedInformation(terms, shape), slope, toleranceAfter(lastStep));
    const size = largest(direction);
    if (!Number.isFinite(size)) return { at, gradient };
    // Close to the top the likelihood's last digits are noise and could refuse a good step.
    const isClose = size < 1e-5;
    let length = 1;
    for (;;) {
      const next = move(at, direction, length, shape);
      fillTerms(terms, shape.cells, next);
      const reached = penalised(terms, shape, next);
      if (isClose || reached >= height || length < 1e-10) {
        at = next;
        height = reached;
        lastStep = size * length;
        break;
      }
      length /= 2;
    }
  }
}

/** The nearer the top, the better a step has to be known; a first one that is exact only takes longer. */
function toleranceAfter(lastStep: number): number {
  return Math.min(1e-2, Math.max(1e-8, lastStep * 1e-2));
}

function move(at: Parameters, direction: Direction, length: number, shape: Shape): Parameters {
  const strengths = at.strengths.map((value, i) => value + length * (direction.strengths[i] as number));
  centre(strengths);
  const [first = 0, second = 0] = direction.extras;
  return {
    strengths,
    side: shape.sideAdvantage ? at.side + length * first : 0,
    tie: at.tie === undefined ? undefined : at.tie + length * (shape.sideAdvantage ? second : first),
  };
}

function penalised(terms: CellTerms, { ridge }: Shape, { strengths, side, tie = 0 }: Parameters): number {
  const squares = strengths.reduce((sum, value) => sum + value * value, side * side + tie * tie);
  return terms.logLikelihood - (ridge / 2) * squares;
}

function slopeAt(terms: CellTerms, shape: Shape, at: Parameters): Direction {
  const { cells, ridge } = shape;
  const strengths = at.strengths.map((value) => -ridge * value);
  let [side, tie] = [-ridge * at.side, -ridge * (at.tie ?? 0)];
  for (let cell = 0; cell < cells.a.length; cell += 1) {
    const slope = terms.slopeX[cell] as number;
    const a = cells.a[cell] as number;
    const b = cells.b[cell] as number;
    strengths[a] = (strengths[a] as number) + slope;
    strengths[b] = (strengths[b] as number) - slope;
    side += slope;
    tie += terms.slopeT[cell] as number;
  }
  return { strengths, extras: [...(shape.sideAdvantage ? [side] : []), ...(shape.hasTie ? [tie] : [])] };
}

function largest({ strengths, extras }: Direction): number {
  const most = extras.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  return strengths.reduce((max, value) => Math.max(max, Math.abs(value)), most);
}

/** What the battles and the prior tell about the parameters: the curvature of what is climbed. */
function observedInformation(terms: CellTerms, shape: Shape): Information {
  return toInformation(shape, terms.curveXX, terms.curveXT, terms.curveTT);
}

/**
 * How much the slope varies, by what the battles really did: the middle of the sandwich. The prior goes in as if it were
 * battles that came out just as uncertain as they should. Without that, an agent with a single win, whose likelihood is
 * nearly flat there, would seem to be known exactly.
 */
function squaredSlopes(terms: CellTerms, shape: Shape): Information {
  return toInformation(shape, terms.squareXX, terms.squareXT, terms.squareTT);
}

function toInformation(shape: Shape, xx: Float64Array, xt: Float64Array, tt: Float64Array): Information {
  const { cells, ridge, sideAdvantage, hasTie } = shape;
  const count = cells.names.length;
  const columns: Float64Array[] = [];
  if (sideAdvantage) columns.push(xx);
  if (hasTie) columns.push(xt);
  const border = columns.map((values) => {
    const column = new Float64Array(count);
    for (let cell = 0; cell < values.length; cell += 1) {
      const value = values[cell] as number;
      const a = cells.a[cell] as number;
      const b = cells.b[cell] as number;
      column[a] = (column[a] as number) + value;
      column[b] = (column[b] as number) - value;
    }
    return column;
  });
  const both = sideAdvantage && hasTie ? [[total(xt)], [total(xt)]] : [[], []];
  const corner = [
    ...(sideAdvantage ? [[total(xx) + ridge, ...(both[0] as number[])]] : []),
    ...(hasTie ? [[...(both[1] as number[]), total(tt) + ridge]] : []),
  ];
  return { cells, weights: xx, ridge, border, corner };
}

/** The cells of a group, with indexes into its own members. */
function pickCells(all: PairCells, { members, cells }: Component): PairCells {
  if (members.length === all.names.length && cells.length === all.a.length) return all;
  const places = new Int32Array(all.names.length);
  for (const [place, member] of members.entries()) places[member] = place;
  const picked = {
    names: Array.from(members, (member) => all.names[member] as string),
    a: new Int32Array(cells.length),
    b: new Int32Array(cells.length),
    winsA: new Float64Array(cells.length),
    winsB: new Float64Array(cells.length),
    ties: new Float64Array(cells.length),
    bothBad: new Float64Array(cells.length),
  };
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at] as number;
    picked.a[at] = places[all.a[cell] as number] as number;
    picked.b[at] = places[all.b[cell] as number] as number;
    picked.winsA[at] = all.winsA[cell] as number;
    picked.winsB[at] = all.winsB[cell] as number;
    picked.ties[at] = all.ties[cell] as number;
    picked.bothBad[at] = all.bothBad[cell] as number;
  }
  return picked;
}
