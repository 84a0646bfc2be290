"""Search: a question in words, the nearest documents, and the words that brought each of them there.

A document is near a question for two reasons: it has the question's words, or it lies where documents with such words
lie. The score is a mean of two cosines, one for each reason, and both are sums over words, so every score is one too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import row_norms, unit_rows
from vicinal._typing import ArrayLike, FloatArray, IntArray, Terms
from vicinal._validate import check_count, check_number, check_terms
from vicinal.errors import BadData, BadParameter
from vicinal.projection import Explanation, LinearMap

#: Scores that agree to so many decimals are equal, and equals are taken in document order.
TIE_DECIMALS = 12
#: How far from 1 the length of a row may be: what single precision leaves of a unit row.
UNIT_TOLERANCE = 1e-5


@final
@dataclass(frozen=True, eq=False)
class Hit:
    """A document that answers a question, and the words that brought it there.

    Attributes
    ----------
    document : int
        Its row.
    score : float
        The sum of the parts of ``why``, to the last bit: ``math.fsum(hit.why.parts) == hit.score``.
    why : Explanation
        What each word of the question added. A word that the document lacks can add something too: the place where it
        points is near the document's.
    through : Explanation
        The same score, up to rounding, taken apart by the words of the document.
    """

    document: int
    score: float
    why: Explanation
    through: Explanation


def search(
    question: ArrayLike,
    documents: ArrayLike,
    places: ArrayLike,
    projection: LinearMap,
    *,
    limit: int = 10,
    words: float = 0.5,
) -> list[Hit]:
    """Find the documents nearest to a question, and say by which words.

    The score of document d for question x is ``words`` · cos(x, d) + (1 - ``words``) · cos(xA, dA).

    Parameters
    ----------
    question : one row, sparse or dense
        The question's terms, weighted as the documents are.
    documents : sparse or dense, shape (n, terms)
        The documents' terms. Rows have length one, or are zero: `unit_rows` of what was learnt from.
    places : array (n, d)
        The documents' places, ``unit_rows(projection.transform(documents))``.
    projection : LinearMap
        The map x → xA; its vocabulary, if it has one, names the words.
    limit : int, default=10
        At most so many hits. Documents with a score of 0 or less are none.
    words : float, default=0.5
        How much the words themselves count, from 0 (place alone) to 1 (words alone).

    Returns
    -------
    list of Hit
        Best first; equal scores in document order. Empty for a question without a known word.

    Examples
    --------
    >>> from vicinal.projection import LinearMap
    >>> import numpy as np
    >>> from vicinal.graph import unit_rows
    >>> A = LinearMap(np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]]), vocabulary=["car", "automobile", "rose"])
    >>> X = np.eye(3)
    >>> hits = search([[1.0, 0.0, 0.0]], X, unit_rows(A.transform(X)), A)
    >>> [(hit.document, round(hit.score, 2)) for hit in hits]
    [(0, 1.0), (1, 0.5)]
    """
    row = _one_row(question)
    count = check_count("limit", limit)
    scores = similarities(row, documents, places, projection, words=words)
    best = [int(i) for i in best_first(scores)[:count] if scores[i] > 0]
    _require_unit(np.asarray(places)[best], best, "places")
    hits = [_explained(row, documents, i, projection, words) for i in best]
    return sorted(hits, key=lambda hit: -round(hit.score, TIE_DECIMALS))


def similarities(
    question: ArrayLike, documents: ArrayLike, places: ArrayLike, projection: LinearMap, *, words: float = 0.5
) -> FloatArray:
    """Return the score of every document for a question; parameters as for `search`.

    Returns
    -------
    ndarray of shape (n,)
        Between -1 and 1. A document's score does not depend on the other documents.
    """
    if check_number("words", words) > 1:
        raise BadParameter(f"words must be a share between 0 (place alone) and 1 (words alone), got {words!r}.")
    row, X, Z = _one_row(question), check_terms(documents, "the documents"), np.asarray(places, dtype=np.float64)
    _check_shapes(row, X, Z, projection)
    by_words = np.asarray(X @ unit_rows(row).toarray().ravel())
    place = unit_rows(projection.transform(row)).ravel()
    # einsum, not a matrix product: BLAS sums a row in an order that depends on how many rows there are.
    by_place = np.einsum("ij,j->i", Z, place)
    return np.asarray(words * by_words + (1.0 - words) * by_place)


def best_first(scores: FloatArray) -> IntArray:
    """Order documents by decreasing score; those that agree to 12 decimals stay in document order."""
    return np.argsort(-np.round(scores, TIE_DECIMALS), kind="stable").astype(np.int64)


def _one_row(question: ArrayLike) -> Terms:
    row = question if sp.issparse(question) else np.atleast_2d(np.asarray(question))
    checked = sp.csr_array(check_terms(row.reshape(1, -1) if row.ndim == 1 else row, "the question"))
    if checked.shape[0] != 1:
        raise BadData(f"a question is one row, got {checked.shape[0]}. Search once for each.")
    return checked


def _check_shapes(row: Terms, X: Terms, Z: FloatArray, projection: LinearMap) -> None:
    if X.shape[1] != row.shape[1]:
        raise BadData(f"the question has {row.shape[1]} terms but the documents have {X.shape[1]}. Weigh both with one vectorizer.")
    if Z.shape != (X.shape[0], projection.n_components):
        raise BadData(
            f"places must have one row for each of the {X.shape[0]} documents and {projection.n_components} columns, got shape "
            f"{Z.shape}. Use unit_rows(projection.transform(documents))."
        )


def _explained(row: Terms, documents: Any, i: int, projection: LinearMap, words: float) -> Hit:
    other = _one_row(documents[[i]] if sp.issparse(documents) else np.asarray(documents)[i])
    _require_unit(other, [i], "documents")
    why = _parts(row, other, projection, words)
    return Hit(i, why.total, why, _parts(other, row, projection, words))


def _parts(row: Terms, other: Terms, projection: LinearMap, words: float) -> Explanation:
    """Take the score of two rows apart by the words of the first."""
    near = projection.explain_similarity(row, other)
    parts = (1.0 - words) * near.parts
    there = unit_rows(other).toarray().ravel()[row.indices]
    parts[: row.nnz] += words * unit_rows(row).data * there  # behind these there may be a part for the centre
    return Explanation(near.terms, parts, math.fsum(parts))


def _require_unit(rows: Terms, numbers: list[int], name: str) -> None:
    """Catch the mistake where it would show: among the hits."""
    for number, length in zip(numbers, row_norms(rows), strict=True):
        if length > 0 and abs(length - 1.0) > UNIT_TOLERANCE:
            raise BadData(
                f"the rows of {name} must have length one, got {length:.6g} for document {number}. Use unit_rows({name})."
            )
