"""Joint rows: the terms and the components of a document side by side, so that one linear model weighs both (K1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr, row_norms, small_indices
from vicinal._typing import FloatArray, SparseMatrix, Terms
from vicinal.projection import LinearMap
from vicinal.projection._projection import embed

SHORTEST = 0.1  # that a row counts for; training rows have length one on average


@final
@dataclass(frozen=True, eq=False)
class JointRows:
    """Terms times √(1 - share), and components times √share and a factor that makes both equally long on average.

    Attributes
    ----------
    projection : LinearMap or None
        From terms to the embedding of all documents; None where there is none, and the share is 0.
    share : float
        The share of the embedding in the product of two rows, from 0 to 1.
    factor : float
        By which components are multiplied: their mean squared length becomes that of the terms.
    """

    projection: LinearMap | None
    share: float
    factor: float

    def of(self, X: Terms) -> SparseMatrix:
        """The joint row of each document, (documents, terms + components)."""
        terms = csr(csr(X) * np.sqrt(1.0 - self.share))
        if self.projection is None or self.share == 0:
            return small_indices(terms)
        components = csr(embed(self.projection, X) * (self.factor * np.sqrt(self.share)))
        return small_indices(csr(sp.hstack([terms, components])))

    def lengths(self, X: Terms) -> FloatArray:
        """The length of each joint row, and a tenth of the usual one where it is less: of so little nothing can be certain."""
        squares = (1.0 - self.share) * row_norms(X) ** 2
        if self.projection is not None and self.share > 0:
            squares = squares + self.share * (self.factor * row_norms(embed(self.projection, X))) ** 2
        return np.asarray(np.maximum(np.sqrt(squares), SHORTEST))

    def to_terms(self, weights: FloatArray, intercepts: FloatArray, n_terms: int) -> LinearMap:
        """The map from terms alone that gives the same scores as weights of joint rows, (classes, columns) (K2)."""
        of_terms = np.sqrt(1.0 - self.share) * weights[:, :n_terms].T
        if weights.shape[1] > n_terms and self.projection is not None:
            direction = self.factor * np.sqrt(self.share) * weights[:, n_terms:].T
            offset = self.projection.offset
            of_terms = of_terms + self.projection.weights @ direction
            intercepts = intercepts if offset is None else intercepts - offset @ direction
        vocabulary = None if self.projection is None else self.projection.vocabulary
        return LinearMap(np.ascontiguousarray(of_terms), -intercepts, vocabulary)


def joined(projection: LinearMap | None, X: Terms) -> JointRows:
    """Joint rows of share 0, with the factor that training documents ask for."""
    if projection is None:
        return JointRows(None, 0.0, 1.0)
    terms, components = (float(np.mean(row_norms(rows) ** 2)) for rows in (X, embed(projection, X)))
    return JointRows(projection, 0.0, float(np.sqrt(terms / components)) if components > 0 else 1.0)
