"""Clusters: which documents belong together, by k-means in the coordinates a method has learnt.

scikit-learn does the work of one start. What is added here: starts run side by side without changing a bit, clusters
have numbers that do not depend on the start, documents without a place are told apart, and new ones can be assigned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._centroids import nearest, squared_distances
from vicinal._kmeans import best_start, draw_seeds
from vicinal._matrix import count_different, nonzero_rows, row_norms, unit_rows
from vicinal._typing import ArrayLike, BoolArray, FloatArray, IntArray, RandomState, Terms
from vicinal._validate import check_choice, check_count, check_terms
from vicinal._warn import warn
from vicinal.errors import BadData, TooFewDocuments, Unconverged, UnembeddedDocuments

#: The label of a document that has no place: a row of zeros.
UNPLACED = -1


@final
@dataclass(frozen=True, eq=False)
class Clusters:
    """Groups of documents that are near one another, and a rule that puts a new document into one of them.

    Attributes
    ----------
    labels : ndarray of int64, shape (n,)
        The cluster of each document. Clusters are numbered by decreasing size, equal sizes by their first document;
        -1 marks a document whose coordinates are all zero.
    centers : ndarray of float64, shape (n_clusters, d)
        The mean of each cluster, in the same order. With ``normalize`` it is a mean of unit rows, and shorter.
    objective : float
        Sum of the squared distances of the documents to their centres: what k-means makes small.
    normalize : bool
        Whether rows are scaled to unit length before they are compared with the centres.
    """

    labels: IntArray
    centers: FloatArray
    objective: float
    normalize: bool

    @property
    def sizes(self) -> IntArray:
        """How many documents each cluster holds; documents labelled -1 are in none."""
        return np.bincount(self.labels[self.labels != UNPLACED], minlength=len(self.centers)).astype(np.int64)

    def predict(self, Z: ArrayLike) -> IntArray:
        """Return the cluster with the nearest centre for each row of Z, and -1 for a row of zeros.

        The documents the clusters were learnt from get their own labels back. A row's label does not depend on the rows
        beside it. Of two centres that are equally near, the one with the lower number is taken: the larger cluster.

        Parameters
        ----------
        Z : array-like or sparse of shape (m, d)
            Coordinates in the space the clusters were learnt in.

        Returns
        -------
        ndarray of int64, shape (m,)
            Cluster numbers.
        """
        given = check_terms(Z, "Z")
        if given.shape[1] != self.centers.shape[1]:
            raise BadData(
                f"these clusters live in {self.centers.shape[1]} dimensions, got rows of {given.shape[1]}. "
                f"Transform new documents with the method the clusters were learnt with."
            )
        rows, placed = _prepare(given, self.normalize)
        labels = np.full(len(placed), UNPLACED, dtype=np.int64)
        if placed.any():
            labels[placed] = nearest(rows, self.centers)
        return labels


def cluster(
    Z: ArrayLike,
    n_clusters: int,
    *,
    init: str = "k-means++",
    n_init: int = 10,
    normalize: bool = True,
    max_iter: int = 300,
    random_state: RandomState = 0,
    n_jobs: int | None = None,
) -> Clusters:
    """Put documents into groups so that each is near the middle of its own group: k-means, the best of several starts.

    Each start runs until no document changes its cluster. The start with the lowest objective is kept, the earliest of
    equals.

    Parameters
    ----------
    Z : array-like or sparse of shape (n, d)
        One row per document, usually what a method's ``transform`` returned. Sparse rows (the documents themselves) are
        never made dense. A row of zeros is a document that could not be placed: it gets label -1 and teaches nothing.
    n_clusters : int
        How many groups to make.
    init : {"k-means++", "random"}, default="k-means++"
        How a start picks its first centres: documents spread far apart, or any documents.
    n_init : int, default=10
        How many starts.
    normalize : bool, default=True
        Scale rows to unit length first, so that direction counts and length does not.
    max_iter : int, default=300
        The most rounds one start may take.
    random_state : int, RandomState or None, default=0
        Where the starts' seeds come from.
    n_jobs : int or None, default=None
        Starts run side by side on this many threads; None means every core. It changes the time and no bit of the
        result.

    Returns
    -------
    Clusters
        Labels, centres and objective, with ``predict`` for new documents.

    Raises
    ------
    TooFewDocuments
        There are fewer different rows than clusters. Rows that agree to 12 digits are the same row.

    Warns
    -----
    UnembeddedDocuments
        Some rows are all zero.
    Unconverged
        The best start reached ``max_iter``. Only then can a cluster be empty.

    Examples
    --------
    >>> found = cluster([[1.0, 0.1], [0.0, 1.0], [0.9, 0.0]], 2)
    >>> found.labels
    array([0, 1, 0])
    >>> found.predict([[0.1, 3.0]])
    array([1])
    """
    check_count("n_clusters", n_clusters)
    check_choice("init", init, ("k-means++", "random"))
    rows, placed = _prepare(check_terms(Z, "Z"), normalize)
    _require_distinct(rows, n_clusters)
    _warn_unplaced(placed)
    seeds = draw_seeds(random_state, check_count("n_init", n_init))
    best = best_start(rows, n_clusters, seeds, n_jobs, init=init, max_iter=check_count("max_iter", max_iter), tol=0.0)
    if best.n_iter_ >= max_iter:
        warn(f"k-means stopped after max_iter={max_iter} rounds, perhaps before it settled. Use a larger max_iter.", Unconverged)
    labels, centers = _number(rows, np.ascontiguousarray(best.cluster_centers_))
    objective = float(squared_distances(rows, centers)[np.arange(len(labels)), labels].sum())
    everyone = np.full(len(placed), UNPLACED, dtype=np.int64)
    everyone[placed] = labels
    return Clusters(everyone, centers, objective, bool(normalize))


def _prepare(Z: Terms, normalize: bool) -> tuple[Terms, BoolArray]:
    """Return the rows that have a place, in float64 and scaled if asked, and which rows those are."""
    placed = nonzero_rows(Z)
    rows = Z if placed.all() else Z[placed]
    rows = unit_rows(rows) if normalize else rows.astype(np.float64)
    if not normalize and not np.isfinite(np.sum(row_norms(rows) ** 2)):
        raise BadData("the rows of Z are too long for their squares to be numbers. Use normalize=True, or scale Z down.")
    return rows, placed


def _require_distinct(rows: Terms, n_clusters: int) -> None:
    different = count_different(rows, n_clusters)
    if different >= n_clusters:
        return
    raise TooFewDocuments(
        f"asked for {n_clusters} clusters but the {rows.shape[0]} placed documents have {different} different rows. "
        f"Use n_clusters={max(1, different)} or less, or add documents."
    )


def _warn_unplaced(placed: BoolArray) -> None:
    if not placed.all():
        warn(
            f"{int((~placed).sum())} of {len(placed)} documents have only zeros for coordinates: they get the label "
            f"{UNPLACED} and take no part in the clusters.",
            UnembeddedDocuments,
        )


def _number(rows: Terms, centers: FloatArray) -> tuple[IntArray, FloatArray]:
    """Order the centres by decreasing size of their clusters, equal sizes by first document, and label the rows.

    A row equally near to two centres goes to the lower number, so numbering may move it to the larger cluster and
    change the sizes. Such moves make large clusters larger only (the sum of squared sizes grows), so the loop ends.
    """
    while True:
        labels = nearest(rows, centers)
        sizes = np.bincount(labels, minlength=len(centers))
        first = np.full(len(centers), len(labels))
        np.minimum.at(first, labels, np.arange(len(labels)))
        order = np.lexsort((first, -sizes))
        if np.array_equal(order, np.arange(len(centers))):
            return labels, centers
        centers = np.ascontiguousarray(centers[order])
