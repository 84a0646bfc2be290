"""The ridge penalty, or the number of terms, chosen by held-out validation (P39, P40, P41)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from vicinal._choice import Choice
from vicinal._matrix import dense, row_norms
from vicinal._typing import ArrayLike, BoolArray, FloatArray, IntArray, SparseMatrix, Terms
from vicinal._validate import check_count, check_number, check_terms
from vicinal.graph import Graph
from vicinal.graph._graph import GraphInput, graph_of_documents
from vicinal.projection._model_selection.maps_by_n_terms import forward_maps, row_lasso_maps, term_maps
from vicinal.projection._model_selection.validation_split import SCORE, Moments, Split, train_validation_splits, validated
from vicinal.projection._penalty import DEFAULT_TERMS, Ridge
from vicinal.projection._row_penalty import DEFAULT_SHARED_TERMS
from vicinal.projection._solvers.krylov import lanczos
from vicinal.projection._solvers.row_space import row_space

EXACT_SIZE = 800  # documents or terms up to which the Gram matrix is decomposed
POWERS = np.arange(-6, 7) / 2.0  # of ten: a thousandth of the mean squared length of a document to a thousand times that
TERMS = (1, 2, 5, 10, 20, 50, 100)  # candidates for the number of terms per component
SHARED_TERMS = (30, 100, 300, 1000, 3000)  # candidates for the number of terms of all components together

#: Given a split, numbers of terms and ρ: sparse weights (terms x components), one matrix per number.
Maps = Callable[[Split, IntArray, float], list[SparseMatrix]]


def ridge_candidates(X: Terms, among: BoolArray | None = None) -> FloatArray:
    """Penalties to try: half powers of ten times :func:`ridge_scale`, which is 1 for rows of length one (P37)."""
    return np.asarray(ridge_scale(X, among) * 10.0**POWERS)


def ridge_scale(X: Terms, among: BoolArray | None = None) -> float:
    """The mean squared length of a document, of some or all, in six digits: what a penalty is to be compared with (P2)."""
    lengths = row_norms(X) if among is None else row_norms(X)[among]
    return float(f"{float(np.mean(lengths**2)) or 1.0:.6g}")


def choose_alpha(
    X: ArrayLike,
    graph: GraphInput,
    n_components: int,
    candidates: Iterable[float] | None = None,
    *,
    center: bool = False,
    apart: bool = False,
    n_jobs: int | None = None,
) -> Choice:
    """Choose the ridge penalty by held-out validation (P39).

    For each candidate a map is learnt from the neighbour graph of a training set; its score is the mean smoothness of the
    embeddings of a validation set on the neighbour graph of that set. All candidates share one factorisation of X, or one Krylov
    sequence (P38).

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    graph : Graph or symmetric matrix
        Neighbour graph of these documents.
    n_components : int
        Number of components of the map.
    candidates : array-like of float, optional
        Penalties, greater than 0; by default half powers of ten times the mean squared length of a document.
    center : bool, default=False
        Subtract the mean document first.
    apart : bool, default=False
        Use the functions that vary inside connected components, as ``disconnected="apart"`` does.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Returns
    -------
    Choice
        The chosen penalty and the scores; NaN scores, and a default, where there are too few documents for a split.

    Raises
    ------
    BadData
        X is no matrix of finite numbers.
    BadParameter
        A candidate is not above zero, ``n_components`` is no count, or the graph is of another number of documents.

    See Also
    --------
    vicinal.RLPI : Chooses its penalty this way with ``alpha="auto"``.

    References
    ----------
    .. [1] docs/maths/projection.md, "Choosing without labels" (P37 to P39).

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal import graph, projection
    >>> X = np.random.RandomState(0).poisson(0.5, (60, 20)) + 0.1
    >>> choice = projection.choose_alpha(X, graph.knn(X, 5), 2, [0.1, 1.0, 10.0])
    >>> choice.chosen in (0.1, 1.0, 10.0), choice.scores.shape
    (True, (3,))
    """
    checked = check_terms(X, "the choice of alpha")
    edges, n_components = graph_of_documents(graph, checked.shape[0]), check_count("n_components", n_components)
    return alpha_of_checked(checked, edges, n_components, candidates, center=center, apart=apart, n_jobs=n_jobs)


def alpha_of_checked(
    X: Terms,
    graph: Graph,
    n_components: int,
    candidates: Iterable[float] | None = None,
    *,
    center: bool = False,
    apart: bool = False,
    n_jobs: int | None = None,
) -> Choice:
    """As :func:`choose_alpha`, for a matrix that ``check_terms`` has returned."""
    alphas = ridge_candidates(X, graph.has_edges) if candidates is None else _penalties(candidates)

    def learn(split: Split) -> list[Moments]:
        """Fit one split at every alpha."""
        exact = min(split.train.shape) <= EXACT_SIZE
        return _exact_path(split, alphas) if exact else _krylov_path(split, alphas)

    splits = train_validation_splits(X, graph, n_components, center=center, apart=apart, n_jobs=n_jobs)
    found = validated("alpha", alphas, splits, learn)
    usual = Ridge().alpha * ridge_scale(X, graph.has_edges)
    return _default_choice("alpha", alphas, _usual(alphas, usual)) if found is None else found


def _penalties(candidates: Iterable[float]) -> FloatArray:
    """Penalties as an array; BadParameter where one is not valid."""
    return np.array([check_number("each candidate of alpha", alpha, above=True) for alpha in candidates])


def _exact_path(split: Split, candidates: FloatArray) -> list[Moments]:
    """By X = U S Vᵀ of the training set (P2)."""
    space = row_space(split.train)
    inside, squares = space.project(split.responses), space.singular[:, None] ** 2
    weights = (space.lift(squares / (squares + alpha) * inside) for alpha in candidates)
    return [split.moments(split.validation.forward(A)) for A in weights]


def _krylov_path(split: Split, candidates: FloatArray) -> list[Moments]:
    """By one block Lanczos sequence: A = Xᵀ (X Xᵀ + αI)^-1 Y is a combination of its Xᵀ Q, and so are the embeddings (P38)."""
    embeddings: list[FloatArray] = []
    seen = lanczos(split.train, split.responses, lambda back: embeddings.append(split.validation.forward(back)))
    moments = split.moments(np.column_stack(embeddings))
    return [moments.through(seen.solved(alpha)) for alpha in candidates]


def choose_n_terms(
    X: ArrayLike,
    graph: GraphInput,
    n_components: int,
    candidates: Iterable[int] = TERMS,
    *,
    ridge: float = 0.0,
    center: bool = False,
    apart: bool = False,
    n_jobs: int | None = None,
) -> Choice:
    """Choose the number of terms per component by held-out validation: the fewest that keep 98 % of the best score (P40).

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    graph : Graph or symmetric matrix
        Neighbour graph of these documents.
    n_components : int
        Number of components of the map.
    candidates : array-like of int, default=(1, 2, 5, 10, 20, 50, 100)
        Numbers of terms; those above the size of the vocabulary count as that. One lasso path per component serves all.
    ridge : float, default=0.0
        Ridge penalty ρ of the elastic net (P16).
    center : bool, default=False
        Subtract the mean document first.
    apart : bool, default=False
        Use the functions that vary inside connected components, as ``disconnected="apart"`` does.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Returns
    -------
    Choice
        The chosen number and the scores; NaN scores, and a default, where there are too few documents for a split.

    Raises
    ------
    BadData
        X is no matrix of finite numbers.
    BadParameter
        A candidate or ``n_components`` is no count, or the graph is of another number of documents.

    See Also
    --------
    vicinal.SLPI : Chooses its number of terms this way with ``n_terms="auto"``.

    References
    ----------
    .. [1] docs/maths/projection.md, "Choosing without labels" (P40).

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal import graph, projection
    >>> X = np.random.RandomState(0).poisson(0.5, (60, 20)) + 0.1
    >>> projection.choose_n_terms(X, graph.knn(X, 5), 2, [1, 5, 20]).candidates
    array([ 1,  5, 20])
    """
    checked = check_terms(X, "the choice of n_terms")
    edges, n_components = graph_of_documents(graph, checked.shape[0]), check_count("n_components", n_components)
    return n_terms_of_checked(checked, edges, n_components, candidates, ridge=ridge, center=center, apart=apart, n_jobs=n_jobs)


def n_terms_of_checked(
    X: Terms,
    graph: Graph,
    n_components: int,
    candidates: Iterable[int] = TERMS,
    *,
    ridge: float = 0.0,
    center: bool = False,
    apart: bool = False,
    n_jobs: int | None = None,
) -> Choice:
    """As :func:`choose_n_terms`, for a matrix that ``check_terms`` has returned."""
    splits = train_validation_splits(X, graph, n_components, center=center, apart=apart, n_jobs=n_jobs)
    return _fewest_terms(splits, _counts(candidates, X.shape[1]), term_maps, DEFAULT_TERMS, ridge)


def choose_n_shared_terms(
    X: ArrayLike,
    graph: GraphInput,
    n_components: int,
    candidates: Iterable[int] = SHARED_TERMS,
    *,
    ridge: float = 0.1,
    row_lasso: bool = False,
    center: bool = False,
    apart: bool = False,
    n_jobs: int | None = None,
) -> Choice:
    """Choose the number of terms of all components together by held-out validation (P41).

    The fewest that keep 98 % of the best score are chosen.

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    graph : Graph or symmetric matrix
        Neighbour graph of these documents.
    n_components : int
        Number of components of the map.
    candidates : array-like of int, default=(30, 100, 300, 1000, 3000)
        Numbers of terms; those above the number of terms or documents count as that. One path serves all.
    ridge : float, default=0.1
        Ridge penalty ρ of (P24), or of (P21).
    row_lasso : bool, default=False
        Follow the path of the row lasso, as FSSL does; by default terms are added by forward selection, as for LPFL, without the
        exchange of terms.
    center : bool, default=False
        Subtract the mean document first.
    apart : bool, default=False
        Use the functions that vary inside connected components, as ``disconnected="apart"`` does.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Returns
    -------
    Choice
        The chosen number and the scores; NaN scores, and a default, where there are too few documents for a split.

    Raises
    ------
    BadData
        X is no matrix of finite numbers.
    BadParameter
        A candidate or ``n_components`` is no count, or the graph is of another number of documents.

    See Also
    --------
    vicinal.LPFL, vicinal.FSSL : Choose their number of terms this way with ``n_terms="auto"``.

    References
    ----------
    .. [1] docs/maths/projection.md, "Choosing without labels" (P41).

    Examples
    --------
    >>> import numpy as np
    >>> from vicinal import graph, projection
    >>> X = np.random.RandomState(0).poisson(0.5, (60, 20)) + 0.1
    >>> projection.choose_n_shared_terms(X, graph.knn(X, 5), 2, [5, 20]).candidates
    array([ 5, 20])
    """
    checked = check_terms(X, "the choice of n_terms")
    edges, n_components = graph_of_documents(graph, checked.shape[0]), check_count("n_components", n_components)
    return n_shared_terms_of_checked(
        checked,
        edges,
        n_components,
        candidates,
        ridge=ridge,
        row_lasso=row_lasso,
        center=center,
        apart=apart,
        n_jobs=n_jobs,
    )


def n_shared_terms_of_checked(
    X: Terms,
    graph: Graph,
    n_components: int,
    candidates: Iterable[int] = SHARED_TERMS,
    *,
    ridge: float = 0.1,
    row_lasso: bool = False,
    center: bool = False,
    apart: bool = False,
    n_jobs: int | None = None,
) -> Choice:
    """As :func:`choose_n_shared_terms`, for a matrix that ``check_terms`` has returned."""
    counts = _counts(candidates, max(1, min(int(graph.has_edges.sum()), X.shape[1])))
    splits = train_validation_splits(X, graph, n_components, center=center, apart=apart, n_jobs=n_jobs)
    return _fewest_terms(splits, counts, row_lasso_maps if row_lasso else forward_maps, DEFAULT_SHARED_TERMS, ridge)


def _counts(candidates: Iterable[int], most: int) -> IntArray:
    return np.unique([min(check_count("each candidate of n_terms", count), most) for count in candidates])


def _fewest_terms(splits: Iterator[Split], counts: IntArray, maps: Maps, usual: int, ridge: float) -> Choice:
    def learn(split: Split) -> list[Moments]:
        """Fit one split at every number of terms."""
        return [split.moments(np.asarray(dense(split.validation.X @ weights))) for weights in maps(split, counts, ridge)]

    found = validated("n_terms", counts, splits, learn, fewest=True)
    return _default_choice("n_terms", counts, _usual(counts, usual)) if found is None else found


def _usual(candidates: FloatArray | IntArray, default: float) -> float:
    """The candidate nearest to the default by ratio."""
    nearest: float = candidates[int(np.argmin(np.abs(np.log(candidates / default))))].item()
    return nearest


def _default_choice(name: str, candidates: FloatArray | IntArray, chosen: float) -> Choice:
    why = f"{name}={chosen:g} is the default: there are too few documents, or too few edges between them, for a validation set."
    scores = np.full(len(candidates), np.nan)
    return Choice(name, candidates, scores, chosen, candidates.min().item(), candidates.max().item(), SCORE, True, why)
