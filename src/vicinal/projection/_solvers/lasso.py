"""The lasso for many responses and a large vocabulary, min ½‖X a - y‖² + α‖a‖₁ + ½ρ‖a‖² for each column y (P16).

By penalty, by number of terms, or the whole path. Each response is solved on an active set of terms that correlate with it, and one
product with Xᵀ checks the optimality conditions of all others (P17): no matrix is larger than X, or than the active set squared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from vicinal._matrix import csr
from vicinal._threads import single_threaded_libraries
from vicinal._typing import ArrayLike, BoolArray, FloatArray, IntArray, SparseMatrix
from vicinal._validate import check_count, check_number, check_terms
from vicinal._warn import warn
from vicinal.errors import BadData, EmptyComponents, FewerTerms
from vicinal.projection._made_by import MadeBy
from vicinal.projection._penalty import ElasticNet, Lasso, TermCount
from vicinal.projection._products import Products
from vicinal.projection._solvers.cgls import Solution, say_unconverged
from vicinal.projection._solvers.coordinate_descent import descend
from vicinal.projection._solvers.lars import Knot, homotopy

FIRST, MOST = 128, 1024  # terms a response starts with: twice as many as it is to have, between these
COLUMNS = 64  # knots of a path checked together
ENTRIES = 1_000_000  # correlations held at one time: 8 MB
SAMPLE = 8  # knots checked before all are
OUTSIDE = 1e-9  # a correlation that exceeds α by less than this share of the largest is rounding


def by_penalty(
    products: Products, Y: FloatArray, penalty: Lasso | ElasticNet, *, solver: str, tol: float, max_iter: int
) -> tuple[Solution, MadeBy]:
    """Solve the lasso or the elastic net for every response; a relative α is a share of its largest correlation (P17).

    There is one solver for them, descent, whatever ``solver`` says.
    """
    ridge = penalty.ridge if isinstance(penalty, ElasticNet) else 0.0
    with single_threaded_libraries():
        largest = np.abs(products.backward(Y)).max(axis=0, initial=0.0)
    alphas = penalty.alpha * (np.where(largest > 0, largest, 1.0) if penalty.relative else np.ones(Y.shape[1]))
    tol = max(tol, OUTSIDE)
    solution = descend(products, Y, alphas, largest, ridge, tol, max_iter)
    _say_all_zero(~solution.weights.any(axis=0) & (largest > 0), penalty, largest)
    if solution.error > tol:
        say_unconverged(solution, tol)
    return solution, {"solver": "descent", "iterations": solution.iterations, "error": solution.error, "alphas": alphas}


def by_n_terms(
    products: Products, Y: FloatArray, penalty: TermCount, *, solver: str, tol: float, max_iter: int
) -> tuple[Solution, MadeBy]:
    """Follow the lasso path of every response until it has the number of terms asked for (P19).

    A path is exact and ends by itself, whatever ``solver``, ``tol`` and ``max_iter`` say.
    """
    limit = min(penalty.limit, products.shape[1])
    A, alphas, rounds = np.zeros((products.shape[1], Y.shape[1])), np.zeros(Y.shape[1]), list[int]()
    with single_threaded_libraries():
        against = products.backward(Y)
        for j in range(Y.shape[1]):
            knots, taken = follow(products, Y[:, j], np.ascontiguousarray(against[:, j]), limit, 0.0, penalty.ridge)
            A[knots[-1].terms, j], alphas[j] = knots[-1].weights, knots[-1].alpha
            rounds.append(taken)
    counts = np.count_nonzero(A, axis=0)
    if penalty.n_terms is not None and not penalty.at_most and np.any(counts < penalty.n_terms):
        _say_fewer_terms(penalty.n_terms, counts)
    return Solution(A, max(rounds), 0.0), {"solver": "lars", "iterations": max(rounds), "alphas": alphas}


def _say_all_zero(empty: BoolArray, penalty: Lasso | ElasticNet, largest: FloatArray) -> None:
    if empty.any():
        enough = 1.0 if penalty.relative else float(largest[empty].min())
        warn(
            f"{int(empty.sum())} of {len(empty)} components have no term left, so every embedding is zero there: "
            f"alpha={penalty.alpha:g} is at least the largest correlation of a term. Use an alpha below {enough:.3g}.",
            EmptyComponents,
        )


def _say_fewer_terms(asked: int, counts: IntArray) -> None:
    few = counts < asked
    warn(
        f"asked for {asked} terms but {int(few.sum())} of {len(counts)} components have fewer, the least {int(counts.min())}: no "
        f"more terms are independent. Continuing with these.",
        FewerTerms,
    )


@final
@dataclass(frozen=True, eq=False)
class LassoPath:
    """All solutions of the lasso for one response, from the first term on: linear in α between knots (P18).

    Attributes
    ----------
    alphas : ndarray of shape (n_knots,)
        Falling; at the first no term has a weight yet.
    counts : int array of shape (n_knots,)
        How many terms have a weight that is not zero.
    weights : scipy.sparse.csr_array of shape (n_knots, n_terms)
        The solution at each knot.

    See Also
    --------
    lasso_path : Computes it.

    References
    ----------
    .. [1] B. Efron, T. Hastie, I. Johnstone, R. Tibshirani. Least Angle Regression. Annals of Statistics 32, 2004, section 3.1.

    Examples
    --------
    >>> from vicinal.projection import lasso_path
    >>> path = lasso_path([[1.0, 0.0], [0.0, 1.0]], [3.0, 1.0])
    >>> path.alphas
    array([3., 1., 0.])
    >>> path.at(2.0)
    array([1., 0.])
    """

    alphas: FloatArray
    counts: IntArray
    weights: SparseMatrix

    def at(self, alpha: float) -> FloatArray:
        """Return the solution at any α down to the end of the path, interpolated between two knots.

        Parameters
        ----------
        alpha : float
            Lasso penalty; at least that of the last knot.

        Returns
        -------
        ndarray of shape (n_terms,)
            Weights.

        Raises
        ------
        BadParameter
            The path ends above this α.
        """
        alpha = check_number("alpha", alpha, float(self.alphas[-1]))
        k = int(np.clip(np.searchsorted(-self.alphas, -alpha), 1, max(1, len(self) - 1)))
        if len(self) == 1 or alpha >= self.alphas[0]:
            return np.zeros(self.weights.shape[1])
        above, below = self.alphas[k - 1], self.alphas[k]
        share = (above - alpha) / (above - below) if above > below else 1.0
        pair = self.weights[[k - 1, k]].toarray()
        return np.asarray((1.0 - share) * pair[0] + share * pair[1])

    def __len__(self) -> int:
        """Number of knots."""
        return len(self.alphas)


def lasso_path(
    X: ArrayLike,
    y: ArrayLike,
    *,
    n_terms: int | None = None,
    alpha_min: float = 0.0,
    ridge: float = 0.0,
    center: bool = False,
    n_jobs: int | None = None,
) -> LassoPath:
    """Compute all solutions of the lasso for one response, by least angle regression with the lasso modification (P18).

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    y : array-like of shape (n_documents,)
        The response.
    n_terms : int, optional
        Stop where one term more would enter. Without it and with ``alpha_min=0`` the path runs down to the least-squares solution,
        which for a large vocabulary has as many terms as documents.
    alpha_min : float, default=0.0
        Stop at this α.
    ridge : float, default=0.0
        Ridge penalty ρ of the elastic net.
    center : bool, default=False
        Subtract the mean document first, without making X dense.
    n_jobs : int, optional
        Threads; the answer does not depend on it.

    Returns
    -------
    LassoPath
        Knots by falling α.

    Raises
    ------
    BadData
        X is no matrix of finite numbers, or y is not one number per document.
    BadParameter
        A parameter is negative, or ``n_terms`` is no count.

    Warns
    -----
    Unconverged
        Tied terms kept entering and leaving, and the path was given up.

    References
    ----------
    .. [1] B. Efron, T. Hastie, I. Johnstone, R. Tibshirani. Least Angle Regression. Annals of Statistics 32, 2004, section 3.1.
    .. [2] D. Cai, X. He, J. Han. Sparse Projections over Graph. AAAI 2008.

    Examples
    --------
    >>> from vicinal.projection import lasso_path
    >>> lasso_path([[1.0, 0.0], [0.0, 1.0]], [3.0, 1.0]).counts
    array([0, 1, 2])
    """
    X = check_terms(X, "the path")
    y = np.asarray(y, dtype=np.float64)
    if y.shape != (X.shape[0],) or not np.isfinite(y).all():
        raise BadData(
            f"the response must be one finite number per document: expected shape ({X.shape[0]},), got {y.shape}. "
            f"Leave out documents without one."
        )
    limit = X.shape[1] if n_terms is None else check_count("n_terms", n_terms)
    check_number("alpha_min", alpha_min)
    check_number("ridge", ridge)
    mean = np.asarray(X.mean(axis=0, dtype=np.float64)).ravel() if center and X.shape[0] > 1 else None
    products = Products(X, mean, n_jobs)
    with single_threaded_libraries():
        knots, _ = follow(products, y, products.backward(y[:, None])[:, 0], limit, alpha_min, ridge)
    counts = np.array([np.count_nonzero(knot.weights) for knot in knots], dtype=np.int64)
    return LassoPath(np.array([knot.alpha for knot in knots]), counts, _stacked(knots, X.shape[1]))


def _stacked(knots: list[Knot], n_columns: int) -> SparseMatrix:
    starts = np.cumsum([0, *(len(knot.terms) for knot in knots)])
    terms = np.concatenate([knot.terms for knot in knots])
    weights = np.concatenate([knot.weights for knot in knots])
    return csr((weights, terms, starts), shape=(len(knots), n_columns))


def follow(
    products: Products, y: FloatArray, against: FloatArray, n_terms: int, alpha_min: float, ridge: float
) -> tuple[list[Knot], int]:
    """The path on an active set, with violating terms added until no knot has any; and the number of rounds this took."""
    chosen = np.sort(np.argsort(-np.abs(against), kind="stable")[: max(FIRST, min(2 * n_terms, MOST))])
    rounds, missing, found = 0, chosen, list[Knot]()
    while len(missing):
        rounds += 1
        part = products.of_terms(chosen)
        gram = part.gram_of_terms()
        gram[np.diag_indices_from(gram)] += ridge
        knots = homotopy(gram, against[chosen], n_terms, alpha_min)
        missing = _missing(products, part, y, knots[:: -max(1, len(knots) // SAMPLE)], chosen)
        if len(missing) == 0:  # a few knots have shown most of what is to be seen, at little cost; now all
            missing = _missing(products, part, y, knots, chosen)
        before, found = found, [Knot(knot.alpha, chosen[knot.terms], knot.weights) for knot in knots]
        if len(chosen) > MOST and _same(before, found):  # duplicates of terms that cannot enter: there may be any number of them
            break
        chosen = np.union1d(chosen, missing)
    return found, rounds


def _same(one: list[Knot], other: list[Knot]) -> bool:
    """Whether two paths have the same terms at every knot."""
    return len(one) == len(other) and all(np.array_equal(a.terms, b.terms) for a, b in zip(one, other, strict=True))


def _missing(products: Products, part: Products, y: FloatArray, knots: list[Knot], chosen: IntArray) -> IntArray:
    """The terms outside that violate (P17) most at one of the knots; between knots correlations are linear, so knots suffice."""
    excess = np.zeros(products.shape[1])
    columns = max(1, min(COLUMNS, ENTRIES // products.shape[1]))
    for start in range(0, len(knots), columns):
        block = knots[start : start + columns]
        weights = np.zeros((len(chosen), len(block)))
        for k, knot in enumerate(block):
            weights[knot.terms, k] = knot.weights
        left = products.backward(y[:, None] - part.forward(weights))
        np.abs(left, out=left)
        left -= [knot.alpha for knot in block]
        np.maximum(excess, left.max(axis=1), out=excess)
    excess[chosen] = 0.0
    largest = max((knot.alpha for knot in knots), default=0.0)
    worst = np.argsort(-excess, kind="stable")[: max(FIRST, len(chosen))]
    return np.asarray(worst[excess[worst] > OUTSIDE * largest])
