/** `waitsFor[i]` holds the indexes that item `i` waits for. All indexes must be in range. */
export type Edges = readonly (readonly number[])[];

export type Topology = { order: number[] } | { cycle: number[] };

/**
 * The stable topological order: what is waited for comes first, and of several ready items the one given first. If there
 * is none, one cycle: each member waits for the following one, the last for the first.
 */
export function topologicalOrder(waitsFor: Edges): Topology {
  const order: number[] = [];
  const placed = new Set<number>();
  while (order.length < waitsFor.length) {
    const next = waitsFor.findIndex((edges, item) => !placed.has(item) && edges.every((edge) => placed.has(edge)));
    if (next < 0) return { cycle: cycleAmong(waitsFor, placed) };
    order.push(next);
    placed.add(next);
  }
  return { order };
}

/** Every item that could not be placed waits for another such item, so following them must come back to one. */
function cycleAmong(waitsFor: Edges, placed: ReadonlySet<number>): number[] {
  const path: number[] = [];
  let item = waitsFor.findIndex((_, candidate) => !placed.has(candidate));
  while (!path.includes(item)) {
    path.push(item);
    item = waitsFor[item]?.find((edge) => !placed.has(edge)) ?? item;
  }
  return path.slice(path.indexOf(item));
}

/** The shortest chain `from … to` along `edgesOf`, both ends included; undefined if `to` can't be reached. */
export function findPath(from: string, to: string, edgesOf: (id: string) => readonly string[]): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const id of cameFrom.keys()) {
    if (id === to) return chainTo(id, cameFrom);
    for (const next of edgesOf(id)) if (!cameFrom.has(next)) cameFrom.set(next, id);
  }
  return undefined;
}

function chainTo(end: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const chain: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) chain.unshift(id);
  return chain;
}
