import { describe, expect, it } from "vitest";
import type { Cluster, Tree, TreeNode } from "../src/api/types";
import { above, branchesOf, openAtFirst, stepped, visibleOf } from "../src/clusters/branches";
import { levelsOf } from "../src/map/levels";

const cluster = (number: number, size: number, name = `words ${String(number)}`): Cluster => ({
  number, path: String(number), name, size, share: 0.1, uncertainty: 0, terms: [["a", 1]], exemplars: [], named: false, pinned: false, stability: null,
});
const node = (id: string, children: string[], size: number, number = -1): TreeNode => ({
  id, parent: "", children, size, height: 0, cluster: number, name: id, given_name: "", terms: [], distinguishing: [[id, 1]], x: size, y: 0,
});

// Two coarse clusters: c1 holds clusters 0 and 1, and 0 has two parts; c2 is cluster 2 alone.
const tree: Tree = {
  root: "r",
  nodes: [node("r", ["c1", "n2"], 60), node("c1", ["n0", "n1"], 50), node("n0", ["f1", "f2"], 30, 0), node("n1", [], 20, 1), node("n2", [], 10, 2), node("f1", [], 18), node("f2", [], 12)],
  levels: { coarse: ["c1", "n2"], medium: ["n0", "n1", "n2"], fine: ["f1", "f2", "n1", "n2"] },
};
const clusters = [cluster(0, 30), cluster(1, 20), cluster(2, 10)];

describe("the tree", () => {
  const branches = branchesOf(tree, clusters);
  it("has coarse clusters, in them clusters, in them parts", () => {
    expect(branches.map((each) => each.path)).toEqual(["c1", "2"]);
    expect(branches[0]?.children.map((each) => each.path)).toEqual(["0", "1"]);
    expect(branches[0]?.children[0]?.children.map((each) => each.path)).toEqual(["f1", "f2"]);
  });
  it("has every cluster once, also those that the tree does not know", () => {
    const more = branchesOf(tree, [...clusters, cluster(9, 5, "by hand")]);
    const all = visibleOf(more, new Set(["c1"])).map((each) => each.branch.cluster).filter((each) => each >= 0);
    expect(all.sort()).toEqual([0, 1, 2, 9]);
  });
  it("is flat without a tree", () => {
    expect(branchesOf(null, clusters).map((each) => each.path)).toEqual(["0", "1", "2"]);
  });
  it("is open at first where all clusters have room, and closed where they are many", () => {
    expect([...openAtFirst(branches)]).toEqual(["c1"]);
    const many = Array.from({ length: 39 }, (_, i) => ({ ...branches[1] as (typeof branches)[number], path: `m${String(i)}` }));
    expect([...openAtFirst([...branches, ...many])]).toEqual([]);
  });
  it("says what must be open for a branch to be seen", () => {
    expect(above("f2", branches)).toEqual(["c1", "0"]);
    expect(above("2", branches)).toEqual([]);
    expect(above("nowhere", branches)).toBeNull();
  });

  const none: ReadonlySet<string> = new Set<string>(), open: ReadonlySet<string> = new Set(["c1"]);
  it.each([
    ["ArrowDown", "c1", none, "2"],
    ["ArrowDown", "c1", open, "0"],
    ["ArrowUp", "0", open, "c1"],
    ["ArrowUp", "c1", open, "c1"],
    ["ArrowLeft", "0", open, "c1"],
    ["ArrowRight", "c1", open, "0"],
    ["Home", "2", open, "c1"],
    ["End", "c1", open, "2"],
  ] as const)("goes by %s from %s", (key, at, opened, to) => {
    expect(stepped(key, at, branches, opened)?.at).toBe(to);
  });
  it("opens and closes by the arrows", () => {
    expect([...(stepped("ArrowRight", "c1", branches, none)?.open ?? [])]).toEqual(["c1"]);
    expect([...(stepped("ArrowLeft", "c1", branches, open)?.open ?? [])]).toEqual([]);
    expect(stepped("ArrowRight", "2", branches, none)).toBeNull();
    expect(stepped("x", "2", branches, none)).toBeNull();
  });
});

describe("names of the map", () => {
  it("are the clusters' own in the middle, and nodes' above and below", () => {
    const levels = levelsOf(tree, [cluster(0, 30, "Grain"), ...clusters.slice(1)]);
    expect(levels.map((level) => level.map((each) => each.path))).toEqual([["c1", "2"], ["0", "1", "2"], ["f1", "f2", "1", "2"]]);
    expect(levels[1]?.[0]?.name).toBe("Grain");
  });
  it("leave out nodes without a place", () => {
    const hidden = { ...tree, nodes: tree.nodes.map((each) => (each.id === "c1" ? { ...each, x: null } : each)) };
    expect(levelsOf(hidden, clusters)[0]?.map((each) => each.path)).toEqual(["2"]);
  });
  it("are none without a tree", () => { expect(levelsOf(null, clusters)).toEqual([]); });
});
