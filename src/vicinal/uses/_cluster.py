"""`cluster`: k-means of a given embedding from several starts, with stable cluster numbers, and assignment of new documents.

scikit-learn does the work of one start. What is added here: starts run in parallel without changing a bit, clusters have numbers
that do not depend on the start, documents that are not embedded get the label -1, and new documents can be assigned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._centroids import nearest, squared_distances
from vicinal._kmeans import best_start, draw_seeds
from vicinal._matrix import count_different, nonzero_rows, row_norms, unit_rows
from vicinal._typing import ArrayLike, BoolArray, FloatArray, IntArray, RandomState, Terms
from vicinal._validate import check_choice, check_count, check_seed, check_terms
from vicinal._warn import warn
from vicinal.errors import BadData, TooFewDocuments, Unconverged, UnembeddedDocuments

#: The label of a document that is not embedded: a row of zeros.
UNEMBEDDED = -1


@final
@dataclass(frozen=True, eq=False)
class Clusters:
    """Clusters of documents by nearest centroid, and the assignment of new documents to them.

    Attributes
    ----------
    labels : ndarray of int64, shape (n,)
        The cluster of each document. Clusters are numbered by decreasing size, equal sizes by their first document;
        -1 marks a document that is not embedded: a row of zeros.
    centroids : ndarray of float64, shape (n_clusters, d)
        The mean of each cluster, in the same order. With ``normalize`` it is a mean of unit rows, and shorter.
    objective : float
        Sum of the squared distances of the documents to their centroids, which k-means minimises.
    normalize : bool
        Whether rows are scaled to unit length before they are compared with the centroids.

    Examples
    --------
    >>> from vicinal import cluster
    >>> found = cluster([[1.0, 0.1], [0.0, 1.0], [0.9, 0.0]], 2)
    >>> found.sizes
    array([2, 1])
    >>> found.predict([[0.2, 0.7], [0.0, 0.0]])
    array([ 1, -1])
    """

    labels: IntArray
    centroids: FloatArray
    objective: float
    normalize: bool

    @property
    def sizes(self) -> IntArray:
        """Number of documents in each cluster; documents labelled -1 are in none."""
        return np.bincount(self.labels[self.labels != UNEMBEDDED], minlength=len(self.centroids)).astype(np.int64)

    def predict(self, Z: ArrayLike) -> IntArray:
        """Return the cluster with the nearest centroid for each row of Z, and -1 for a row of zeros.

        The training documents get their own labels. A row's label does not depend on the rows
        beside it. Of two centroids that are equally near, the one with the lower number is taken: the larger cluster.

        Parameters
        ----------
        Z : array-like or sparse of shape (m, d)
            Embeddings by the method whose embeddings were clustered.

        Returns
        -------
        ndarray of int64, shape (m,)
            Cluster numbers.

        Raises
        ------
        BadData
            The rows have another number of components than the centroids.
        """
        given = check_terms(Z, "Z")
        if given.shape[1] != self.centroids.shape[1]:
            raise BadData(
                f"the clusters have {self.centroids.shape[1]} components, got rows of {given.shape[1]}. "
                f"Embed new documents with the method whose embeddings were clustered."
            )
        rows, embedded = _prepare(given, self.normalize)
        labels = np.full(len(embedded), UNEMBEDDED, dtype=np.int64)
        if embedded.any():
            labels[embedded] = nearest(rows, self.centroids)
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
    """Cluster the rows of an embedding by k-means, the best of several starts.

    Each start runs until no document changes its cluster. The start with the lowest objective is kept, the first of equals.

    Parameters
    ----------
    Z : array-like or sparse of shape (n, d)
        One row per document, usually what a method's ``transform`` returned. Sparse rows (the documents themselves) are
        never made dense. A row of zeros is a document that is not embedded: it gets the label -1 and is left out.
    n_clusters : int
        Number of clusters.
    init : {"k-means++", "random"}, default="k-means++"
        How a start chooses its first centroids: documents far apart, or any documents.
    n_init : int, default=10
        Number of starts.
    normalize : bool, default=True
        Scale rows to unit length first, so that distances depend on cosines alone.
    max_iter : int, default=300
        Maximum number of iterations of one start.
    random_state : int, RandomState or None, default=0
        Random seed of the starts.
    n_jobs : int or None, default=None
        Number of threads that starts run on; None uses every core. The result does not depend on it.

    Returns
    -------
    Clusters
        Labels, centroids and objective, with ``predict`` for new documents.

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

    References
    ----------
    .. [1] Arthur, D., Vassilvitskii, S. (2007). k-means++: The Advantages of Careful Seeding. SODA, section 2: the choice of the
       first centroids.

    Examples
    --------
    >>> from vicinal import cluster
    >>> found = cluster([[1.0, 0.1], [0.0, 1.0], [0.9, 0.0]], 2)
    >>> found.labels
    array([0, 1, 0])
    >>> found.predict([[0.1, 3.0]])
    array([1])
    """
    check_count("n_clusters", n_clusters)
    check_choice("init", init, ("k-means++", "random"))
    check_seed(random_state)
    rows, embedded = _prepare(check_terms(Z, "Z"), normalize)
    _require_distinct(rows, n_clusters)
    _warn_unembedded(embedded)
    seeds = draw_seeds(random_state, check_count("n_init", n_init))
    best = best_start(rows, n_clusters, seeds, n_jobs, init=init, max_iter=check_count("max_iter", max_iter), tol=0.0)
    if best.n_iter_ >= max_iter:
        warn(f"k-means stopped after max_iter={max_iter} iterations, before it converged. Use a larger max_iter.", Unconverged)
    labels, centroids = _number(rows, np.ascontiguousarray(best.cluster_centers_))
    objective = float(squared_distances(rows, centroids)[np.arange(len(labels)), labels].sum())
    everyone = np.full(len(embedded), UNEMBEDDED, dtype=np.int64)
    everyone[embedded] = labels
    return Clusters(everyone, centroids, objective, bool(normalize))


def _prepare(Z: Terms, normalize: bool) -> tuple[Terms, BoolArray]:
    """Return the embedded rows, in float64 and scaled if asked, and which rows those are."""
    embedded = nonzero_rows(Z)
    rows = Z if embedded.all() else Z[embedded]
    rows = unit_rows(rows) if normalize else rows.astype(np.float64)
    if not normalize and not np.isfinite(np.sum(row_norms(rows) ** 2)):
        raise BadData("the rows of Z are too long for their squares to be numbers. Use normalize=True, or scale Z down.")
    return rows, embedded


def _require_distinct(rows: Terms, n_clusters: int) -> None:
    different = count_different(rows, n_clusters)
    if different >= n_clusters:
        return
    raise TooFewDocuments(
        f"asked for {n_clusters} clusters but the {rows.shape[0]} embedded documents have {different} different rows. "
        f"Use n_clusters={max(1, different)} or less, or add documents."
    )


def _warn_unembedded(embedded: BoolArray) -> None:
    if not embedded.all():
        warn(
            f"{int((~embedded).sum())} of {len(embedded)} documents are not embedded (rows of zeros): they get the label "
            f"{UNEMBEDDED} and are left out of the clusters.",
            UnembeddedDocuments,
        )


def _number(rows: Terms, centroids: FloatArray) -> tuple[IntArray, FloatArray]:
    """Order the centroids by decreasing size of their clusters, equal sizes by first document, and label the rows.

    A row equally near to two centroids goes to the lower number, so numbering may move it to the larger cluster and
    change the sizes. Such moves make large clusters larger only (the sum of squared sizes grows), so the loop ends.
    """
    while True:
        labels = nearest(rows, centroids)
        sizes = np.bincount(labels, minlength=len(centroids))
        first = np.full(len(centroids), len(labels))
        np.minimum.at(first, labels, np.arange(len(labels)))
        order = np.lexsort((first, -sizes))
        if np.array_equal(order, np.arange(len(centroids))):
            return labels, centroids
        centroids = np.ascontiguousarray(centroids[order])
