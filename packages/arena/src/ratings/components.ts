import type { PairCells } from "./pair-counts.ts";

/** Agents that are connected by battles, and so can be compared with each other. */
export interface Component {
  /** Indexes of its agents, ascending. */
  readonly members: Int32Array;
  /** Indexes of its cells, ascending. */
  readonly cells: Int32Array;
}

/** Groups without a battle between them, the one with the most agents first, equals by their first agent. */
export function findComponents(cells: PairCells): Component[] {
  const count = cells.names.length;
  const parents = Int32Array.from({ length: count }, (_, index) => index);
  const rootOf = (index: number): number => {
    let at = index;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at] as number] as number;
      at = parents[at] as number;
    }
    return at;
  };
  let apart = count;
  for (let cell = 0; cell < cells.a.length && apart > 1; cell += 1) {
    if (battlesOf(cells, cell) === 0) continue;
    const [x, y] = [rootOf(cells.a[cell] as number), rootOf(cells.b[cell] as number)];
    if (x === y) continue;
    // The smaller index leads, so that a group is found under its first agent.
    parents[Math.max(x, y)] = Math.min(x, y);
    apart -= 1;
  }
  // Once nothing moves any more, each agent's group is looked up instead of searched for with every cell.
  const roots = Int32Array.from({ length: count }, (_, index) => rootOf(index));
  const ends = new Int32Array(count + 1);
  for (let cell = 0; cell < cells.a.length; cell += 1) {
    if (battlesOf(cells, cell) === 0) continue;
    const after = (roots[cells.a[cell] as number] as number) + 1;
    ends[after] = (ends[after] as number) + 1;
  }
  for (let root = 0; root < count; root += 1) ends[root + 1] = (ends[root + 1] as number) + (ends[root] as number);
  // Group by group; what begins as the end of the group before moves to the end of its own.
  const grouped = new Int32Array(ends[count] as number);
  for (let cell = 0; cell < cells.a.length; cell += 1) {
    if (battlesOf(cells, cell) === 0) continue;
    const root = roots[cells.a[cell] as number] as number;
    const place = ends[root] as number;
    grouped[place] = cell;
    ends[root] = place + 1;
  }
  const members = new Map<number, number[]>();
  for (let index = 0; index < count; index += 1) {
    const root = roots[index] as number;
    const known = members.get(root);
    if (known === undefined) members.set(root, [index]);
    else known.push(index);
  }
  return [...members]
    .sort(([x, ofX], [y, ofY]) => ofY.length - ofX.length || x - y)
    .map(([root, group]) => ({
      members: Int32Array.from(group),
      cells: grouped.slice(root === 0 ? 0 : ends[root - 1], ends[root]),
    }));
}

function battlesOf(cells: PairCells, cell: number): number {
  const { winsA, winsB, ties, bothBad } = cells;
  return (winsA[cell] as number) + (winsB[cell] as number) + (ties[cell] as number) + (bothBad[cell] as number);
}

/**
 * Whether everybody in a component lost to somebody, by steps, to whom they won: only then is there a largest
 * likelihood (Ford 1957). Otherwise some agents' ratings would grow without end.
 */
export function isStronglyConnected(cells: PairCells, { members, cells: inside }: Component): boolean {
  const forward = new Map<number, number[]>();
  const backward = new Map<number, number[]>();
  const link = (map: Map<number, number[]>, from: number, to: number) => {
    const list = map.get(from);
    if (list === undefined) map.set(from, [to]);
    else list.push(to);
  };
  for (const cell of inside) {
    const [a, b] = [cells.a[cell] as number, cells.b[cell] as number];
    const isTied = (cells.ties[cell] as number) + (cells.bothBad[cell] as number) > 0;
    if (isTied || (cells.winsA[cell] as number) > 0) {
      link(forward, a, b);
      link(backward, b, a);
    }
    if (isTied || (cells.winsB[cell] as number) > 0) {
      link(forward, b, a);
      link(backward, a, b);
    }
  }
  const reaches = (map: Map<number, number[]>) => {
    const seen = new Set([members[0] as number]);
    for (const at of seen) for (const next of map.get(at) ?? []) seen.add(next);
    return seen.size === members.length;
  };
  return reaches(forward) && reaches(backward);
}
