"""Linear maps from terms to a few numbers, x ↦ x A - b, whose every value is a sum over the terms of a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, is_sparse
from vicinal._typing import ArrayLike, FloatArray, SparseMatrix, TermNames, Terms
from vicinal._validate import check_count, check_terms
from vicinal._warn import warn
from vicinal.errors import BadData, BadParameter, ZeroEmbeddings
from vicinal.projection._explanation import Explanation, added_up
from vicinal.projection._made_by import MadeBy
from vicinal.terms._block_terms import BlockTerms
from vicinal.terms._row_shards import RowSource

BLOCK = 4096  # dense rows turned sparse at one time
NOTHING = 1e-12  # embeddings smaller than this share of what is expected are zero


@dataclass(frozen=True, eq=False)
class LinearMap:
    """A linear map from terms to a few numbers, x ↦ x A - b, that explains its values by terms.

    Parameters
    ----------
    weights : ndarray of shape (n_terms, n_components)
        The matrix A: what one unit of a term's weight adds to each component.
    offset : ndarray of shape (n_components,), optional
        The offset b, subtracted after the product; not from documents without terms, which are mapped to zero.
    vocabulary : array of str of shape (n_terms,), optional
        The name of each term; without it terms are called "term 0", "term 1", ….

    See Also
    --------
    Projection : A linear map that was found from a neighbour graph.

    References
    ----------
    .. [1] docs/maths/projection.md, "Explanations" (P8, P9).

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal.projection import LinearMap
    >>> A = LinearMap(np.array([[1.0, 0.0], [0.0, 2.0]]), vocabulary=np.array(["bread", "rye"]))
    >>> A.transform([[3, 1]])
    array([[3., 2.]])
    >>> A.explain([3, 1], component=1).top(1)
    [('rye', 2.0)]
    """

    weights: FloatArray
    offset: FloatArray | None = None
    vocabulary: Sequence[str] | TermNames = None

    @property
    def n_terms(self) -> int:
        """Number of terms that a document is made of."""
        return int(self.weights.shape[0])

    @property
    def n_components(self) -> int:
        """Number of components of an embedding."""
        return int(self.weights.shape[1])

    def named(self, vocabulary: ArrayLike) -> Self:
        """Return the same map with a name for each term.

        Parameters
        ----------
        vocabulary : array-like of str of shape (n_terms,)
            The names, in the order of the columns of X.

        Returns
        -------
        LinearMap
            Of the same class as this one.

        Raises
        ------
        BadParameter
            There is not one name per term.

        Examples
        --------
        >>> import numpy as np
        >>> from vicinal.projection import LinearMap
        >>> LinearMap(np.eye(2)).named(["bread", "rye"]).top_terms(0)
        [('bread', 1.0)]
        """
        names = np.asarray(vocabulary, dtype=object)
        if names.shape != (self.n_terms,):
            raise BadParameter(
                f"the vocabulary must name {self.n_terms} terms, got shape {names.shape}. Pass one name per column of X."
            )
        return replace(self, vocabulary=names)

    def transform(self, X: ArrayLike) -> FloatArray:
        """Embed documents: x A - b for each row, the same bits whatever the other rows are (P1).

        Parameters
        ----------
        X : array-like or sparse of shape (n_documents, n_terms)
            One row per document.

        Returns
        -------
        ndarray of shape (n_documents, n_components)
            The embeddings. A document without terms has zeros.

        Raises
        ------
        BadData
            X is no matrix of finite numbers, or has another number of terms.

        Examples
        --------
        >>> import numpy as np
        >>> from vicinal.projection import LinearMap
        >>> LinearMap(np.array([[1.0], [2.0]]), offset=np.array([0.5])).transform([[1, 1], [0, 0]])
        array([[2.5],
               [0. ]])
        """
        return embed(self, self._check(X))

    def top_terms(self, component: int, limit: int = 10) -> list[tuple[str, float]]:
        """Return the terms with the largest weights in one component.

        Parameters
        ----------
        component : int
            Which component, from 0.
        limit : int, default=10
            How many terms at most.

        Returns
        -------
        list of (str, float)
            Terms and weights, largest absolute value first; terms with weight zero are left out.

        Raises
        ------
        BadParameter
            There is no such component, or ``limit`` is no count.

        Examples
        --------
        >>> import numpy as np
        >>> from vicinal.projection import LinearMap
        >>> LinearMap(np.array([[0.5], [-2.0], [0.0]])).top_terms(0)
        [('term 1', -2.0), ('term 0', 0.5)]
        """
        column = self.weights[:, self._component(component)]
        order = np.argsort(-np.abs(column), kind="stable")[: check_count("limit", limit)]
        return [(self._name(t), float(column[t])) for t in order if column[t] != 0]

    def explain(self, x: ArrayLike, component: int) -> Explanation:
        """Write one component of a document's embedding as a sum over its terms: term t contributes x_t A_tj (P8).

        Parameters
        ----------
        x : array-like or sparse of shape (n_terms,) or (1, n_terms)
            One document.
        component : int
            Which component, from 0.

        Returns
        -------
        Explanation
            Its total equals ``transform`` to the last bit.

        Raises
        ------
        BadData
            ``x`` is not one document of ``n_terms`` terms.
        BadParameter
            There is no such component.

        Examples
        --------
        >>> import numpy as np
        >>> from vicinal.projection import LinearMap
        >>> why = LinearMap(np.array([[1.0], [2.0]])).explain([3, 1], component=0)
        >>> why.terms, why.parts.tolist(), why.total
        (('term 0', 'term 1'), [3.0, 2.0], 5.0)
        """
        j = self._component(component)
        return explain_component(self, self._one_row(x), j)

    def explain_similarity(self, x: ArrayLike, other: ArrayLike) -> Explanation:
        """Write the cosine of two embeddings as a sum over the terms of the first document (P9).

        Term t contributes x_t (A z)_t / ‖xA‖, with z the other document's embedding scaled to length one.

        Parameters
        ----------
        x, other : array-like or sparse of shape (n_terms,) or (1, n_terms)
            One document each.

        Returns
        -------
        Explanation
            Its total is the cosine; zero where one of the embeddings is zero.

        Raises
        ------
        BadData
            One of them is not one document of ``n_terms`` terms.

        Examples
        --------
        >>> import numpy as np
        >>> from vicinal.projection import LinearMap
        >>> A = LinearMap(np.array([[1.0, 0.0], [0.9, 0.1]]), vocabulary=np.array(["car", "automobile"]))
        >>> round(A.explain_similarity([1, 0], [0, 1]).total, 3)
        0.994
        """
        return explain_cosine(self, self._one_row(x), self._one_row(other))

    def explain_along(self, x: ArrayLike, vector: FloatArray) -> Explanation:
        """Write the product of a document's embedding with a vector z as a sum over its terms: x_t (A z)_t each.

        Parameters
        ----------
        x : array-like or sparse of shape (n_terms,) or (1, n_terms)
            One document.
        vector : ndarray of shape (n_components,)
            The vector z, of any length.

        Returns
        -------
        Explanation
            Its total is (x A - b) · z.

        Raises
        ------
        BadData
            ``x`` is not one document of ``n_terms`` terms.

        Examples
        --------
        >>> import numpy as np
        >>> from vicinal.projection import LinearMap
        >>> LinearMap(np.eye(2)).explain_along([3, 1], np.array([1.0, -1.0])).total
        2.0
        """
        return explain_direction(self, self._one_row(x), vector)

    def _one_row(self, x: ArrayLike) -> SparseMatrix:
        return csr(self._check(_one_row(x)))

    def _check(self, X: ArrayLike) -> Terms:
        X = check_terms(X, "the documents to embed")
        if X.shape[1] != self.n_terms:
            raise BadData(
                f"X has {X.shape[1]} features, but the projection is expecting {self.n_terms} features as input. "
                f"Use the terms that it was fitted to."
            )
        return X

    def _component(self, component: int) -> int:
        j = check_count("component", component, 0)
        if j >= self.n_components:
            raise BadParameter(
                f"component {j} does not exist: the projection has components 0 to {self.n_components - 1}. Use one of them."
            )
        return j

    def _name(self, term: int) -> str:
        return str(self.vocabulary[term]) if self.vocabulary is not None else f"term {term}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n_terms:,} terms -> {self.n_components} components)"


@final
@dataclass(frozen=True, eq=False, repr=False)
class Projection(LinearMap):
    """A linear map from documents x terms to documents x components, found from a neighbour graph (P1).

    Parameters
    ----------
    weights : ndarray of shape (n_terms, n_components)
        The matrix A: what one unit of a term's weight adds to each component.
    offset : ndarray of shape (n_components,), optional
        Subtracted after the product, where the documents were centred.
    vocabulary : array of str of shape (n_terms,), optional
        The name of each term.
    eigenvalues : ndarray of shape (n_components,), optional
        The λ of the function that each component approximates; 1 is the smoothest. None where the map was regressed on
        numbers that belong to no graph.
    made_by : MadeBy
        How the map was found: route, solver, iterations, estimated error.

    See Also
    --------
    regress : Finds a projection by regression on the functions of a graph.
    pencil : Finds one by a generalised eigenproblem.

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang, J. Han. Regularized Locality Preserving Indexing via Spectral Regression. CIKM 2007,
       section 3.
    .. [2] X. He, D. Cai, H. Liu, W.-Y. Ma. Locality Preserving Indexing for Document Representation. SIGIR 2004.

    Examples
    --------
    >>> from vicinal import graph, projection, spectrum
    >>> X = [[2, 1, 0, 0], [1, 2, 1, 0], [0, 1, 2, 1], [0, 0, 1, 2]]
    >>> A = projection.regress(X, spectrum.solve(graph.knn(X, 2), n_components=1))
    >>> A
    Projection(4 terms -> 1 components, regress)
    >>> A.transform(X).shape
    (4, 1)
    """

    eigenvalues: FloatArray | None = field(default=None, kw_only=True)
    made_by: MadeBy = field(default_factory=MadeBy, kw_only=True)

    def __repr__(self) -> str:
        return f"Projection({self.n_terms:,} terms -> {self.n_components} components, {self.made_by.get('route', 'given')})"


def embed(linear: LinearMap, X: Terms | BlockTerms) -> FloatArray:
    """As :meth:`LinearMap.transform`, for a matrix of the same terms that ``check_terms`` has returned, or row blocks."""
    if isinstance(X, BlockTerms):
        return np.concatenate(X.over(_embed_source, X.engine.place(LinearMap(linear.weights, linear.offset))))
    if is_sparse(X):
        return _embed_sparse(linear, X)
    blocks = [_embed_sparse(linear, sp.csr_array(X[i : i + BLOCK])) for i in range(0, X.shape[0], BLOCK)]
    return np.concatenate(blocks)


def explain_component(linear: LinearMap, row: Terms, component: int) -> Explanation:
    """As :meth:`LinearMap.explain`, for one row of the same terms that ``check_terms`` has returned."""
    offset = None if linear.offset is None else float(linear.offset[component])
    return _explained(linear, csr(row), linear.weights[csr(row).indices, component], offset)


def explain_direction(linear: LinearMap, row: Terms, vector: FloatArray) -> Explanation:
    """As :meth:`LinearMap.explain_along`, for one row of the same terms that ``check_terms`` has returned."""
    offset = None if linear.offset is None else float(linear.offset @ vector)
    return _explained(linear, csr(row), linear.weights[csr(row).indices] @ vector, offset)


def explain_cosine(linear: LinearMap, row: Terms, other: Terms) -> Explanation:
    """As :meth:`LinearMap.explain_similarity`, for two rows of the same terms that ``check_terms`` has returned."""
    here, there = embed(linear, row).ravel(), embed(linear, other).ravel()
    lengths = np.linalg.norm(here) * np.linalg.norm(there)
    return explain_direction(linear, row, there / lengths if lengths > 0 else np.zeros_like(there))


def _explained(linear: LinearMap, row: SparseMatrix, weights: FloatArray, offset: float | None) -> Explanation:
    """Σ_t x_t w_t - offset over the terms t of a document, with the weight w_t of each of them."""
    parts = row.data.astype(np.float64) * weights
    names = tuple(linear._name(t) for t in row.indices)
    if offset is not None and row.nnz:
        parts, names = np.append(parts, -offset), (*names, "(constant)")
    return added_up(names, parts)


def _embed_source(source: RowSource, linear: LinearMap) -> FloatArray:
    """One task: the embeddings of the documents of one block."""
    return _embed_sparse(linear, source.load())


def _embed_sparse(linear: LinearMap, rows: SparseMatrix) -> FloatArray:
    embedded = np.asarray(rows @ linear.weights)
    if linear.offset is not None:
        embedded[np.diff(rows.indptr) > 0] -= linear.offset
    return embedded


def _one_row(x: ArrayLike) -> Terms:
    row = np.atleast_2d(np.asarray(x)) if not is_sparse(x) else csr(x).reshape(1, -1) if x.ndim == 1 else x
    if row.shape[0] != 1:
        raise BadData(f"an explanation is of one document, got {row.shape[0]} rows. Use X[[i]] for document i.")
    return row


def say_zero_map(largest: float, A: FloatArray, expected: float, alpha: float) -> None:
    """Warn when no embedding of documents with that largest entry can be larger than a 1e-12th of what is expected."""
    if expected > 0 and np.abs(A).max(initial=0.0) * largest <= NOTHING * expected:
        warn(
            f"every embedding is zero, to {NOTHING:.0e}: alpha={alpha:g} leaves no weight on any term. Use a smaller alpha.",
            ZeroEmbeddings,
        )
