// The tree as people open it: coarse clusters, in them the clusters of the index, in those their parts.
import type { Cluster, Tree, TreeNode } from "../api/types";
import { called } from "../map/levels";

export interface Branch {
  /** By which the server knows it: the number of a cluster, or the id of a node. */
  readonly path: string;
  readonly name: string;
  readonly size: number;
  /** The number of the cluster of the index; -1 for a coarser or finer one. */
  readonly cluster: number;
  readonly named: boolean;
  readonly pinned: boolean;
  readonly words: string;
  readonly children: readonly Branch[];
}

const words = (terms: readonly (readonly [string, number])[]): string => terms.slice(0, 6).map(([term]) => term).join(" · ");

function leaf(cluster: Cluster, children: readonly Branch[]): Branch {
  return { path: cluster.path, name: cluster.name, size: cluster.size, cluster: cluster.number, named: cluster.named, pinned: cluster.pinned, words: words(cluster.terms), children };
}

function ofNode(node: TreeNode, children: readonly Branch[]): Branch {
  return { path: node.id, name: called(node), size: node.size, cluster: -1, named: node.given_name !== "", pinned: false, words: words(node.distinguishing), children };
}

export function branchesOf(tree: Tree | null, clusters: readonly Cluster[]): Branch[] {
  const flat = (given: readonly Cluster[]): Branch[] => given.map((each) => leaf(each, [])).sort((a, b) => b.size - a.size);
  if (!tree) return flat(clusters);
  const nodes = new Map(tree.nodes.map((node) => [node.id, node])), byNumber = new Map(clusters.map((each) => [each.number, each])), used = new Set<number>();
  const fine = new Set(tree.levels.fine);
  const below = (id: string, isWanted: (node: TreeNode) => boolean): TreeNode[] => {
    const node = nodes.get(id);
    if (!node) return [];
    return isWanted(node) ? [node] : node.children.flatMap((child) => below(child, isWanted));
  };
  const parts = (node: TreeNode): Branch[] => {
    const found = node.children.flatMap((child) => below(child, (each) => fine.has(each.id)));
    return found.length > 1 ? found.map((each) => ofNode(each, [])).sort((a, b) => b.size - a.size) : [];
  };
  const own = (node: TreeNode): Branch | null => {
    const cluster = byNumber.get(node.cluster);
    if (!cluster || used.has(cluster.number)) return null;
    used.add(cluster.number);
    return leaf(cluster, parts(node));
  };
  const top = tree.levels.coarse.map((id) => {
    const inside = below(id, (node) => byNumber.has(node.cluster)).map(own).filter((each) => each !== null).sort((a, b) => b.size - a.size);
    const node = nodes.get(id);
    return inside.length > 1 && node ? [ofNode(node, inside)] : inside;
  });
  return [...top.flat().sort((a, b) => b.size - a.size), ...flat(clusters.filter((each) => !used.has(each.number)))];
}

export interface Visible {
  readonly branch: Branch;
  readonly level: number;
  readonly parent: string;
}

/** The branches that can be seen, from top to bottom: those inside closed ones are left out. */
export function visibleOf(branches: readonly Branch[], open: ReadonlySet<string>, level = 1, parent = ""): Visible[] {
  return branches.flatMap((branch) => [{ branch, level, parent }, ...(open.has(branch.path) ? visibleOf(branch.children, open, level + 1, branch.path) : [])]);
}

const ROOM = 40; // rows that a tree may fill before anybody opened it

/** What is open before anybody did anything: the coarse clusters, where all that is in them has room. */
export function openAtFirst(branches: readonly Branch[]): ReadonlySet<string> {
  const coarse = branches.filter((each) => each.cluster < 0 && each.children.length > 0);
  const rows = branches.length + coarse.reduce((sum, each) => sum + each.children.length, 0);
  return new Set(rows <= ROOM ? coarse.map((each) => each.path) : []);
}

/** Where a key leads in a tree: the next branch to stand on, and what is open then. */
export function stepped(key: string, at: string, branches: readonly Branch[], open: ReadonlySet<string>): { at: string; open: ReadonlySet<string> } | null {
  const seen = visibleOf(branches, open), place = Math.max(0, seen.findIndex((each) => each.branch.path === at)), here = seen[place];
  if (!here) return null;
  const to = (index: number): { at: string; open: ReadonlySet<string> } => ({ at: seen[Math.min(seen.length - 1, Math.max(0, index))]?.branch.path ?? at, open });
  const isOpen = open.has(here.branch.path), hasChildren = here.branch.children.length > 0;
  switch (key) {
    case "ArrowDown": return to(place + 1);
    case "ArrowUp": return to(place - 1);
    case "Home": return to(0);
    case "End": return to(seen.length - 1);
    case "ArrowRight": return !hasChildren ? null : isOpen ? to(place + 1) : { at, open: new Set([...open, here.branch.path]) };
    case "ArrowLeft": return isOpen ? { at, open: new Set([...open].filter((each) => each !== here.branch.path)) } : here.parent ? { at: here.parent, open } : null;
    default: return null;
  }
}

/** The branches that must be open for one to be seen. */
export function above(path: string, branches: readonly Branch[]): string[] | null {
  for (const branch of branches) {
    if (branch.path === path) return [];
    const inside = above(path, branch.children);
    if (inside) return [branch.path, ...inside];
  }
  return null;
}
