"""The number of components: how many of a graph's smoothest functions two halves of the documents have in common (P42, P43)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from vicinal._choice import Choice
from vicinal._threads import single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, IntArray, Terms
from vicinal._validate import check_count, check_terms
from vicinal.graph import AgreementGraph, ClassGraph, Graph
from vicinal.graph._graph import GraphInput, graph_of_documents
from vicinal.projection._model_selection.held_out import ridge_scale
from vicinal.projection._model_selection.validation_split import DEPENDENT, FEWEST, PER_COMPONENT, largest_pieces
from vicinal.projection._products import Products
from vicinal.projection._solvers.cgls import cgls
from vicinal.spectrum._solve import smoothest

LOOKED_AT = 50  # functions of each half: among many more, what halves share in detail outweighs what they are about
FEWEST_FUNCTIONS = 4  # below which there is no telling
SPLITS, ENOUGH = 3, 20_000  # three ways to halve the documents, fewer where there are so many that it takes long
MAP_TOL, MAP_LIMIT = 1e-2, 50  # of the regression of a half, which need not be exact
TOLERANCE = 1e-6  # of the functions of a half

NAME = "n_components"
FEW_DOCUMENTS = "is the default: there are too few documents, or too few edges between them, for a validation set"
SCORE = "number of functions shared by two halves of the documents, above an even share"


def choose_n_components(
    X: ArrayLike, graph: GraphInput, most: int, *, usual: int = 30, apart: bool = False, n_jobs: int | None = None
) -> Choice:
    """Choose how many of the smoothest functions of a graph terms can predict for documents that were held out (P43).

    The documents are split into halves; the functions of one half are regressed onto terms and compared with the functions that
    the other half has by its own graph.

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    graph : Graph or symmetric matrix
        Neighbour graph of these documents. For a class graph there is nothing to choose: one component less than there are classes.
    most : int
        Largest number to choose; above 50 no more are compared.
    usual : int, default=30
        The number where halves cannot be compared, for want of documents or of functions; less where an agreement graph has fewer
        functions.
    apart : bool, default=False
        Use the functions that vary inside connected components, as ``disconnected="apart"`` does.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Returns
    -------
    Choice
        The median of the numbers that each half gives, with the range from the smallest to the largest.

    Raises
    ------
    BadData
        X is no matrix of finite numbers.
    BadParameter
        ``most`` or ``usual`` is no count, or the graph is of another number of documents.

    See Also
    --------
    vicinal.RLPI : Chooses its number of components this way with ``n_components="auto"``.

    References
    ----------
    .. [1] docs/maths/projection.md, "Choosing without labels" (P43).

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal import graph, projection
    >>> X = np.random.RandomState(0).poisson(0.5, (60, 20)) + 0.1
    >>> choice = projection.choose_n_components(X, graph.knn(X, 5), 10)
    >>> 1 <= choice.chosen <= 10
    True
    """
    checked = check_terms(X, "the choice of n_components")
    edges, most = graph_of_documents(graph, checked.shape[0]), check_count("most", most)
    return n_components_of_checked(checked, edges, most, usual=check_count("usual", usual), apart=apart, n_jobs=n_jobs)


def n_components_of_checked(
    X: Terms, graph: Graph, most: int, *, usual: int = 30, apart: bool = False, n_jobs: int | None = None
) -> Choice:
    """As :func:`choose_n_components`, for a matrix that ``check_terms`` has returned, and a graph of its documents."""
    if isinstance(graph, ClassGraph):
        return _of_classes(int(graph.connected_components.max()), most)
    with single_threaded_libraries():
        shared = list(_shared_by_halves(X, graph, min(LOOKED_AT, most), apart, n_jobs))
    if shared:
        return _median_choice(shared)
    if isinstance(graph, AgreementGraph):
        return _of_agreement(len(smoothest(graph, min(usual, most), disconnected="apart" if apart else "keep", quiet=True)), most)
    return _without_validation(most, min(usual, most), FEW_DOCUMENTS)


def components_in_common(F: FloatArray, V: FloatArray, degrees: FloatArray) -> FloatArray:
    """Number of components that the first d columns of F, centred, and the first d of V share, for every d (P42)."""
    F = F - (degrees @ F) / degrees.sum()
    weighted = degrees[:, None] * V
    (scale, L), (other, M) = _factor(F.T @ (degrees[:, None] * F)), _factor(V.T @ weighted)
    half = solve_triangular(L, (F.T @ weighted) * np.outer(scale, other), lower=True)
    cosines = solve_triangular(M, half.T, lower=True)
    return np.asarray(np.cumsum(np.cumsum(cosines**2, axis=0), axis=1).diagonal())


def _factor(gram: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Scales that make the diagonal one, and the Cholesky factor of what they make of the rest: its first rows are Gram-Schmidt."""
    lengths = np.sqrt(np.maximum(gram.diagonal(), 0.0))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return scale, cholesky(gram * np.outer(scale, scale) + DEPENDENT * np.eye(len(gram)), lower=True)


