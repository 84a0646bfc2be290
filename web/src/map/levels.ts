// The names of the map at three levels, from the tree; of the clusters alone where the index has none.
import type { Cluster, Tree, TreeNode } from "../api/types";
import type { Candidate } from "./names";

const SHOWN_TERMS = 3;

export const called = (node: TreeNode): string => node.given_name || node.distinguishing.slice(0, SHOWN_TERMS).map(([term]) => term).join(", ") || node.name;

/** The names where only some clusters are shown: theirs alone. */
export function levelsOfThese(levels: readonly (readonly Candidate[])[], shown: ReadonlySet<string>): (readonly Candidate[])[] {
  return [levels[1]?.filter((each) => shown.has(each.path)) ?? []];
}

export function levelsOf(tree: Tree | null, clusters: readonly Cluster[]): Candidate[][] {
  if (!tree) return [];
  const nodes = new Map(tree.nodes.map((node) => [node.id, node])), given = new Map(clusters.map((each) => [each.number, each]));
  const candidate = (node: TreeNode): Candidate | null => {
    const own = given.get(node.cluster);
    if (node.x === null || node.y === null) return null;
    return { name: own?.name ?? called(node), size: node.size, x: node.x, y: node.y, path: own ? own.path : node.id };
  };
  const own = tree.nodes.filter((node) => given.has(node.cluster));
  const of = (ids: readonly string[]): TreeNode[] => ids.map((id) => nodes.get(id)).filter((node) => node !== undefined);
  const levels = [of(tree.levels.coarse), own.length ? own : of(tree.levels.medium), of(tree.levels.fine)];
  return levels.map((level) => level.map(candidate).filter((each) => each !== null && each.name !== "") as Candidate[]);
}
