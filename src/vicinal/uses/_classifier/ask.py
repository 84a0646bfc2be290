"""Active labelling: the documents whose labels would teach most, uncertain, typical of others, and different from one another."""

from __future__ import annotations

import numpy as np

from vicinal._matrix import count_different, nonzero_rows, small_indices, unit_rows
from vicinal._threads import single_threaded_libraries
from vicinal._typing import BoolArray, FloatArray, IntArray, Terms

CLUSTERS_PER_DOCUMENT = 4  # that compete for each document that is asked for
SATED = 3.0  # labels that a cluster has count so much against it
MOST_DOCUMENTS = 20_000  # that are considered


def worth_labelling(
    embeddings: Terms,
    log_probabilities: FloatArray | None,
    n: int,
    *,
    order: IntArray,
    labelled: BoolArray | None = None,
    random_state: int = 0,
) -> IntArray:
    """Rows to label next, the most useful first: the most typical ones of the clusters with the most uncertainty in all (K6).

    Parameters
    ----------
    embeddings : (documents, components)
        Rows of zeros are never chosen.
    log_probabilities : (documents, classes) or None
        Of their classes; None where no class is known yet.
    n : int
        How many at most.
    order : int array (documents,)
        All rows in an order of their content.
    labelled : bool array (documents,), optional
        Documents that have a label, and are not chosen.
    random_state : int
    """
    labelled = np.zeros(embeddings.shape[0], dtype=bool) if labelled is None else labelled
    rows = _considered(embeddings, labelled, order)
    uncertainty = np.ones(len(rows)) if log_probabilities is None else _small_margin(log_probabilities[rows])
    uncertainty, has_label = np.where(labelled[rows], 0.0, uncertainty), labelled[rows]
    if int((~has_label).sum()) <= n:
        chosen = np.argsort(-uncertainty, kind="stable")
        return np.asarray(rows[chosen[~has_label[chosen]]])
    spare = CLUSTERS_PER_DOCUMENT if log_probabilities is not None else 1
    unit = unit_rows(embeddings[rows])
    n_clusters = count_different(unit, int(has_label.sum()) + spare * n)
    return np.asarray(rows[_typical(unit, uncertainty, has_label, n_clusters, random_state)[:n]])


def _considered(embeddings: Terms, labelled: BoolArray, order: IntArray) -> IntArray:
    """Embedded rows in the order given; of very many, all that have a label and some of the others."""
    rows = order[nonzero_rows(embeddings)[order]]
    if len(rows) <= MOST_DOCUMENTS:
        return np.asarray(rows)
    return np.concatenate([rows[labelled[rows]], rows[~labelled[rows]][:MOST_DOCUMENTS]])


def _small_margin(log_probabilities: FloatArray) -> FloatArray:
    """One less the difference of the two largest probabilities of each row."""
    largest = np.sort(np.exp(log_probabilities), axis=1)
    return np.asarray(1.0 - (largest[:, -1] - largest[:, -2]))


def _typical(unit: Terms, uncertainty: FloatArray, has_label: BoolArray, n_clusters: int, random_state: int) -> IntArray:
    """The row nearest to the mean of each cluster, that with the most uncertainty first; labels in a cluster count against it."""
    from sklearn.cluster import KMeans

    with single_threaded_libraries():
        means = KMeans(n_clusters, n_init=1, max_iter=30, random_state=random_state).fit(small_indices(unit))
    labels = np.bincount(means.labels_[has_label], minlength=n_clusters)
    value = np.bincount(means.labels_, weights=uncertainty, minlength=n_clusters) / (1.0 + SATED * labels)
    products = np.asarray(unit @ means.cluster_centers_.T)[np.arange(len(has_label)), means.labels_]
    order = np.lexsort((-products, has_label, means.labels_))
    first = order[np.unique(means.labels_[order], return_index=True)[1]]
    first = first[~has_label[first]]
    return np.asarray(first[np.argsort(-value[means.labels_[first]], kind="stable")], dtype=np.int64)
