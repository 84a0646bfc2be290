"""The nearest-centroid rule: the mean of the rows of each class or cluster, and how near other rows are to it.

Used by :class:`vicinal.CentroidClassifier`, :func:`vicinal.cluster`, the classes of an index and the cluster rule of documents
without countable terms. A row's scores do not depend on the rows beside it, to the last bit.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.spatial.distance import cdist

from vicinal._matrix import is_sparse, row_norms, unit_rows
from vicinal._typing import FloatArray, IntArray, Terms

_TIE_DECIMALS = 12
SAME_ROW = 1e-12  # relative squared distance below which two sparse rows are one


def class_means(rows: Terms, labels: IntArray, n_classes: int) -> FloatArray:
    """The mean row of each class, (classes, columns); zero for a class without rows. Rows labelled below 0 are in no class."""
    known = np.flatnonzero(labels >= 0)
    codes = labels[known]
    members = sp.csr_array((np.ones(len(known)), (codes, known)), shape=(n_classes, len(labels)))
    sums = members @ rows
    sizes = np.maximum(np.bincount(codes, minlength=n_classes), 1)
    return np.asarray(sums.toarray() if is_sparse(sums) else sums) / sizes[:, None]


def mean_directions(unit: Terms, labels: IntArray, n_classes: int) -> FloatArray:
    """The mean of the unit rows of each class, scaled to unit length; zero where they cancel out."""
    return np.asarray(unit_rows(class_means(unit, labels, n_classes)))


def cosine_scores(unit: Terms, centroids: FloatArray) -> FloatArray:
    """Cosine of each row with each centroid, both of unit length, (rows, centroids)."""
    if is_sparse(unit):
        return np.asarray(unit @ centroids.T)
    # einsum, not a matrix product: BLAS sums a row in an order that depends on how many rows there are.
    return np.asarray(np.einsum("ij,kj->ik", unit, centroids))


def typicality(unit: FloatArray) -> FloatArray:
    """Product of each unit row with the mean of all of them: larger for rows that are more similar to the others.

    Rounded, so that rows that differ by rounding alone are equals.
    """
    return np.asarray(np.round(unit @ unit.mean(axis=0), _TIE_DECIMALS)) if len(unit) else np.zeros(0)


def most_typical(rows: IntArray, typical: FloatArray) -> IntArray:
    """Numbers of rows by decreasing typicality; equals stay in their order."""
    return np.asarray(rows[np.argsort(-typical, kind="stable")])


def nearest(rows: Terms, centroids: FloatArray) -> IntArray:
    """The number of the centroid at the smallest Euclidean distance from each row; the first of equals."""
    return np.asarray(np.argmin(squared_distances(rows, centroids), axis=1), dtype=np.int64)


def nearest_by_products(rows: FloatArray, centroids: FloatArray) -> IntArray:
    """As :func:`nearest` for many dense rows, by one product of matrices; rounding may decide between equals."""
    return np.asarray(np.argmax(rows @ centroids.T - half_squared_norms(centroids), axis=1), dtype=np.int64)


def half_squared_norms(centroids: FloatArray) -> FloatArray:
    """½‖c‖² of each centroid: -½‖z - c‖² = z·c - ½‖c‖² - ½‖z‖², so z·c - ½‖c‖² is largest for the nearest centroid."""
    return np.asarray(0.5 * np.sum(centroids**2, axis=1))


def squared_distances(rows: Terms, others: Terms) -> FloatArray:
    """Squared Euclidean distance of each row to each of ``others``; a row's bits do not depend on the other rows."""
    if not is_sparse(rows):
        return np.asarray(cdist(rows, others, "sqeuclidean"))
    products = rows @ others.T
    products = products.toarray() if is_sparse(products) else products
    lengths = row_norms(rows)[:, None] ** 2 + row_norms(others)[None, :] ** 2
    squares = lengths - 2.0 * products
    # The difference of two near-equal sums is rounding noise: such rows are the same row.
    return np.where(squares > SAME_ROW * lengths, squares, 0.0)
