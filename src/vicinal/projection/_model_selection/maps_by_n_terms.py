"""Weights of a projection at each of several numbers of terms, learnt from one training part (P19, P23, P25)."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import csr
from vicinal._typing import FloatArray, IntArray, SparseMatrix
from vicinal.projection._model_selection.validation_split import Split
from vicinal.projection._solvers.lars import Knot
from vicinal.projection._solvers.lasso import follow
from vicinal.projection._solvers.row_lasso import rough_path
from vicinal.projection._solvers.subset_exchange import Fitting

BETWEEN = 3  # batches in which terms are added from one candidate to the next


def forward_maps(split: Split, counts: IntArray, ridge: float) -> list[SparseMatrix]:
    """Weights along forward selection in batches, the terms of one number among those of the next (P25)."""
    sizes = np.unique([*counts, *np.geomspace(1, counts[-1], BETWEEN * len(counts)).astype(int)])
    fits = Fitting(split.train, split.responses, ridge).joining(sizes)
    kept = [fit for size, fit in zip(sizes, fits, strict=True) if size in counts]
    return [_rows(fit.terms, fit.weights, split.train.shape[1]) for fit in kept]


def row_lasso_maps(split: Split, counts: IntArray, ridge: float) -> list[SparseMatrix]:
    """Weights of the row lasso along its path (P23), solved to a rough tolerance."""
    return [sp.csr_array(weights) for weights in rough_path(split.train, split.responses, counts, ridge)]


def _rows(terms: IntArray, weights: FloatArray, n_columns: int) -> SparseMatrix:
    """Weights of some terms as a sparse matrix of all."""
    starts = np.zeros(n_columns + 1, dtype=np.int64)
    starts[terms + 1] = weights.shape[1]
    columns = np.tile(np.arange(weights.shape[1]), len(terms))
    return csr((weights.ravel(), columns, np.cumsum(starts)), shape=(n_columns, weights.shape[1]))


def term_maps(split: Split, counts: IntArray, ridge: float) -> list[SparseMatrix]:
    """Sparse weights (terms x components) with so many terms per component, along one lasso path for each response (P19)."""
    against = split.train.backward(split.responses)
    paths = [
        follow(split.train, y, np.ascontiguousarray(correlations), int(max(counts)), 0.0, ridge)[0]
        for y, correlations in zip(split.responses.T.copy(), against.T, strict=True)
    ]
    return [_columns([_before_more(knots, count) for knots in paths], split.train.shape[1]) for count in counts]


def _columns(knots: list[Knot], n_columns: int) -> SparseMatrix:
    """One knot, one column."""
    starts = np.cumsum([0, *(len(knot.terms) for knot in knots)])
    terms, weights = (np.concatenate(parts) for parts in zip(*((knot.terms, knot.weights) for knot in knots), strict=True))
    columns: SparseMatrix = sp.csc_array((weights, terms, starts), shape=(n_columns, len(knots)))
    return columns


def _before_more(knots: list[Knot], count: int) -> Knot:
    """The knot at which a term would enter as number ``count + 1`` for the first time; the last one where that never happens."""
    sizes = np.array([len(knot.terms) for knot in knots])
    more = np.flatnonzero(sizes > count)
    return knots[int(more[0]) - 1 if more.size else -1]
