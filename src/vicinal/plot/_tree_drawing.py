"""The tree of clusters as lines to draw: clusters in rows, and where which of them are merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from vicinal.uses import Tree


@final
@dataclass(frozen=True)
class Branch:
    """Two nodes that are merged: a line across at ``height``, and a line from each of them to it.

    Attributes
    ----------
    height : float
        From 0, where clusters begin, to 1, where all documents are one.
    ends : tuple of (float, float)
        Row and height of each of the two.
    name : str
        The terms that distinguish the merged node.
    size : int
        Its documents.
    """

    height: float
    ends: tuple[tuple[float, float], tuple[float, float]]
    name: str
    size: int


@final
@dataclass(frozen=True)
class TreeDrawing:
    """All that is drawn of a tree.

    Attributes
    ----------
    numbers : tuple of int
        The cluster of each row, from the top.
    names : tuple of str
    sizes : tuple of int
    branches : tuple of Branch
    """

    numbers: tuple[int, ...]
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    branches: tuple[Branch, ...]


def tree_drawing(tree: Tree, names: Mapping[int, str]) -> TreeDrawing:
    """Put the clusters of a tree in rows, the larger of two branches first.

    Parameters
    ----------
    tree : Tree
    names : mapping from int to str
        Of clusters, by their numbers.
    """
    nodes = {int(node): tree.node(tree.ids[node]).cluster for node in tree.fitted if node >= 0}
    rows = _in_order(tree, nodes)
    at: dict[int, tuple[float, float]] = {node: (float(row), 0.0) for row, node in enumerate(rows)}
    lowest = min((float(tree.heights[n - tree.n_leaves]) for n in _merged(tree, nodes)), default=0.0)
    branches = []
    for node in _merged(tree, nodes):
        left, right = (at[int(child)] for child in tree.merges[node - tree.n_leaves])
        height = 0.08 + 0.92 * (float(tree.heights[node - tree.n_leaves]) - lowest) / max(1.0 - lowest, 1e-9)
        at[node] = ((left[0] + right[0]) / 2, height)
        described = tree.node(tree.ids[node])
        name = described.given_name or ", ".join(term for term, _ in described.distinguishing[:3])
        branches.append(Branch(height, (left, right), name, int(tree.sizes[node])))
    numbers = tuple(nodes[node] for node in rows)
    sizes = tuple(int(tree.sizes[node]) for node in rows)
    return TreeDrawing(numbers, tuple(names.get(n, f"cluster {n}") for n in numbers), sizes, tuple(branches))


def _merged(tree: Tree, clusters: Mapping[int, int]) -> list[int]:
    """The nodes above the clusters, from fine to coarse."""
    above: set[int] = set()
    for node in clusters:
        at = int(tree.parents[node])
        while at >= 0 and at not in above:
            above.add(at)
            at = int(tree.parents[at])
    return sorted(above)


def _in_order(tree: Tree, clusters: Mapping[int, int]) -> list[int]:
    """The nodes of the clusters as a walk from the root meets them, the larger branch first."""
    found, waiting = [], [len(tree.ids) - 1]
    while waiting:
        node = waiting.pop()
        if node in clusters:
            found.append(node)
        elif node >= tree.n_leaves:
            waiting += sorted(
                (int(child) for child in tree.merges[node - tree.n_leaves]), key=lambda each: (tree.sizes[each], -each)
            )
    return found
