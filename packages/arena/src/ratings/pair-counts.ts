import type { Outcome } from "./elo.ts";

/** How often two agents met and how it ended. `a` and `b` are indexes into the names. */
export interface PairCells {
  readonly names: readonly string[];
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly winsA: Float64Array;
  readonly winsB: Float64Array;
  readonly ties: Float64Array;
  readonly bothBad: Float64Array;
}

export interface PairCounts {
  /** Counts `count` battles of one ending. An agent against itself is no battle and is passed over: returns false. */
  add(a: string, b: string, outcome: Outcome, count?: number): boolean;
  /** Makes an agent known that may have no battle. */
  know(name: string): void;
  /** Battles counted so far. */
  readonly battles: number;
  toCells(): PairCells;
}

const FIELDS = 4;
const FIELD: Readonly<Record<Outcome, number>> = { a: 0, b: 1, tie: 2, both_bad: 3 };
const MIRRORED = [1, 0, 2, 3] as const;

/**
 * Counts outcomes by pair: all that a rating by maximum likelihood needs of a log, whatever the length of that.
 * Who stood on which side is forgotten, unless `keepSides` is set, for a fit with an advantage of the first side.
 */
export function createPairCounts(options: { keepSides?: boolean } = {}): PairCounts {
  const indexes = new Map<string, number>();
  // A map per agent, with small integers as keys: one map with a key per pair would hold boxed numbers.
  const rows: Map<number, number>[] = [];
  let tallies = new Float64Array(FIELDS * 1024);
  let cells = 0;
  let battles = 0;

  function indexOf(name: string): number {
    const known = indexes.get(name);
    if (known !== undefined) return known;
    indexes.set(name, rows.length);
    rows.push(new Map());
    return rows.length - 1;
  }

  function cellOf(first: number, second: number): number {
    const row = rows[first] as Map<number, number>;
    const known = row.get(second);
    if (known !== undefined) return known;
    if ((cells + 1) * FIELDS > tallies.length) {
      const more = new Float64Array(tallies.length * 2);
      more.set(tallies);
      tallies = more;
    }
    row.set(second, cells);
    cells += 1;
    return cells - 1;
  }

  return {
    add(nameA, nameB, outcome, count = 1) {
      const a = indexOf(nameA);
      const b = indexOf(nameB);
      if (a === b) return false;
      const isMirrored = options.keepSides !== true && a > b;
      const cell = isMirrored ? cellOf(b, a) : cellOf(a, b);
      const field = isMirrored ? (MIRRORED[FIELD[outcome]] as number) : FIELD[outcome];
      tallies[cell * FIELDS + field] = (tallies[cell * FIELDS + field] as number) + count;
      battles += count;
      return true;
    },
    know(name) {
      indexOf(name);
    },
    get battles() {
      return battles;
    },
    toCells: () => sortCells([...indexes.keys()], rows, tallies, options.keepSides === true),
  };
}

/**
 * Cells in one order, by name, whatever the order of the log: sums of floating-point numbers depend on the order of
 * their terms, and two who rate the same log must get the same digits.
 */
function sortCells(
  known: readonly string[],
  rows: readonly Map<number, number>[],
  tallies: Float64Array,
  keepSides: boolean,
): PairCells {
  const order = known.map((_, index) => index).sort((x, y) => compareNames(known[x] as string, known[y] as string));
  const places = new Int32Array(known.length);
  for (const [place, index] of order.entries()) places[index] = place;

  const count = rows.reduce((sum, row) => sum + row.size, 0);
  const keys = new Float64Array(count);
  const cellByKey = new Map<number, number>();
  let next = 0;
  for (const [first, row] of rows.entries())
    for (const [second, cell] of row) {
      const [x, y] = [places[first] as number, places[second] as number];
      // A mirrored cell is noted as a negative one, less one so that cell 0 has a sign.
      const isMirrored = !keepSides && x > y;
      const key = isMirrored ? y * known.length + x : x * known.length + y;
      keys[next] = key;
      next += 1;
      cellByKey.set(key, isMirrored ? -cell - 1 : cell);
    }
  keys.sort();

  const cells = {
    names: order.map((index) => known[index] as string),
    a: new Int32Array(count),
    b: new Int32Array(count),
    winsA: new Float64Array(count),
    winsB: new Float64Array(count),
    ties: new Float64Array(count),
    bothBad: new Float64Array(count),
  };
  for (let index = 0; index < count; index += 1) {
    const key = keys[index] as number;
    const found = cellByKey.get(key) as number;
    const at = (found < 0 ? -found - 1 : found) * FIELDS;
    cells.a[index] = Math.floor(key / known.length);
    cells.b[index] = key % known.length;
    cells.winsA[index] = tallies[found < 0 ? at + 1 : at] as number;
    cells.winsB[index] = tallies[found < 0 ? at : at + 1] as number;
    cells.ties[index] = tallies[at + 2] as number;
    cells.bothBad[index] = tallies[at + 3] as number;
  }
  return cells;
}

/** Names of digits alone stand in the order of their numbers, before all others. Not by locale: that differs by machine. */
function compareNames(x: string, y: string): number {
  const [isNumberX, isNumberY] = [/^\d{1,15}$/.test(x), /^\d{1,15}$/.test(y)];
  if (isNumberX && isNumberY && Number(x) !== Number(y)) return Number(x) - Number(y);
  if (isNumberX !== isNumberY) return isNumberX ? -1 : 1;
  return x < y ? -1 : x > y ? 1 : 0;
}
