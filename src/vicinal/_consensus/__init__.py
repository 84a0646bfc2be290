"""Consensus clustering: several clusterings of the same documents, combined and compared without labels."""

from vicinal._consensus.consensus import ConsensusClustering, cluster_by_consensus, consensus
from vicinal._consensus.embeddings import NeighborGraphs, neighbor_graphs
from vicinal._consensus.mixture import TermMixture, fit_mixture
from vicinal._consensus.n_clusters import choose_n_clusters
from vicinal._consensus.rule import ClusterRule
from vicinal._consensus.views import ConsensusInput, View, consensus_input, take_views

__all__ = [
    "ClusterRule",
    "ConsensusClustering",
    "ConsensusInput",
    "NeighborGraphs",
    "TermMixture",
    "View",
    "choose_n_clusters",
    "cluster_by_consensus",
    "consensus",
    "consensus_input",
    "fit_mixture",
    "neighbor_graphs",
    "take_views",
]
