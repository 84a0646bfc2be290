"""A ridge penalty, and a number of words, for the functions of a graph: judged on documents held out (P39, P40)."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from vicinal.choice import Choice
from vicinal.graph.graph import Graph
from vicinal.projection.choose import EXACT_SIZE, check_penalties, ridge_candidates, ridge_scale
from vicinal.projection.halves import SCORE, Half, Moments, halves, judged
from vicinal.projection.krylov import lanczos
from vicinal.projection.lars import Knot
from vicinal.projection.lasso import follow
from vicinal.projection.penalty import DEFAULT_WORDS, Ridge
from vicinal.projection.rowspace import row_space
from vicinal.typing import ArrayLike, FloatArray, Terms
from vicinal.validate import check_count

WORDS = (1, 2, 5, 10, 20, 50, 100)  # per dimension, to try


def choose_alpha_held_out(X: Terms, graph: Graph, n_components: int, candidates: ArrayLike | None = None, **options: Any) -> Choice:
    """Choose the ridge penalty whose map, learnt from half of the documents, is smoothest on the graph of the others (P39).

    Parameters
    ----------
    X : documents x terms
    graph : Graph
        Among these documents.
    n_components : int
        How many of its smoothest functions the map is to follow.
    candidates : array, optional
        Greater than 0; by default half powers of ten times the mean squared length of a document.
    **options
        ``center``, ``apart`` (the functions vary inside components) and ``n_jobs``.
    """
    candidates = ridge_candidates(X, graph.placed) if candidates is None else check_penalties(candidates)

    def learn(half: Half) -> list[Moments]:
        exact = min(half.teach.shape) <= EXACT_SIZE
        return _exact_path(half, candidates) if exact else _krylov_path(half, candidates)

    found = judged("alpha", candidates, halves(X, graph, n_components, **options), learn)
    return (
        _unjudged("alpha", candidates, _usual(candidates, Ridge().alpha * ridge_scale(X, graph.placed))) if found is None else found
    )


def _exact_path(half: Half, candidates: FloatArray) -> list[Moments]:
    """By X = U S Vᵀ of the documents that teach (P2)."""
    space = row_space(half.teach)
    inside, squares = space.project(half.responses), space.singular[:, None] ** 2
    weights = (space.lift(squares / (squares + alpha) * inside) for alpha in candidates)
    return [half.moments(half.judge.forward(A)) for A in weights]


def _krylov_path(half: Half, candidates: FloatArray) -> list[Moments]:
    """By one sequence: A = Xᵀ (X Xᵀ + αI)^-1 Y is a combination of the Xᵀ Q that it passes by, and so are the places (P38)."""
    places: list[FloatArray] = []
    seen = lanczos(half.teach, half.responses, lambda back: places.append(half.judge.forward(back)))
    moments = half.moments(np.column_stack(places))
    return [moments.through(seen.solved(alpha)) for alpha in candidates]


def choose_words(
    X: Terms,
    graph: Graph,
    n_components: int,
    candidates: ArrayLike = WORDS,
    *,
    ridge: float = 0.0,
    **options: Any,
) -> Choice:
    """Choose how many words each dimension needs: the fewest that keep 98 % of the smoothness on documents held out (P40).

    Parameters
    ----------
    X, graph, n_components, **options
        As for :func:`choose_alpha_held_out`.
    candidates : array of int
        Of them, those that the vocabulary has words for. One path of the lasso serves all.
    ridge : float
        ρ of (P16).
    """
    counts = np.unique([min(check_count("each candidate of n_words", count), X.shape[1]) for count in candidates])

    def learn(half: Half) -> list[Moments]:
        return [half.moments((half.judge.X @ weights).toarray()) for weights in word_maps(half, counts, ridge)]

    found = judged("n_words", counts, halves(X, graph, n_components, **options), learn, fewest=True)
    return _unjudged("n_words", counts, _usual(counts, DEFAULT_WORDS)) if found is None else found


def word_maps(half: Half, counts: Any, ridge: float) -> list[Terms]:
    """Sparse weights (terms x dimensions) with so many words per dimension, along one path of the lasso for each response (P19)."""
    against = half.teach.backward(half.responses)
    paths = [
        follow(half.teach, y, np.ascontiguousarray(correlations), int(max(counts)), 0.0, ridge)[0]
        for y, correlations in zip(half.responses.T.copy(), against.T, strict=True)
    ]
    return [_columns([_before_more(knots, count) for knots in paths], half.teach.shape[1]) for count in counts]


def _columns(knots: list[Knot], n_terms: int) -> Terms:
    """One knot, one column."""
    starts = np.cumsum([0, *(len(knot.words) for knot in knots)])
    words, weights = (np.concatenate(parts) for parts in zip(*((knot.words, knot.weights) for knot in knots), strict=True))
    return sp.csc_array((weights, words, starts), shape=(n_terms, len(knots)))


def _before_more(knots: list[Knot], count: int) -> Knot:
    """The knot at which a word would enter as number ``count + 1`` for the first time; the last one where that never happens."""
    sizes = np.array([len(knot.words) for knot in knots])
    more = np.flatnonzero(sizes > count)
    return knots[int(more[0]) - 1 if more.size else -1]


def _usual(candidates: Any, default: float) -> Any:
    """The candidate nearest to the default by ratio."""
    return candidates[int(np.argmin(np.abs(np.log(candidates / default))))].item()


def _unjudged(name: str, candidates: Any, chosen: Any) -> Choice:
    why = (
        f"{name}={chosen:g} is what is usual: there are too few documents, or too few edges between them, to hold half of them out."
    )
    scores = np.full(len(candidates), np.nan)
    return Choice(name, candidates, scores, chosen, candidates.min().item(), candidates.max().item(), SCORE, True, why)
