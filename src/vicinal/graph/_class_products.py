"""`class_products`: documents of one class joined by their dot products, as Orthogonal LPI has it with labels."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, is_sparse
from vicinal._typing import ArrayLike, IntArray, LabelsLike, SparseMatrix, Terms
from vicinal._validate import check_labels, check_terms
from vicinal.errors import BadData, OneClass
from vicinal.graph._edges import EdgeWeight
from vicinal.graph._implicit import CompleteGraph, numbered_without_gaps


def class_products(X: ArrayLike, y: LabelsLike) -> CompleteGraph:
    """Join the documents of one class, each pair with the dot product of its rows as weight (G6').

    Where :func:`classes` gives all pairs of a class the same weight, here documents with more in common are joined more strongly.
    No edge is stored: a product costs two products with a matrix that has as many entries as X.

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights, of which none is negative. Rows are taken as they are: scale them to length one for cosines.
    y : array-like of shape (n_documents,)
        One label per document; -1 for a document without a class, which has no edge.

    Returns
    -------
    CompleteGraph
        The complete graph of each class, side by side.

    Raises
    ------
    BadData
        X is no matrix of finite numbers, or has negative entries, whose dot products could be negative weights.
    BadLabels
        There is not one label per document.
    OneClass
        There are not two classes.

    See Also
    --------
    classes : Joins documents of one class, all pairs with the same weight.

    References
    ----------
    .. [1] D. Cai, X. He. Orthogonal Locality Preserving Indexing. SIGIR 2005, section 3.

    Examples
    --------
    >>> from vicinal.graph import class_products
    >>> graph = class_products([[1, 0], [1, 1], [1, 1], [0, 2]], [0, 0, 1, 1])
    >>> graph.degrees
    array([2., 3., 4., 6.])
    """
    X = check_terms(X, "the class graph")
    labels = numbered_without_gaps(check_labels(y, X.shape[0]))
    if len(np.unique(labels[labels >= 0])) < 2:
        raise OneClass(
            f"the labels of {len(labels)} documents (n_samples = {len(labels)}) name fewer than two classes, and separating needs "
            f"two or more. Add documents of another class, or use a method that learns from neighbours, without labels."
        )
    lowest = (X.data if is_sparse(X) else X).min(initial=0.0)
    if lowest < 0:
        raise BadData(
            f"X has entries below zero, the lowest {lowest:g}, whose dot products could be weights below zero. Use weights of "
            f"terms that are not negative, or vicinal.graph.classes, which does not look at X."
        )
    return CompleteGraph(_class_terms(X, labels), EdgeWeight("dot"), factored=True)


def _class_terms(X: Terms, labels: IntArray) -> SparseMatrix:
    """Documents x (classes · terms): a document has its terms in the columns of its class, and none without a class."""
    entries = sp.csr_array(X).tocoo()
    known = labels[entries.row] >= 0
    rows, columns = entries.row[known].astype(np.int64), entries.col[known].astype(np.int64)
    shape = (X.shape[0], (int(labels.max()) + 1) * X.shape[1])
    return csr((entries.data[known], (rows, labels[rows] * X.shape[1] + columns)), shape=shape)
