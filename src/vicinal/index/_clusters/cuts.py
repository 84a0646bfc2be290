"""Cuts of the tree of an index, described as its clusters are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vicinal.index._clusters.cluster_table import SHOWN, describe_clusters, name_of
from vicinal.index._clusters.typical import exemplars_of
from vicinal.index._results import Cluster

if TYPE_CHECKING:
    from vicinal.index._snapshot import Snapshot


def clusters_of_cut(snapshot: Snapshot, n_clusters: int | None, level: str | None) -> list[Cluster]:
    """The clusters of a cut, largest first; those of the fit where it is their cut."""
    tree = snapshot.cluster_tree
    cut = tree.cut(n_clusters, level=level)
    if cut.nodes == tree.cut().nodes:
        return describe_clusters(snapshot)
    found = []
    for label, id in enumerate(cut.nodes):
        rows = np.flatnonzero(cut.labels == label)
        node = tree.node(id)
        terms = node.distinguishing[:SHOWN]
        share = len(rows) / max(1, len(snapshot.rows.clusters))
        uncertainty = float(snapshot.rows.uncertainty[rows].mean()) if len(rows) else 0.0
        facts = label, id, node.given_name or name_of(terms), len(rows), share, uncertainty, terms
        found.append(Cluster(*facts, exemplars_of(snapshot, rows), bool(node.given_name)))
    return found
