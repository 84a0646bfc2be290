"""Consensus clustering: several clusterings of the same documents, combined and compared without labels.

The names below are loaded when they are first used, so that what needs few of them stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from vicinal._lazy_names import loader

if TYPE_CHECKING:
    from vicinal._consensus.consensus import ConsensusClustering, cluster_by_consensus
    from vicinal._consensus.embeddings import NeighborGraphs, neighbor_graphs
    from vicinal._consensus.mixture import TermMixture, fit_mixture
    from vicinal._consensus.n_clusters import choose_n_clusters
    from vicinal._consensus.rule import ClusterRule
    from vicinal._consensus.views import ConsensusInput, View, consensus_input, take_views
    from vicinal._consensus.vote import cluster_by_vote

_HOMES = {
    "consensus": ("ConsensusClustering", "cluster_by_consensus"),
    "embeddings": ("NeighborGraphs", "neighbor_graphs"),
    "mixture": ("TermMixture", "fit_mixture"),
    "n_clusters": ("choose_n_clusters",),
    "rule": ("ClusterRule",),
    "views": ("ConsensusInput", "View", "consensus_input", "take_views"),
    "vote": ("cluster_by_vote",),
}

__all__ = [
    "ClusterRule",
    "ConsensusClustering",
    "ConsensusInput",
    "NeighborGraphs",
    "TermMixture",
    "View",
    "choose_n_clusters",
    "cluster_by_consensus",
    "cluster_by_vote",
    "consensus_input",
    "fit_mixture",
    "neighbor_graphs",
    "take_views",
]

__getattr__ = loader(__name__, _HOMES)
