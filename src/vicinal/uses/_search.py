"""Search in arrays: the documents nearest to a query by the cosines of terms and of embeddings, with the contribution of each term.

The score is a weighted mean of two cosines, and both are sums over terms, so every score is one too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, is_sparse, row_norms, unit_rows
from vicinal._typing import ArrayLike, FloatArray, SparseMatrix, Terms
from vicinal._validate import check_count, check_number, check_terms
from vicinal.errors import BadData, BadParameter
from vicinal.projection import Explanation, LinearMap
from vicinal.projection._projection import embed, explain_cosine
from vicinal.uses._retrieved import Retrieved, embedding_cosines, term_cosines
from vicinal.uses._scores import TIE_DECIMALS

#: How far from 1 the length of a row may be: what single precision leaves of a unit row.
UNIT_TOLERANCE = 1e-5


@final
@dataclass(frozen=True, eq=False)
class SearchResult:
    """A document found by `vicinal.search`, with the contribution of each term.

    Attributes
    ----------
    document : int
        Its row.
    score : float
        The sum of the parts of ``why``, to the last bit: ``math.fsum(result.why.parts) == result.score``.
    why : Explanation
        The contribution of each term of the query. A term that the document lacks contributes through the embedding.
    through : Explanation
        The same score, up to rounding, decomposed over the terms of the document.

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal import search
    >>> from vicinal.projection import LinearMap
    >>> A = LinearMap(np.array([[1.0], [1.0], [-1.0]]), vocabulary=["car", "automobile", "rose"])
    >>> [first, second] = search([[1.0, 0.0, 0.0]], np.eye(3), np.array([[1.0], [1.0], [-1.0]]), A)
    >>> first.why.top(1), second.document, second.through.top(1)
    ([('car', 1.0)], 1, [('automobile', 0.5)])
    """

    document: int
    score: float
    why: Explanation
    through: Explanation


def search(
    query: ArrayLike,
    documents: ArrayLike,
    embeddings: ArrayLike,
    projection: LinearMap,
    *,
    limit: int = 10,
    term_weight: float = 0.5,
) -> list[SearchResult]:
    """Find the documents nearest to a query, with the contribution of each term.

    The score of document d for query x is ``term_weight`` · cos(x, d) + (1 - ``term_weight``) · cos(xA, dA).

    Parameters
    ----------
    query : sparse or dense, one row
        The terms of the query, weighted as the documents are.
    documents : sparse or dense, shape (n, terms)
        The weighted terms of the documents. Rows have unit length, or are zero.
    embeddings : array (n, components)
        The embeddings of the documents with rows of unit length, ``unit_rows(projection.transform(documents))``.
    projection : LinearMap
        The map x → xA; its vocabulary, if it has one, names the terms.
    limit : int, default=10
        The number of documents at most. Documents with a score of 0 (to 12 decimals) or less are not returned.
    term_weight : float, default=0.5
        The weight of the cosine of terms, from 0 (embeddings alone) to 1 (terms alone).

    Returns
    -------
    list of SearchResult
        Best first; equal scores in document order. Empty for a query without a known term.

    Raises
    ------
    BadData
        The query is not one row, the shapes do not agree, or a row of ``documents`` or ``embeddings`` has another length than one
        or is not finite.
    BadParameter
        ``limit`` or ``term_weight`` is out of range.

    References
    ----------
    .. [1] docs/maths/search.md, "Fixed weights".

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal import search
    >>> from vicinal.projection import LinearMap
    >>> from vicinal.terms import unit_rows
    >>> A = LinearMap(np.array([[1.0, 0.0], [0.9, 0.1], [0.0, 1.0]]), vocabulary=["car", "automobile", "rose"])
    >>> X = np.eye(3)
    >>> results = search([[1.0, 0.0, 0.0]], X, unit_rows(A.transform(X)), A)
    >>> [(result.document, round(result.score, 2)) for result in results]
    [(0, 1.0), (1, 0.5)]
    """
    count = check_count("limit", limit)
    row, X, Z = _checked(query, documents, embeddings, projection, term_weight)
    retrieved = _retrieved(row, X, Z, projection, term_weight)
    best = retrieved.best(count).tolist()
    _require_unit(Z[best], best, "embeddings")
    results = [_result(retrieved, row, X, i, projection, term_weight) for i in best]
    return sorted(results, key=lambda result: -round(result.score, TIE_DECIMALS))


def similarities(
    query: ArrayLike, documents: ArrayLike, embeddings: ArrayLike, projection: LinearMap, *, term_weight: float = 0.5
) -> FloatArray:
    """Return the score of every document for a query.

    Parameters
    ----------
    query : sparse or dense, one row
        The terms of the query, weighted as the documents are.
    documents : sparse or dense, shape (n, terms)
        The weighted terms of the documents. Rows have unit length, or are zero.
    embeddings : array (n, components)
        The embeddings of the documents with rows of unit length.
    projection : LinearMap
        The map from weighted terms to embeddings.
    term_weight : float, default=0.5
        The weight of the cosine of terms, from 0 (embeddings alone) to 1 (terms alone).

    Returns
    -------
    ndarray of shape (n,)
        Between -1 and 1. A document's score does not depend on the other documents.

    Raises
    ------
    BadData
        The query is not one row, the shapes do not agree, or an embedding is not finite.
    BadParameter
        ``term_weight`` is not between 0 and 1.

    References
    ----------
    .. [1] docs/maths/search.md, "Fixed weights".

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import LinearMap
    >>> from vicinal.uses import similarities
    >>> A = LinearMap(np.array([[1.0], [1.0], [-1.0]]))
    >>> similarities([[1.0, 0.0, 0.0]], np.eye(3), np.array([[1.0], [1.0], [-1.0]]), A).tolist()
    [1.0, 0.5, -0.5]
    """
    row, X, Z = _checked(query, documents, embeddings, projection, term_weight)
    return _retrieved(row, X, Z, projection, term_weight).scores


def _checked(
    query: ArrayLike, documents: ArrayLike, embeddings: ArrayLike, projection: LinearMap, term_weight: float
) -> tuple[SparseMatrix, Terms, FloatArray]:
    """The query, the documents and their embeddings, in shapes that agree."""
    row = _one_row(query)
    if check_number("term_weight", term_weight) > 1:
        raise BadParameter(
            f"term_weight must be between 0 (embeddings alone) and 1 (terms alone), got {term_weight!r}. Use term_weight=0.5."
        )
    X, Z = check_terms(documents, "the documents"), np.asarray(embeddings, dtype=np.float64)
    _check_shapes(row, X, Z, projection)
    return row, X, Z


def _retrieved(row: Terms, X: Terms, Z: FloatArray, projection: LinearMap, term_weight: float) -> Retrieved:
    names = projection.vocabulary
    by_terms = term_cosines(
        X,
        sp.csr_array(unit_rows(row)),
        lambda term: f"term {term}" if names is None else str(names[term]),
        lambda i: sp.csr_array(unit_rows(_row_of(X, i))),
    )
    direction = np.asarray(unit_rows(embed(projection, row))).ravel()

    def explain(i: int) -> tuple[tuple[str, ...], FloatArray]:
        """The terms of a document and what each adds."""
        why = explain_cosine(projection, row, _row_of(X, i))
        return why.terms, why.parts

    by_embedding = embedding_cosines(Z, direction, explain)
    return Retrieved(((1.0 - term_weight, by_embedding), (term_weight, by_terms)))


def _result(retrieved: Retrieved, row: Terms, X: Terms, i: int, projection: LinearMap, weight: float) -> SearchResult:
    other = _row_of(X, i)
    _require_unit(other, [i], "documents")
    why = retrieved.why(i)
    reversed_ = _retrieved(other, unit_rows(row), np.asarray(unit_rows(embed(projection, row))), projection, weight)
    return SearchResult(i, why.total, why, reversed_.why(0))


def _row_of(X: Terms, i: int) -> SparseMatrix:
    return csr(X[[i]])


def _one_row(query: ArrayLike) -> SparseMatrix:
    row = csr(query) if is_sparse(query) else np.atleast_2d(np.asarray(query))
    checked = csr(check_terms(row.reshape(1, -1) if row.ndim == 1 else row, "the query"))
    if checked.shape[0] != 1:
        raise BadData(f"a query is one row, got {checked.shape[0]}. Search once for each.")
    return checked


def _check_shapes(row: Terms, X: Terms, Z: FloatArray, projection: LinearMap) -> None:
    if X.shape[1] != row.shape[1]:
        raise BadData(f"the query has {row.shape[1]} terms but the documents have {X.shape[1]}. Weigh both with one vectorizer.")
    if row.shape[1] != projection.n_terms:
        raise BadData(
            f"the query has {row.shape[1]} terms, but the projection is expecting {projection.n_terms}. Weigh them as it was."
        )
    if Z.shape != (X.shape[0], projection.n_components):
        raise BadData(
            f"embeddings must have one row for each of the {X.shape[0]} documents and {projection.n_components} columns, got shape "
            f"{Z.shape}. Use unit_rows(projection.transform(documents))."
        )
    if not np.isfinite(Z).all():
        wrong = int(np.flatnonzero(~np.isfinite(Z).all(axis=1))[0])
        raise BadData(
            f"embeddings must be finite, got {Z[wrong]} for document {wrong}. Use unit_rows(projection.transform(documents))."
        )


def _require_unit(rows: Terms, numbers: list[int], name: str) -> None:
    """Refuse results whose rows have another length than one."""
    for number, length in zip(numbers, row_norms(rows), strict=True):
        if length > 0 and abs(length - 1.0) > UNIT_TOLERANCE:
            raise BadData(f"rows of {name} must have length one, got {length:.6g} for document {number}. Use unit_rows({name}).")
