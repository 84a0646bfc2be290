"""Quality measures of clusterings and embeddings: accuracy, mutual information, average precision, neighbours, locality.

The formulas are in docs/maths/metrics.md. A label of -1 is a label like any other here: select the documents to
compare before calling. Empty input raises EmptyCorpus; labels that are not classes, or not one per document, raise
BadLabels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from vicinal._centroids import squared_distances
from vicinal._document_pairs import cosine_distances, from_zero, mean_precision, mean_share, rows_at_once, split_pairs
from vicinal._matrix import csr, is_sparse, unit_rows, without_rounding_noise
from vicinal._threads import single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, Floats, IntArray, SparseMatrix, Terms
from vicinal._validate import check_choice, check_labels, check_terms
from vicinal.errors import BadData, BadLabels, EmptyCorpus
from vicinal.graph._graph import GraphInput

#: The weights of a graph times a block of columns.
Product: TypeAlias = "Callable[[FloatArray], FloatArray]"

__all__ = [
    "clustering_accuracy",
    "locality",
    "neighborhood_accuracy",
    "normalized_mutual_info",
    "pair_average_precision",
]


def clustering_accuracy(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return the share of documents whose cluster has their class, under the best matching of clusters and classes.

    Each cluster is matched with at most one class and each class with at most one cluster, such that the largest
    number of documents agrees (M1) [1]_. The documents of a cluster without a class count as wrong.

    Parameters
    ----------
    labels_true : array-like of shape (n_documents,)
        Classes: numbers or strings.
    labels_pred : array-like of shape (n_documents,)
        Clusters: numbers or strings, not necessarily of the type of the classes.

    Returns
    -------
    float
        Between 0 (exclusive) and 1.

    Raises
    ------
    BadLabels, EmptyCorpus
        The labels are not classes, the two have different lengths, or there are none.

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang and J. Han. Regularized locality preserving indexing via spectral regression.
       CIKM 2007, section 4.1.

    Examples
    --------
    >>> from vicinal.metrics import clustering_accuracy
    >>> clustering_accuracy(["a", "a", "b", "b"], [1, 1, 1, 0])
    0.75
    """
    true, found = _label_pair(labels_true, labels_pred)
    table = contingency_matrix(true, found)
    classes, clusters = linear_sum_assignment(table, maximize=True)
    return float(table[classes, clusters].sum() / len(true))


def normalized_mutual_info(labels_true: ArrayLike, labels_pred: ArrayLike) -> float:
    """Return the mutual information of clusters and classes, divided by the larger of the two entropies.

    As in the papers of this family (M2) [1]_; scikit-learn divides by the mean of the entropies by default, which
    gives larger values.

    Parameters
    ----------
    labels_true : array-like of shape (n_documents,)
        Classes: numbers or strings.
    labels_pred : array-like of shape (n_documents,)
        Clusters: numbers or strings. Exchanging classes and clusters changes nothing.

    Returns
    -------
    float
        Between 0 and 1: 1.0 for one class and one cluster, 0.0 where only one of the two is constant.

    Raises
    ------
    BadLabels, EmptyCorpus
        The labels are not classes, the two have different lengths, or there are none.

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang and J. Han. Regularized locality preserving indexing via spectral regression.
       CIKM 2007, section 4.1.

    Examples
    --------
    >>> from vicinal.metrics import normalized_mutual_info
    >>> normalized_mutual_info(["a", "a", "b", "b"], [1, 1, 0, 0])
    1.0
    >>> round(normalized_mutual_info(["a", "a", "b", "b"], [1, 1, 1, 0]), 4)
    0.3113
    """
    true, found = _label_pair(labels_true, labels_pred)
    share = normalized_mutual_info_score(true, found, average_method="max")
    return float(np.clip(share, 0.0, 1.0))


