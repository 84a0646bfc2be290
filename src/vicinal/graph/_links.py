"""`links`: the graph of pairs of documents that are known to belong together, such as citations, replies and hyperlinks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._typing import ArrayLike, FloatArray, IntArray, SparseMatrix
from vicinal._validate import check_count
from vicinal.errors import BadData, BadParameter
from vicinal.graph._graph import SparseGraph

SHAPE = "Use one row (document, document) per link"


def links(
    pairs: ArrayLike,
    n_documents: int | None = None,
    *,
    ids: Sequence[Hashable] | None = None,
    weights: ArrayLike | None = None,
) -> SparseGraph:
    """Join the two documents of every pair (G12).

    A link has no direction. Where a pair is given more than once, in either order, its largest weight counts.

    Parameters
    ----------
    pairs : array-like of shape (n_links, 2)
        Numbers of documents, from 0; or ids of documents where ``ids`` is given.
    n_documents : int, optional
        Number of documents, with and without links; required unless ``ids`` is given.
    ids : sequence, optional
        The id of each document, in the order of its rows; no two are the same.
    weights : array-like of shape (n_links,), optional
        The weight of each link, finite and not negative; zero is no edge. By default 1 each.

    Returns
    -------
    SparseGraph
        The graph of the links; documents without a link have no edge.

    Raises
    ------
    BadParameter
        Neither ``n_documents`` nor ``ids`` is given, they contradict each other, or an id occurs twice.
    BadData
        A link is no pair, joins a document with itself or names one that does not exist; or there is not one weight per link.

    See Also
    --------
    knn : Joins documents by their similarity.
    mix : Adds graphs up.

    References
    ----------
    .. [1] docs/maths/graph.md, "Links" (G12).

    Examples
    --------
    >>> from vicinal.graph import links
    >>> links([(0, 1), (1, 0), (2, 1)], n_documents=4).degrees
    array([1., 2., 1., 0.])
    >>> links([("b", "a")], ids=["a", "b", "c"])
    SparseGraph(3 documents, 1 edges)
    """
    size = _n_documents(n_documents, ids)
    numbers = _numbers(pairs) if ids is None else _numbers_of_ids(pairs, ids)
    _refuse_outside(numbers, size)
    return SparseGraph(_either_way(numbers, _weights(weights, len(numbers)), size))


def _n_documents(n_documents: int | None, ids: Sequence[Hashable] | None) -> int:
    if ids is None:
        if n_documents is None:
            raise BadParameter(
                "links needs the number of documents, got neither n_documents nor ids. Use links(pairs, len(texts))."
            )
        return check_count("n_documents", n_documents)
    if n_documents is not None and check_count("n_documents", n_documents) != len(ids):
        raise BadParameter(f"n_documents={n_documents} but there are {len(ids)} ids. Leave n_documents out.")
    return len(ids)


def _numbers(pairs: ArrayLike) -> IntArray:
    """Pairs of numbers as whole numbers."""
    try:
        given = np.asarray(pairs, dtype=np.float64) if len(pairs) else np.empty((0, 2))  # type: ignore[arg-type]
    except (TypeError, ValueError) as error:
        raise BadData(f"links must be pairs of document numbers, got {_shown(pairs)}: {error}. {SHAPE}, or pass ids.") from None
    _refuse_shape(given.shape)
    bad = np.flatnonzero(~np.isfinite(given).all(axis=1) | np.any(given != np.floor(given), axis=1))
    if bad.size:
        raise BadData(
            f"links must be pairs of whole numbers, got {_pair(given[bad[0]])} in link {bad[0]}. Number documents from 0."
        )
    return given.astype(np.int64)


def _numbers_of_ids(pairs: Any, ids: Sequence[Hashable]) -> IntArray:
    """Pairs of ids as numbers of documents."""
    number = {each: i for i, each in enumerate(ids)}
    if len(number) < len(ids):
        twice = next(each for i, each in enumerate(ids) if number[each] != i)
        raise BadParameter(f"ids must be different from each other, got {twice!r} more than once. Leave duplicates out.")
    listed = [tuple(pair) if not isinstance(pair, str) and np.ndim(pair) == 1 else (pair,) for pair in pairs]
    for i, pair in enumerate(listed):
        if len(pair) != 2:
            raise BadData(f"links must be pairs of ids, got {_shown(pair)} in link {i}. {SHAPE}.")
        unknown = [each for each in pair if each not in number]
        if unknown:
            raise BadData(
                f"link {i} names a document that does not exist: {unknown[0]!r} is none of the {len(ids)} ids. Leave it out."
            )
    return np.array([[number[one], number[other]] for one, other in listed], dtype=np.int64).reshape(-1, 2)


def _refuse_shape(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[1] != 2:
        raise BadData(f"links must be pairs of documents, got shape {shape}. {SHAPE}.")


def _refuse_outside(numbers: IntArray, size: int) -> None:
    """Refuse numbers that no document has, and links of a document with itself."""
    outside = np.flatnonzero(((numbers < 0) | (numbers >= size)).any(axis=1))
    if outside.size:
        raise BadData(
            f"link {outside[0]} names a document that does not exist: {_pair(numbers[outside[0]])}, with {size} documents numbered "
            f"from 0 to {size - 1}. Leave it out, or number documents by their rows."
        )
    itself = np.flatnonzero(numbers[:, 0] == numbers[:, 1])
    if itself.size:
        raise BadData(f"link {itself[0]} joins a document with itself: {_pair(numbers[itself[0]])}. Leave such links out.")


def _weights(weights: ArrayLike | None, n_links: int) -> FloatArray:
    if weights is None:
        return np.ones(n_links)
    try:
        given = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise BadData(f"weights of links must be numbers, got {_shown(weights)}: {error}. Use one number per link.") from None
    if given.shape != (n_links,):
        raise BadData(f"there must be one weight per link, got shape {given.shape} for {n_links} links. Use one number per link.")
    bad = np.flatnonzero(~np.isfinite(given) | (given < 0))
    if bad.size:
        raise BadData(
            f"weights of links must be finite and not negative, got {given[bad[0]]} for link {bad[0]}. Replace or drop it."
        )
    return given


def _either_way(numbers: IntArray, weights: FloatArray, size: int) -> SparseMatrix:
    """Symmetric weights: of a pair that occurs several times, the largest."""
    low, high = numbers.min(axis=1), numbers.max(axis=1)
    order = np.lexsort((-weights, high, low))
    low, high, weights = low[order], high[order], weights[order]
    first = np.append(True, (np.diff(low) != 0) | (np.diff(high) != 0))[: len(low)] & (weights > 0)
    one_way = sp.csr_array((weights[first], (low[first], high[first])), shape=(size, size))
    return csr(one_way + one_way.T)


def _pair(row: Any) -> str:
    return f"({', '.join(f'{value:g}' for value in row)})"


def _shown(given: object) -> str:
    return f"{type(given).__name__} {given!r:.60}"
