"""Projection: a linear map from terms to a few numbers, x → x A, and the words that made each number."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import largest_entry
from vicinal._typing import ArrayLike, FloatArray, Terms
from vicinal._validate import check_count, check_terms
from vicinal._warn import warn
from vicinal.errors import BadData, BadParameter, ZeroMap

BLOCK = 4096  # dense rows turned sparse at one time
NOTHING = 1e-12  # places smaller than this share of what is expected are nothing


@final
@dataclass(frozen=True, eq=False)
class Explanation:
    """A number taken apart: what each word contributed; the parts add up to the total.

    Attributes
    ----------
    terms : tuple of str
        The words of the document; "(centre)" where the projection takes a mean off.
    parts : float array
        What each contributed, in the same order.
    total : float
        The number explained: the sum of the parts.
    """

    terms: tuple[str, ...]
    parts: FloatArray
    total: float

    def top(self, limit: int = 10) -> list[tuple[str, float]]:
        """The words that mattered most, by the size of their contribution."""
        order = np.argsort(-np.abs(self.parts), kind="stable")[:limit]
        return [(self.terms[i], float(self.parts[i])) for i in order]


@final
@dataclass(frozen=True, eq=False)
class Projection:
    """A linear map from documents x terms to documents x dimensions (P1).

    Attributes
    ----------
    weights : float array (terms, d)
        A: what a word adds to each dimension.
    values : float array (d,)
        λ of the function that each dimension stands for; 1 is the smoothest.
    offset : float array (d,) or None
        What is taken off after the product, where the documents were centred.
    vocabulary : array of str, or None
        The name of each term.
    made_by : dict
        How it was made: route, solver, iterations, error reached.
    """

    weights: FloatArray
    values: FloatArray
    offset: FloatArray | None = None
    vocabulary: Any = None
    made_by: dict[str, Any] = field(default_factory=dict)

    @property
    def n_terms(self) -> int:
        """How many terms a document is made of."""
        return int(self.weights.shape[0])

    @property
    def n_dimensions(self) -> int:
        """How many numbers a document becomes."""
        return int(self.weights.shape[1])

    def named(self, vocabulary: ArrayLike) -> Projection:
        """Return the same projection with a name for each term."""
        names = np.asarray(vocabulary, dtype=object)
        if names.shape != (self.n_terms,):
            raise BadParameter(f"the vocabulary must name {self.n_terms} terms, got shape {names.shape}.")
        return replace(self, vocabulary=names)

    def transform(self, X: ArrayLike) -> FloatArray:
        """Place documents: x A for each row, the same bits whatever the other rows are.

        A document without words is placed at zero.
        """
        return embed(self, self._check(X))

    def top_terms(self, dimension: int, limit: int = 10) -> list[tuple[str, float]]:
        """The words that move a document most along one dimension, with their weights, heaviest first."""
        column = self.weights[:, self._dimension(dimension)]
        order = np.argsort(-np.abs(column), kind="stable")[: check_count("limit", limit)]
        return [(self._name(t), float(column[t])) for t in order if column[t] != 0]

    def explain(self, x: ArrayLike, dimension: int) -> Explanation:
        """Take one coordinate of one document apart: word t contributes x_t A_tj (P8)."""
        terms, counts = self._words(x)
        j = self._dimension(dimension)
        parts = counts * self.weights[terms, j]
        names = tuple(self._name(t) for t in terms)
        if self.offset is not None and len(terms):
            parts, names = np.append(parts, -self.offset[j]), (*names, "(centre)")
        return _added_up(names, parts)

    def explain_similarity(self, x: ArrayLike, other: ArrayLike) -> Explanation:
        """Take the cosine of two documents in the subspace apart by the words of the first (P9).

        Word t contributes x_t (A z)_t / ‖xA‖ with z the other document's place scaled to length one.
        """
        here, there = self.transform(_one_row(x)).ravel(), self.transform(_one_row(other)).ravel()
        lengths = np.linalg.norm(here) * np.linalg.norm(there)
        return self.explain_along(x, there / lengths if lengths > 0 else np.zeros_like(there))

    def explain_along(self, x: ArrayLike, direction: FloatArray) -> Explanation:
        """Take how far one document lies along a direction of the subspace apart by its words: word t contributes x_t (A z)_t.

        Parameters
        ----------
        x : one row
        direction : float array (d,)
            z; of any length.
        """
        terms, counts = self._words(x)
        parts = counts * (self.weights[terms] @ direction)
        names = tuple(self._name(t) for t in terms)
        if self.offset is not None and len(terms):
            parts, names = np.append(parts, -(self.offset @ direction)), (*names, "(centre)")
        return _added_up(names, parts)

    def _words(self, x: ArrayLike) -> tuple[Any, FloatArray]:
        row = sp.csr_array(self._check(_one_row(x)))
        return row.indices, row.data.astype(np.float64)

    def _check(self, X: ArrayLike) -> Terms:
        X = check_terms(X, "the documents to place")
        if X.shape[1] != self.n_terms:
            raise BadData(f"X has {X.shape[1]} features, but the projection is expecting {self.n_terms} features as input.")
        return X

    def _dimension(self, dimension: int) -> int:
        j = check_count("dimension", dimension, 0)
        if j >= self.n_dimensions:
            raise BadParameter(f"dimension {j} does not exist: the projection has dimensions 0 to {self.n_dimensions - 1}.")
        return j

    def _name(self, term: int) -> str:
        return str(self.vocabulary[term]) if self.vocabulary is not None else f"term {term}"

    def __repr__(self) -> str:
        return f"Projection({self.n_terms:,} terms -> {self.n_dimensions} dimensions, {self.made_by.get('route', 'given')})"


def embed(projection: Projection, X: Terms) -> FloatArray:
    """As :meth:`Projection.transform`, for a matrix of the same terms that ``check_terms`` has returned."""
    if sp.issparse(X):
        return _embed_sparse(projection, X)
    blocks = [_embed_sparse(projection, sp.csr_array(X[i : i + BLOCK])) for i in range(0, X.shape[0], BLOCK)]
    return np.concatenate(blocks)


def _embed_sparse(projection: Projection, rows: Terms) -> FloatArray:
    embedded = np.asarray(rows @ projection.weights)
    if projection.offset is not None:
        embedded[np.diff(rows.indptr) > 0] -= projection.offset
    return embedded


def _one_row(x: ArrayLike) -> Any:
    row = np.atleast_2d(np.asarray(x)) if not sp.issparse(x) else x.reshape(1, -1) if x.ndim == 1 else x
    if row.shape[0] != 1:
        raise BadData(f"an explanation is of one document, got {row.shape[0]} rows. Use X[[i]] for document i.")
    return row


def _added_up(names: tuple[str, ...], parts: FloatArray) -> Explanation:
    """Sum in the order of the words, as the product itself does, so that parts and total agree to the last bit."""
    total = 0.0
    for part in parts:
        total += part
    return Explanation(names, parts, float(total))


def say_zero_map(X: Terms, A: FloatArray, expected: float, alpha: float) -> None:
    """Warn when no document can land farther from zero than a 1e-12th of what is expected."""
    if expected > 0 and np.abs(A).max(initial=0.0) * largest_entry(X)[0] <= NOTHING * expected:
        warn(
            f"every document lands on zero, to {NOTHING:.0e}: alpha={alpha:g} leaves no weight on any word. Use a smaller alpha.",
            ZeroMap,
        )