def pair_average_precision(Z: ArrayLike, labels: ArrayLike) -> float:
    """Return the average precision of the ranking of all pairs of documents by cosine similarity.

    A pair is relevant if its two documents have the same label. The value is the mean, over the relevant pairs, of
    the precision at the rank of the pair (M3) [1]_. Pairs of equal similarity, to 12 decimals, share the last of
    their ranks, as in scikit-learn's ``average_precision_score``.

    Parameters
    ----------
    Z : array-like or sparse matrix of shape (n_documents, n_components)
        Embeddings. A row of zeros has similarity 0 to every other.
    labels : array-like of shape (n_documents,)
        One label per document.

    Returns
    -------
    float
        Between 0 (exclusive) and 1. Embeddings without information give the share of relevant pairs.

    Raises
    ------
    BadData
        Z is not a matrix of finite numbers.
    BadLabels
        The labels are not one per document, or no two documents have the same label.

    References
    ----------
    .. [1] D. Cai and X. He. Orthogonal locality preserving indexing. SIGIR 2005, section 5.2.

    Examples
    --------
    >>> from vicinal.metrics import pair_average_precision
    >>> pair_average_precision([[1, 0], [1, 0.1], [0, 1], [0.1, 1]], ["a", "a", "b", "b"])
    1.0
    """
    rows, codes = _embedded_documents(Z, labels)
    if np.bincount(from_zero(codes)).max() < 2:
        raise BadLabels(
            f"no pair of documents is relevant: got {len(codes)} documents with {len(codes)} different labels. "
            f"Average precision needs at least one label that two documents share."
        )
    with single_threaded_libraries():
        relevant, others = split_pairs(unit_rows(rows), codes)
    relevant.sort()
    others.sort()
    return mean_precision(relevant, others)


def neighborhood_accuracy(Z: ArrayLike, labels: ArrayLike, metric: str = "euclidean") -> float:
    """Return the share of a document's nearest neighbours that are of its own class, averaged over the documents.

    A document whose class has p members is compared with its p - 1 nearest other documents (M4) [1]_. A document that
    is alone in its class is left out of the mean. The paper does not say whether a document is its own neighbour;
    here it is not.

    Parameters
    ----------
    Z : array-like or sparse matrix of shape (n_documents, n_components)
        Embeddings.
    labels : array-like of shape (n_documents,)
        One label per document.
    metric : {"euclidean", "cosine"}, default="euclidean"
        Distance metric. Under "cosine" a row of zeros has similarity 0 to every other.

    Returns
    -------
    float
        Between 0 and 1. Distances that agree to 12 digits are equal, and of equals the earlier document is nearer.

    Raises
    ------
    BadParameter
        The metric is unknown.
    BadData
        Z is not a matrix of finite numbers.
    BadLabels
        The labels are not one per document, or no two documents have the same label.

    References
    ----------
    .. [1] D. Cai and X. He. Orthogonal locality preserving indexing. SIGIR 2005, section 5.3.

    Examples
    --------
    >>> from vicinal.metrics import neighborhood_accuracy
    >>> neighborhood_accuracy([[0.0], [0.1], [1.0], [1.1]], ["a", "a", "b", "b"])
    1.0
    """
    check_choice("metric", metric, ("euclidean", "cosine"))
    rows, codes = _embedded_documents(Z, labels)
    wanted = np.bincount(from_zero(codes))[from_zero(codes)] - 1
    if not wanted.any():
        raise BadLabels(
            f"no document has a neighbour to find: got {len(codes)} documents with {len(codes)} different labels. "
            f"Neighbourhood accuracy needs at least one label that two documents share."
        )
    rows = unit_rows(rows) if metric == "cosine" else _within_range(rows)
    distances = cosine_distances if metric == "cosine" else lambda *pair: without_rounding_noise(squared_distances(*pair))
    with single_threaded_libraries():
        return mean_share(rows, codes, wanted, distances)


def locality(graph: GraphInput, Z: ArrayLike) -> FloatArray:
    """Return how much each component changes between neighbours, relative to its size: 0 is smooth, 2 is rough.

    The quotient zᵀLz / zᵀDz of each column z of Z, which the methods of this family minimise (M5) [1]_: L = D - W,
    where W holds the weights of the graph and D its degrees.

    Parameters
    ----------
    graph : Graph, or array-like or sparse matrix of shape (n_documents, n_documents)
        A graph, or its weights W: symmetric, with no weight below zero.
    Z : array-like or sparse matrix of shape (n_documents, n_components)
        Embeddings of the documents of the graph. A sparse matrix is read a few columns at a time.

    Returns
    -------
    ndarray of shape (n_components,)
        One quotient per component; NaN for a component that is zero on every document with neighbours.

    Raises
    ------
    BadData
        The graph and Z differ in the number of documents, or W is not a symmetric matrix of weights.

    References
    ----------
    .. [1] D. Cai, X. He and J. Han. Document clustering using locality preserving indexing. IEEE Transactions on
       Knowledge and Data Engineering, 17(12):1624-1637, 2005.

    Examples
    --------
    >>> from vicinal.metrics import locality
    >>> W = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> locality(W, [[1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    array([0., 2.])
    """
    rows = check_terms(Z, "Z")
    degrees, times = _degrees_and_product(graph, rows.shape[0])
    if is_sparse(rows):
        rows = rows.tocsc()
    with single_threaded_libraries():
        neighbours_sum = np.asarray(times(np.ones((rows.shape[0], 1)))).ravel()
        width = rows_at_once(rows.shape[0])
        blocks = [
            _quotients(degrees, neighbours_sum, times, rows[:, start : start + width]) for start in range(0, rows.shape[1], width)
        ]
    return np.concatenate(blocks)


