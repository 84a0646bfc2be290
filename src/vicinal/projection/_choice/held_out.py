"""A ridge penalty, and a number of words, for the functions of a graph: judged on documents held out (P39, P40, P41)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

from vicinal._choice import Choice
from vicinal._matrix import row_norms
from vicinal._typing import ArrayLike, BoolArray, FloatArray, IntArray, Terms
from vicinal._validate import check_count, check_number
from vicinal.graph._graph import Graph
from vicinal.projection._choice.split import SCORE, Half, Moments, halves, judged
from vicinal.projection._penalty import DEFAULT_SHARED_WORDS, DEFAULT_WORDS, Ridge
from vicinal.projection._solvers.exchange import Fitting
from vicinal.projection._solvers.krylov import lanczos
from vicinal.projection._solvers.lars import Knot
from vicinal.projection._solvers.lasso import follow
from vicinal.projection._solvers.row_lasso import rough_path
from vicinal.projection._solvers.row_space import row_space

EXACT_SIZE = 800  # documents or terms up to which the Gram matrix is decomposed
POWERS = np.arange(-6, 7) / 2.0  # of ten: a thousandth of the mean squared length of a document to a thousand times that
WORDS = (1, 2, 5, 10, 20, 50, 100)  # per dimension, to try
SHARED_WORDS = (30, 100, 300, 1000, 3000)  # for all dimensions together, to try
BETWEEN = 3  # batches in which words join from one candidate to the next

#: Given a half, numbers of words and ρ: sparse weights (terms x dimensions), one per number.
Maps = Callable[[Half, IntArray, float], list[Terms]]


def ridge_candidates(X: Terms, among: BoolArray | None = None) -> FloatArray:
    """Penalties to try: half powers of ten times :func:`ridge_scale`, which is 1 for rows of length one (P37)."""
    return np.asarray(ridge_scale(X, among) * 10.0**POWERS)


def ridge_scale(X: Terms, among: BoolArray | None = None) -> float:
    """The mean squared length of a document, of some or all, in six digits: what a penalty is to be compared with (P2)."""
    lengths = row_norms(X) if among is None else row_norms(X)[among]
    return float(f"{float(np.mean(lengths**2)) or 1.0:.6g}")


def _check_penalties(candidates: ArrayLike) -> FloatArray:
    """Return penalties as an array; refuse one that is not above zero."""
    return np.array([check_number("each candidate of alpha", alpha, above=True) for alpha in candidates])


def choose_alpha(X: Terms, graph: Graph, n_components: int, candidates: ArrayLike | None = None, **options: Any) -> Choice:
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
    candidates = ridge_candidates(X, graph.placed) if candidates is None else _check_penalties(candidates)

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


def choose_n_terms(
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
        As for :func:`choose_alpha`.
    candidates : array of int
        Of them, those that the vocabulary has words for. One path of the lasso serves all.
    ridge : float
        ρ of (P16).
    """
    counts = _counts(candidates, X.shape[1])
    return _fewest_words(X, graph, n_components, counts, word_maps, DEFAULT_WORDS, ridge, options)


def choose_n_shared_terms(
    X: Terms,
    graph: Graph,
    n_components: int,
    candidates: ArrayLike = SHARED_WORDS,
    *,
    ridge: float = 0.1,
    priced: bool = False,
    **options: Any,
) -> Choice:
    """Choose how many words all dimensions together need: the fewest that keep 98 % of the smoothness on documents held out (P41).

    Parameters
    ----------
    X, graph, n_components, **options
        As for :func:`choose_alpha`.
    candidates : array of int
        Of them, those up to the number of words and of documents. One path serves all.
    ridge : float
        ρ of (P24), or of (P21).
    priced : bool
        Words pay for the length of their rows, as for FSSL; or they join by what they gain, as for LPFL, with no exchange of words.
    """
    maps = priced_maps if priced else joined_maps
    counts = _counts(candidates, max(1, min(int(graph.placed.sum()), X.shape[1])))
    return _fewest_words(X, graph, n_components, counts, maps, DEFAULT_SHARED_WORDS, ridge, options)


def _counts(candidates: ArrayLike, most: int) -> IntArray:
    return np.unique([min(check_count("each candidate of n_terms", count), most) for count in candidates])


def _fewest_words(
    X: Terms, graph: Graph, n_components: int, counts: IntArray, maps: Maps, usual: int, ridge: float, options: dict[str, Any]
) -> Choice:
    def learn(half: Half) -> list[Moments]:
        return [half.moments((half.judge.X @ weights).toarray()) for weights in maps(half, counts, ridge)]

    found = judged("n_terms", counts, halves(X, graph, n_components, **options), learn, fewest=True)
    return _unjudged("n_terms", counts, _usual(counts, usual)) if found is None else found


def joined_maps(half: Half, counts: IntArray, ridge: float) -> list[Terms]:
    """Weights after words have joined in batches, those of one number among those of the next (P25)."""
    sizes = np.unique([*counts, *np.geomspace(1, counts[-1], BETWEEN * len(counts)).astype(int)])
    fits = Fitting(half.teach, half.responses, ridge).joining(sizes)
    kept = [fit for size, fit in zip(sizes, fits, strict=True) if size in counts]
    return [_rows(fit.words, fit.weights, half.teach.shape[1]) for fit in kept]


def priced_maps(half: Half, counts: IntArray, ridge: float) -> list[Terms]:
    """Weights of the row lasso along its path (P23), roughly solved."""
    return [sp.csr_array(weights) for weights in rough_path(half.teach, half.responses, counts, ridge)]


def _rows(words: IntArray, weights: FloatArray, n_columns: int) -> Terms:
    """Weights of some words, at their places among all."""
    starts = np.zeros(n_columns + 1, dtype=np.int64)
    starts[words + 1] = weights.shape[1]
    columns = np.tile(np.arange(weights.shape[1]), len(words))
    return sp.csr_array((weights.ravel(), columns, np.cumsum(starts)), shape=(n_columns, weights.shape[1]))


def word_maps(half: Half, counts: IntArray, ridge: float) -> list[Terms]:
    """Sparse weights (terms x dimensions) with so many words per dimension, along one path of the lasso for each response (P19)."""
    against = half.teach.backward(half.responses)
    paths = [
        follow(half.teach, y, np.ascontiguousarray(correlations), int(max(counts)), 0.0, ridge)[0]
        for y, correlations in zip(half.responses.T.copy(), against.T, strict=True)
    ]
    return [_columns([_before_more(knots, count) for knots in paths], half.teach.shape[1]) for count in counts]


def _columns(knots: list[Knot], n_columns: int) -> Terms:
    """One knot, one column."""
    starts = np.cumsum([0, *(len(knot.words) for knot in knots)])
    words, weights = (np.concatenate(parts) for parts in zip(*((knot.words, knot.weights) for knot in knots), strict=True))
    return sp.csc_array((weights, words, starts), shape=(n_columns, len(knots)))


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
