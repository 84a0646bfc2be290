"""Memberships: where the views put the documents of each cluster, as shares of the clusters of the answer (V12).

A document whose views all put it among the documents of one cluster belongs to that cluster. Where views divide a cluster, or put
it together with another, its documents belong to several: what views disagree about could have been decided otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vicinal._consensus.views import View
from vicinal._typing import FloatArray, IntArray

SMALLEST = 1e-12  # a membership below this counts as this, so that it has a logarithm


def memberships(labels: IntArray, n_clusters: int, views: Sequence[View]) -> FloatArray:
    """The clusters of the documents that are in the same cluster of a view, on average over views by their shares.

    Parameters
    ----------
    labels : int array (documents,)
        The answer, -1 for none.
    n_clusters : int
    views : sequence of View
        Of the same documents.

    Returns
    -------
    float array (documents, clusters)
        Rows of sum one; of zeros for a document that is in no view.
    """
    total, weight = np.zeros((len(labels), n_clusters)), np.zeros(len(labels))
    for view in views:
        inside = view.labels >= 0
        total[inside] += view.share * _shares(labels, n_clusters, view.labels)[view.labels[inside]]
        weight[inside] += view.share
    return np.divide(total, weight[:, None], out=total, where=weight[:, None] > 0)


def _shares(labels: IntArray, n_clusters: int, others: IntArray) -> FloatArray:
    """The share of each cluster in the documents of each cluster of a view: clusters of the view x clusters."""
    n_others = int(others.max(initial=-1)) + 1
    known = (labels >= 0) & (others >= 0)
    table = np.bincount(others[known] * n_clusters + labels[known], minlength=n_others * n_clusters).reshape(n_others, n_clusters)
    return np.asarray(table / np.maximum(table.sum(axis=1, keepdims=True), 1))


def with_memberships(log_probabilities: FloatArray, belongs: FloatArray) -> FloatArray:
    """The geometric mean of probabilities and memberships, in logarithms of sum one; rows without memberships stay."""
    both = 0.5 * (log_probabilities + np.log(np.maximum(belongs, SMALLEST)))
    both -= np.logaddexp.reduce(both, axis=1, keepdims=True)
    return np.asarray(np.where(belongs.any(axis=1, keepdims=True), both, log_probabilities))
