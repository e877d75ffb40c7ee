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
  for (let cell = 0; cell < cells.a.length; cell += 1) {
    if (battlesOf(cells, cell) === 0) continue;
    const [x, y] = [rootOf(cells.a[cell] as number), rootOf(cells.b[cell] as number)];
    // The smaller index leads, so that a group is found under its first agent.
    if (x !== y) parents[Math.max(x, y)] = Math.min(x, y);
  }
  const groups = new Map<number, { members: number[]; cells: Int32Array; filled: number }>();
  const sizes = new Int32Array(count);
  const played = new Int32Array(cells.a.length);
  for (let cell = 0; cell < cells.a.length; cell += 1) {
    const root = battlesOf(cells, cell) === 0 ? -1 : rootOf(cells.a[cell] as number);
    played[cell] = root;
    if (root >= 0) sizes[root] = (sizes[root] as number) + 1;
  }
  for (let index = 0; index < count; index += 1) {
    const root = rootOf(index);
    if (root === index) groups.set(root, { members: [], cells: new Int32Array(sizes[root] as number), filled: 0 });
    groups.get(root)?.members.push(index);
  }
  for (let cell = 0; cell < cells.a.length; cell += 1) {
    const group = groups.get(played[cell] as number);
    if (group === undefined) continue;
    group.cells[group.filled] = cell;
    group.filled += 1;
  }
  return [...groups.values()]
    .sort((x, y) => y.members.length - x.members.length || (x.members[0] as number) - (y.members[0] as number))
    .map((group) => ({ members: Int32Array.from(group.members), cells: group.cells }));
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
