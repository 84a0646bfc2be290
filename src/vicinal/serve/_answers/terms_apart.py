"""Terms that set some documents apart from others: how much more of the documents of one group have them than of the other.

The score is the log-odds ratio of two groups under a prior that is the whole index, divided by its standard error (Monroe, Colaresi
and Quinn 2008, formulas 16 and 22), of how many documents have a term: a document that repeats a term counts once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vicinal._typing import FloatArray, IntArray
from vicinal.serve._state import State

#: How many documents the prior counts for.
PRIOR = 10.0
#: Terms of a scatter plot of two groups.
SCATTER = 500


@final
@dataclass(frozen=True, eq=False)
class Contrast:
    """Two groups of documents, term by term.

    Attributes
    ----------
    one, other : float array (terms,)
        The share of the documents of each group that have a term.
    score : float array (terms,)
        Standard errors by which a term is more frequent in one than in the other.
    forms : array of str (terms,)
        The terms as they are shown.
    sizes : tuple of (int, int)
        Documents of the groups that are embedded.
    """

    one: FloatArray
    other: FloatArray
    score: FloatArray
    forms: Any
    sizes: tuple[int, int]

    def terms(self, limit: int, *, of_other: bool = False) -> list[list[object]]:
        """The terms that set one group apart from the other, with their scores."""
        score = -self.score if of_other else self.score
        order = np.argsort(-score, kind="stable")[:limit]
        return [[str(self.forms[i]), float(score[i])] for i in order if score[i] > 0]

    def scatter(self) -> list[dict[str, object]]:
        """The terms that tell most of either group, with the shares of the documents that have them."""
        order = np.argsort(-np.abs(self.score), kind="stable")[:SCATTER]
        return [
            {
                "term": str(self.forms[i]),
                "one": float(self.one[i]),
                "other": float(self.other[i]),
                "score": float(self.score[i]),
            }
            for i in order
            if self.score[i] != 0
        ]


def contrast(state: State, one: IntArray, other: IntArray | None = None) -> Contrast:
    """Compare two groups of documents.

    Parameters
    ----------
    state : State
    one : int array
        Rows of documents.
    other : int array, optional
        Rows of others; by default all that are not in the first group.
    """
    state.index_state.require_fitted("compare documents")
    first = state.embedded_among(one)
    everything = np.arange(len(state.embedded))
    second = np.setdiff1d(everything, first) if other is None else state.embedded_among(other)
    n_one, n_other, n_all = len(first), len(second), len(everything)
    having_any = state.once("frequencies", lambda: _frequencies(state, everything))
    having = _frequencies(state, first)
    having_other = having_any - having if other is None else _frequencies(state, second)
    score = _log_odds(having, n_one, having_other, n_other, having_any / max(n_all, 1))
    shares = having / max(n_one, 1), having_other / max(n_other, 1)
    return Contrast(*shares, score, state.index_state.model.vocabulary.forms, (n_one, n_other))


def _frequencies(state: State, rows: IntArray) -> FloatArray:
    """How many of some documents have each term."""
    counts = state.index_state.rows.counts
    chosen = counts if len(rows) == counts.shape[0] else counts[rows]
    return np.bincount(chosen.indices, minlength=counts.shape[1]).astype(np.float64)


def _log_odds(one: FloatArray, n_one: int, other: FloatArray, n_other: int, share: FloatArray) -> FloatArray:
    """Standard errors between the log-odds of two groups; 0 where a group is empty, and for terms of one document alone."""
    if not n_one or not n_other:
        return np.zeros(len(one))
    prior = PRIOR * np.clip(share, 1e-12, 1 - 1e-12)
    odds, errors = np.zeros(len(one)), np.zeros(len(one))
    for sign, having, n in ((1.0, one, n_one), (-1.0, other, n_other)):
        with_it, without = having + prior, n - having + PRIOR - prior
        odds = odds + sign * np.log(with_it / without)
        errors = errors + 1.0 / with_it + 1.0 / without
    return np.where(one + other > 1, odds / np.sqrt(errors), 0.0)
