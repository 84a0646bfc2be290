"""Clusters of an index that depend on luck: what a fit says of them, by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from vicinal._consensus.stability import Stability
from vicinal.uses._topics.topics_fit import LOPSIDED_ADVICE, UNSTABLE_ADVICE, signs_of_luck

if TYPE_CHECKING:
    from vicinal.index._clusters.cluster_table import ClusterMatch
    from vicinal.index._fit_model import FittedModel

#: What to do, in words of an index.
_ADVICE = {
    UNSTABLE_ADVICE: "Try another n_clusters (tree() shows what divides or merges), or label documents and use_labels=True.",
    LOPSIDED_ADVICE: "It may be one subject; a larger n_clusters would divide it, and clusters(of={cluster}) shows its parts.",
}


def notes_on_luck(found: FittedModel, match: ClusterMatch) -> tuple[str, ...]:
    """What is said of clusters that another random seed would change, and of one that has most documents, by their numbers."""
    clusters = found.embedded.clusters
    sizes = np.bincount(clusters[clusters >= 0], minlength=found.model.n_clusters)
    stable = np.array([1.0 if each is None else each for each in found.stability])
    said = signs_of_luck(sizes, Stability(stable, found.overall_stability), match.numbers.tolist())
    largest = int(match.numbers[int(np.argmax(sizes))])
    return tuple(f"{what} {_ADVICE[then].format(cluster=largest)}" for what, then in said)
