"""What describes a cluster of a fitted estimator: the terms that distinguish it, and its most typical documents."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from vicinal._centroids import most_typical
from vicinal._consensus import ClusterRule
from vicinal._typing import FloatArray, IntArray, TermNames
from vicinal._validate import check_count
from vicinal.errors import BadParameter


class ClusterDescriptions:
    """A fitted estimator whose clusters have terms and exemplars."""

    rule_: ClusterRule
    terms_: TermNames
    labels_: IntArray
    typicality_: FloatArray
    n_clusters_: int

    def top_terms(self, cluster: int, limit: int = 10) -> list[tuple[str, float]]:
        """Return the terms that distinguish a cluster most (V13).

        Parameters
        ----------
        cluster : int
            The number of a cluster.
        limit : int, default=10
            Return at most so many.

        Returns
        -------
        list of (str, float)
            Terms with their relevance, largest first. Without a vocabulary, term i is named "term i".

        Raises
        ------
        NotFittedError
            It is called before ``fit``.
        BadParameter
            There is no cluster of that number, or ``limit`` is no whole number above zero.
        """
        number = self._cluster(cluster)
        found = self.rule_.top_terms(number, check_count("limit", limit))
        return [(f"term {term}" if self.terms_ is None else str(self.terms_[term]), relevance) for term, relevance in found]

    def exemplars(self, cluster: int, limit: int = 5) -> IntArray:
        """Return the most typical training documents of a cluster.

        Parameters
        ----------
        cluster : int
            The number of a cluster.
        limit : int, default=5
            Return at most so many.

        Returns
        -------
        ndarray of int64
            Numbers of documents, the most typical first, of equals the first document.

        Raises
        ------
        NotFittedError
            It is called before ``fit``.
        BadParameter
            There is no cluster of that number, or ``limit`` is no whole number above zero.
        """
        number = self._cluster(cluster)
        members = np.flatnonzero(self.labels_ == number)
        return most_typical(members, self.typicality_[members])[: check_count("limit", limit)]

    def _cluster(self, cluster: int) -> int:
        check_is_fitted(self, "rule_")
        if check_count("cluster", cluster, 0) >= self.n_clusters_:
            raise BadParameter(f"there is no cluster {cluster}. Clusters are numbered 0 to {self.n_clusters_ - 1}.")
        return int(cluster)