def _label_codes(labels: ArrayLike, n_documents: int | None = None) -> IntArray:
    try:
        given = np.asarray(labels)
        if given.ndim == 0:
            raise BadLabels(f"labels must be a sequence, one per document, got {labels!r}. Pass a list or an array.")
        if n_documents is None and len(given) == 0:
            raise EmptyCorpus("there are no labels, so there is nothing to compare. Check what was selected.")
        return check_labels(given, len(given) if n_documents is None else n_documents)
    except TypeError as error:
        raise BadLabels(f"labels must all be of one type, strings or numbers: {error}. Convert them all to one.") from None
    except ValueError as error:
        if isinstance(error, BadLabels | EmptyCorpus):
            raise
        raise BadLabels(f"labels must be a plain sequence, one per document: {error}. Pass a flat list.") from None


def _label_pair(labels_true: ArrayLike, labels_pred: ArrayLike) -> tuple[IntArray, IntArray]:
    true, found = _label_codes(labels_true), _label_codes(labels_pred)
    if len(true) != len(found):
        raise BadLabels(
            f"both sides need one label per document, got {len(true)} classes and {len(found)} clusters. "
            f"Pass those of the same documents."
        )
    return true, found


def _embedded_documents(Z: ArrayLike, labels: ArrayLike) -> tuple[Terms, IntArray]:
    rows = check_terms(Z, "Z")
    return rows, _label_codes(labels, rows.shape[0])


def _near_one(values: Floats, peaks: Floats) -> FloatArray:
    return np.asarray(np.ldexp(np.asarray(values, dtype=np.float64), -np.frexp(np.asarray(peaks, dtype=np.float64))[1]))


def _within_range(Z: Terms) -> Terms:
    if not is_sparse(Z):
        return _near_one(Z, np.abs(Z).max())
    peak = np.abs(Z.data).max(initial=0.0)
    return csr((_near_one(Z.data, peak), Z.indices, Z.indptr), shape=Z.shape)


def _degrees_and_product(graph: GraphInput, n_documents: int) -> tuple[FloatArray, Product]:
    if hasattr(graph, "degrees") and hasattr(graph, "matmul"):
        degrees, times = np.asarray(graph.degrees, dtype=np.float64), graph.matmul
    else:
        W = _check_weights(graph)
        degrees, times = np.asarray(W.sum(axis=1, dtype=np.float64)).ravel(), W.__matmul__
    if degrees.shape != (n_documents,):
        raise BadData(
            f"the graph and Z must have the same documents, got {len(degrees)} and {n_documents}. Build both from the same rows."
        )
    return degrees, times


def _check_weights(given: ArrayLike) -> SparseMatrix:
    W = csr(check_terms(given, "the graph"))
    if W.shape[0] != W.shape[1]:
        raise BadData(f"W must have one row and one column per document, got shape {W.shape}. Pass a square matrix.")
    if W.min() < 0:
        raise BadData(f"W must hold no weight below zero, got {W.min()!r}. Clip or drop such edges first.")
    if abs(W - W.T).max() > 100 * np.finfo(W.dtype).eps * W.max():
        raise BadData("W must be symmetric, as similarity is: got W that differs from its transpose. Use (W + W.T) / 2.")
    return W


def _quotients(degrees: FloatArray, neighbours_sum: FloatArray, times: Product, columns: Terms) -> FloatArray:
    z = columns.toarray() if is_sparse(columns) else columns
    z = _near_one(z, np.abs(z).max(axis=0))
    # Differences do not see a shift; taking the mean away first keeps the digits of a column that is nearly constant.
    total = neighbours_sum.sum()
    shifted = z - (neighbours_sum @ z / total if total > 0 else 0.0)
    change = neighbours_sum @ shifted**2 - np.einsum("ij,ij->j", shifted, np.asarray(times(shifted)))
    size = degrees @ z**2
    return np.where(size > 0, np.maximum(change, 0.0) / np.where(size > 0, size, 1.0), np.nan)