@final
@dataclass(frozen=True, eq=False)
class _Half:
    """Half of the documents, without the small pieces that lost their neighbours to the other half."""

    documents: IntArray
    graph: Graph
    functions: FloatArray

    @staticmethod
    def of(graph: Graph, documents: IntArray, count: int, apart: bool) -> _Half | None:
        """A half of the documents with its spectrum; None where too little of the graph is left."""
        among = graph.restrict(documents)
        whole = largest_pieces(among, graph.connected_components[documents])
        count = min(count, len(whole) // PER_COMPONENT)
        if len(whole) < FEWEST or count < 1:
            return None
        core = among.restrict(whole)
        spectrum = smoothest(core, count, disconnected="apart" if apart else "keep", tol=TOLERANCE, quiet=True)
        return _Half(documents[whole], core, spectrum.vectors)


def _shared_by_halves(X: Terms, graph: Graph, count: int, apart: bool, n_jobs: int | None) -> Iterator[FloatArray]:
    """The shared components of both halves of each split: one predicts by terms, the other has them by its own graph."""
    in_graph, alpha = np.flatnonzero(graph.has_edges), ridge_scale(X, graph.has_edges)
    random, middle = np.random.RandomState(0), len(in_graph) // 2
    for _ in range(int(np.clip(ENOUGH // max(len(in_graph), 1), 1, SPLITS))):
        order = in_graph[random.permutation(len(in_graph))]
        sides = [_Half.of(graph, part, count, apart) for part in (order[:middle], order[middle:])]
        if sides[0] is None or sides[1] is None:
            continue
        d = min(side.functions.shape[1] for side in sides if side is not None)
        for one, other in ((sides[0], sides[1]), (sides[1], sides[0])):
            if d >= FEWEST_FUNCTIONS:
                learnt = cgls(Products(X[one.documents], None, n_jobs), one.functions[:, :d], alpha, MAP_TOL, MAP_LIMIT)
                embeddings = Products(X[other.documents], None, n_jobs).forward(learnt.weights)
                yield components_in_common(embeddings, other.functions[:, :d], other.graph.degrees)


def _median_choice(shared: list[FloatArray]) -> Choice:
    """Each half gives the d at which most is shared beyond an even share (P43); their median is chosen."""
    d = min(map(len, shared))
    scores = np.array([each[:d] - np.arange(1, d + 1) * each[d - 1] / d for each in shared])
    best = np.argmax(scores, axis=1) + 1
    chosen = round(float(np.exp(np.median(np.log(best)))))
    found = Choice.of(NAME, np.arange(1, d + 1), scores.mean(axis=0), score=SCORE, higher_is_better=True, chosen=chosen)
    low, high = int(best.min()), int(best.max())
    if chosen == d:  # where nothing ever rises above an even share
        why = f"{NAME}={d}, the largest candidate: in most halves no smaller number has a higher {SCORE}."
        return replace(found, low=1, high=d, why=why)
    why = (
        f"{NAME}={chosen} chosen automatically: the median of the numbers from 1 to {d} with the highest {SCORE}, of "
        f"{len(best)} halves, which range from {low} to {high}."
    )
    return replace(found, low=low, high=high, why=why)


def _of_classes(functions: int, most: int) -> Choice:
    chosen = min(functions, most)
    why = f"{NAME}={chosen}: {functions + 1} classes leave {functions} functions, of which terms can represent {chosen}."
    return Choice.of(NAME, [chosen], [np.nan], score=SCORE, higher_is_better=True, why=why)


def _of_agreement(functions: int, most: int) -> Choice:
    """The number of functions of an agreement graph, which has few where clusterings agree."""
    reason = (
        f"is the number of functions of the agreement graph, up to the default: halves of the documents could not be compared, "
        f"since each needs at least {FEWEST_FUNCTIONS} functions and enough documents for them"
    )
    return _without_validation(most, max(1, functions), reason)


def _without_validation(most: int, chosen: int, reason: str) -> Choice:
    candidates = np.arange(1, most + 1)
    why = f"{NAME}={chosen} {reason}."
    nothing = Choice.of(NAME, candidates, np.full(most, np.nan), score=SCORE, higher_is_better=True, chosen=chosen, why=why)
    return replace(nothing, low=1, high=most)
