"""Cuts of the tree of an index, and the parts of one of its nodes, described as clusters are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from vicinal._choice import is_auto
from vicinal._typing import IntArray
from vicinal._validate import check_count
from vicinal.errors import BadParameter
from vicinal.index._clusters.cluster_table import SHOWN, describe_clusters, name_of
from vicinal.index._clusters.typical import exemplars_of
from vicinal.index._results import Cluster

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


def clusters_of_cut(
    state: IndexState, n_clusters: int | None, level: str | None, nodes: Iterable[str] | None = None
) -> list[Cluster]:
    """The clusters of a cut, largest first; those of the fit where it is their cut."""
    tree = state.cluster_tree
    cut = tree.cut(n_clusters, level=level, nodes=nodes)
    if cut.nodes == tree.cut().nodes:
        return describe_clusters(state)
    n_documents = len(state.rows.clusters)
    return [_described(state, id, np.flatnonzero(cut.labels == label), n_documents) for label, id in enumerate(cut.nodes)]


def parts_of_node(state: IndexState, id: str, n_clusters: int | str) -> list[Cluster]:
    """The nodes that a node of the tree is made of, largest first: two, or as many as asked for; none of a leaf."""
    tree, found = state.cluster_tree, [state.cluster_tree.number(id)]
    wanted = 2 if is_auto(n_clusters) else check_count("n_clusters", n_clusters)
    while len(found) < wanted and max(found) >= tree.n_leaves:
        last = max(found)  # merges are in the order of their heights
        found = [each for each in found if each != last] + [int(each) for each in tree.merges[last - tree.n_leaves]]
    if not is_auto(n_clusters) and len(found) < wanted:
        raise BadParameter(f"the node {id} has {len(found)} leaves, and no more parts, got n_clusters={wanted}. Use fewer.")
    if len(found) < 2:
        return []
    n_documents = len(rows_of_node(state, id))
    return [_described(state, each, rows_of_node(state, each), n_documents) for each in tree.by_size(found)]


def rows_of_node(state: IndexState, id: str) -> IntArray:
    """The documents of a node of the tree."""
    tree = state.cluster_tree
    found: IntArray = np.flatnonzero(tree.is_below(tree.number(id))[tree.leaves] & (tree.leaves >= 0))
    return found


def _described(state: IndexState, id: str, rows: IntArray, n_documents: int) -> Cluster:
    """A node as a cluster: it has the number of the cluster that it is, and none where it is no cluster of the index."""
    node = state.cluster_tree.node(id)
    terms = node.distinguishing[:SHOWN]
    uncertainty = float(state.rows.uncertainty[rows].mean()) if len(rows) else 0.0
    name = node.given_name or name_of(terms)
    facts = node.cluster, node.id, name, len(rows), len(rows) / max(1, n_documents), uncertainty, terms
    return Cluster(*facts, exemplars_of(state, rows), bool(node.given_name))
