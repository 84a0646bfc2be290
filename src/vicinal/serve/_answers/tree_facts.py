"""The tree of clusters as plain values, each node with its middle on the map, and the cuts at three levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from vicinal._typing import FloatArray, IntArray
from vicinal.index._layout.stored_layout import has_layout
from vicinal.serve._state import NONE, State

if TYPE_CHECKING:
    from vicinal.uses import Tree

LEVELS = ("coarse", "medium", "fine")
N_TERMS = 8


def tree_facts(state: State) -> dict[str, object]:
    """All nodes, parents before their parts, and which nodes are the clusters of each level."""
    tree = state.snapshot.tree()
    points = state.points[state.embedded] if has_layout(state.index_state) else None
    levels = {level: list(tree.cut(level=level).nodes) for level in LEVELS}
    return {"root": tree.root, "nodes": [_node(tree, id, points) for id in reversed(tree.ids)], "levels": levels}


def _node(tree: Tree, id: str, points: FloatArray | None) -> dict[str, object]:
    node = tree.node(id)
    inside = np.flatnonzero(tree.is_below(tree.number(id))[tree.leaves] & (tree.leaves >= 0))
    x, y = _middle(points, inside)
    return {
        **vars(node),
        "name": node.name,
        "terms": node.terms[:N_TERMS],
        "distinguishing": node.distinguishing[:N_TERMS],
        "x": x,
        "y": y,
    }


def _middle(points: FloatArray | None, rows: IntArray) -> tuple[float | None, float | None]:
    """The median of the points of some rows; none where none of them has a point."""
    known = points[rows] if points is not None else np.zeros((0, 2))
    known = known[np.isfinite(known).all(axis=1)]
    if not len(known):
        return None, None
    x, y = np.median(known, axis=0).tolist()
    return x, y


def clusters_of_rows(state: State, n_clusters: int | None, level: str | None, nodes: Sequence[str] | None) -> IntArray:
    """Which of the clusters of a cut each document is in, as a position in their list; -1 for none."""
    snapshot = state.snapshot
    found = np.full(len(state), NONE, dtype=np.int64)
    cut = snapshot.tree().cut(n_clusters, level=level, nodes=nodes)
    paths = [each.path for each in snapshot.clusters(n_clusters=n_clusters or "auto", level=level, nodes=nodes)]
    labels = cut.labels
    if cut.nodes != snapshot.tree().cut().nodes:
        place = {label: paths.index(id) for label, id in enumerate(cut.nodes)}
        found[state.embedded] = [place.get(int(label), NONE) for label in labels]
        return found
    of_number = {int(path): at for at, path in enumerate(paths)}
    found[state.embedded] = [of_number.get(int(number), NONE) for number in state.index_state.cluster_numbers]
    return found
