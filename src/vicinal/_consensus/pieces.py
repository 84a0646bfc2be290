"""Pieces: every cluster is divided by the latent embedding of its documents, corrected by the terms that differ inside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vicinal._consensus.mixture import NEARLY
from vicinal._consensus.sample import restrict
from vicinal._consensus.views import ConsensusInput, kmeans_labels
from vicinal._kmeans import fewer_clusters_allowed
from vicinal._matrix import unit_rows
from vicinal._threads import over_tasks
from vicinal._typing import FloatArray, IntArray
from vicinal.graph._graph import number_by_size

PER_ROOT = 0.6  # pieces per square root of the number of documents
MOST = 40  # pieces of a cluster
SMALLEST = 3  # documents per piece, on average


def divide(data: ConsensusInput, rows: FloatArray, labels: IntArray, order: IntArray) -> list[IntArray]:
    """Divide every cluster into pieces, numbered by decreasing size (V15): the piece of each document of each cluster.

    Parameters
    ----------
    data : ConsensusInput
    rows : float array (documents, components)
        What pieces are found by. A document whose row is zero is assigned by its terms.
    labels : int array (documents,)
    order : int array (documents,)
        All documents in an order that does not depend on that in which they were given.
    """
    clusters = range(int(labels.max(initial=-1)) + 1)
    with fewer_clusters_allowed():
        return over_tasks(lambda cluster: _divided(data, rows, members(labels, cluster, order)), clusters, data.n_jobs)


def members(labels: IntArray, cluster: int, order: IntArray) -> IntArray:
    """The documents of a cluster, in the order given."""
    return np.asarray(order[labels[order] == cluster])


def n_pieces(n_documents: int) -> int:
    """How many pieces a cluster of so many documents is divided into."""
    return int(min(max(1, round(PER_ROOT * np.sqrt(n_documents))), MOST, max(1, n_documents // SMALLEST)))


def _divided(data: ConsensusInput, rows: FloatArray, documents: IntArray) -> IntArray:
    many = n_pieces(len(documents))
    if many < 2:
        return np.zeros(len(documents), dtype=np.int64)
    inside = replace(restrict(data, documents), known=None, links=None)  # the pieces of a class are not known
    found = number_by_size(inside.refined(kmeans_labels(np.asarray(unit_rows(rows[documents])), many, inside), many, NEARLY))
    return number_by_size(np.maximum(found, 0))  # documents that nothing assigns: with the largest piece
