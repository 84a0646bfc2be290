"""Spectral regression: functions on documents become weights of terms, min ‖X A - Y‖² + penalty(A) (P1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vicinal._matrix import is_sparse
from vicinal._typing import ArrayLike, BoolArray, FloatArray, TermNames, Terms
from vicinal._validate import check_choice, check_count, check_number, check_terms
from vicinal.errors import BadData, BadParameter
from vicinal.graph import Graph
from vicinal.projection._block_products import BlockProducts
from vicinal.projection._document_chunks import by_term
from vicinal.projection._made_by import MadeBy
from vicinal.projection._penalty import ElasticNet, Lasso, Penalty, Ridge, TermCount
from vicinal.projection._products import AnyProducts, Products
from vicinal.projection._projection import Projection, say_zero_map
from vicinal.projection._row_penalty import RowCount, RowLasso, RowLassoCount
from vicinal.projection._solvers.best_subset import SUBSET_SOLVERS, best_subset, unrestricted
from vicinal.projection._solvers.cgls import SLACK, Solution, cgls, say_unconverged
from vicinal.projection._solvers.cholesky import exact_ridge
from vicinal.projection._solvers.lasso import by_n_terms, by_penalty
from vicinal.projection._solvers.row_lasso import by_row_count, by_row_penalty
from vicinal.spectrum import Spectrum
from vicinal.terms._block_terms import BlockTerms

RIDGE_TOL, RIDGE_LIMIT = 1e-4, 500  # for a RowCount that restricts nothing, whose own settings mean something else
EXACT_SIZE = 800  # documents or terms up to which the Gram matrix is factored: there both solvers take about as long
VERIFIED_SIZE = 400  # documents or terms up to which factoring costs so little that the error claimed by "cgls" is compared with it


def regress(
    X: ArrayLike,
    responses: Spectrum | ArrayLike,
    penalty: Penalty | None = None,
    *,
    center: bool = False,
    solver: str = "auto",
    tol: float = 1e-3,
    max_iter: int = 200,
    n_jobs: int | None = None,
    vocabulary: Sequence[str] | TermNames = None,
) -> Projection:
    """Find the weights of terms whose sums come closest to each response: min ‖X A - Y‖² + penalty(A) (P1).

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    responses : Spectrum or array-like of shape (n_documents, n_components)
        Y. Documents without an edge in the graph of a spectrum do not take part.
    penalty : Penalty, optional
        :class:`Ridge`, :class:`Lasso`, :class:`ElasticNet`, :class:`TermCount`, :class:`RowLasso`, :class:`RowLassoCount` or
        :class:`RowCount`; ``Ridge(0.1)`` by default.
    center : bool, default=False
        Subtract the mean document first, without making X dense.
    solver : {"auto", "cholesky", "cgls"}, default="auto"
        For a ridge: "cholesky" factors the smaller Gram matrix; "cgls" is block conjugate gradients on the normal equations and
        needs only products with X. Both give the same answer. For a :class:`RowCount` it is one of "auto", "adm" (alternating
        direction method) and "proximal" (forward selection and exchange of terms), which give different answers; "auto" keeps
        the better.
    tol : float, default=1e-3
        For "cgls": relative error of the fit at which to stop; 0 to run ``max_iter`` iterations, or until nothing is left to
        gain. For a lasso: how far a correlation may exceed α, relative to it. For a RowCount: the relative gain below which
        exchanges stop.
    max_iter : int, default=200
        Limit of the iterations of "cgls" and of the sweeps of a lasso.
    n_jobs : int, optional
        Threads; the answer does not depend on it.
    vocabulary : array of str of shape (n_terms,), optional
        The name of each term.

    Returns
    -------
    Projection
        With the eigenvalues of the spectrum, where one was given.

    Raises
    ------
    BadData
        X is no matrix of finite numbers, or there is not one row of responses per document.
    BadParameter
        The penalty is none of the above, or a parameter is out of range.

    Warns
    -----
    Unconverged
        The limit of iterations came before the tolerance.
    EmptyComponents, ZeroEmbeddings
        The penalty leaves no weight on any term, in some or in all components.
    FewerTerms
        Fewer terms than were asked for have a weight.

    See Also
    --------
    pencil : The same from an eigenproblem, without functions of the graph in between.

    References
    ----------
    .. [1] D. Cai, X. He, W. V. Zhang, J. Han. Regularized Locality Preserving Indexing via Spectral Regression. CIKM 2007,
       section 3.
    .. [2] D. Cai, X. He, J. Han. Sparse Projections over Graph. AAAI 2008.

    Examples
    --------
    >>> from vicinal import graph, projection, spectrum
    >>> X = [[2, 1, 0, 0], [1, 2, 1, 0], [0, 1, 2, 1], [0, 0, 1, 2]]
    >>> A = projection.regress(X, spectrum.solve(graph.knn(X, 2), n_components=1), projection.Ridge(0.01))
    >>> abs(A.transform(X)).round(1).ravel()
    array([1.4, 0.7, 0.7, 1.4])
    """
    X = check_terms(X, "the regression")
    penalty = Ridge() if penalty is None else penalty
    check_choice("solver", solver, SUBSET_SOLVERS if isinstance(penalty, RowCount) else ("auto", *RIDGE_SOLVERS))
    check_number("tol", tol)
    check_count("max_iter", max_iter)
    if type(penalty) not in _SOLVERS:
        raise BadParameter(
            f"penalty must be one of {', '.join(kind.__name__ for kind in _SOLVERS)}, got {penalty!r}. Use one of these."
        )
    projection = regress_of_checked(X, responses, penalty, center=center, solver=solver, tol=tol, max_iter=max_iter, n_jobs=n_jobs)
    return projection if vocabulary is None else projection.named(vocabulary)


def regress_of_checked(
    X: Terms | BlockTerms,
    responses: Spectrum | ArrayLike,
    penalty: Penalty,
    *,
    center: bool = False,
    solver: str = "auto",
    tol: float = 1e-3,
    max_iter: int = 200,
    n_jobs: int | None = None,
    single: bool = True,
    start: FloatArray | None = None,
) -> Projection:
    """As :func:`regress`, for a matrix that ``check_terms`` has returned, or row blocks, and parameters that are checked.

    "cgls" with a ridge begins at the weights ``start``, where they are given (P44).
    """
    taken, Y, eigenvalues = _training(X.shape[0], responses)
    products = _products(X, taken, center and len(Y) > 1, n_jobs, single)
    begin = {} if start is None else {"start": start}
    solution, made_by = _SOLVERS[type(penalty)](products, Y, penalty, solver=solver, tol=tol, max_iter=max_iter, **begin)
    offset = None if products.mean is None else products.mean @ solution.weights
    return Projection(solution.weights, offset, eigenvalues=eigenvalues, made_by={"route": "regress", **made_by})


def _products(
    X: Terms | BlockTerms, taken: BoolArray | None, center: bool, n_jobs: int | None, single: bool
) -> Products | BlockProducts:
    """The documents that take part, centred or not; few of them are held in memory."""
    if isinstance(X, BlockTerms):
        blocks = BlockProducts(X, taken, n_jobs=n_jobs)
        if blocks.shape[0] > EXACT_SIZE:
            return blocks.centred() if center else blocks
        X = X.in_memory()
    rows = X if taken is None else X[taken]
    return Products(rows, _mean(rows) if center else None, n_jobs, single)


def _mean(rows: Terms) -> FloatArray:
    """The mean document; of sparse rows, in the order of sums that row blocks have too."""
    return by_term(rows, 1) / rows.shape[0] if is_sparse(rows) else np.asarray(rows.mean(axis=0, dtype=np.float64))


def _training(n_documents: int, responses: Spectrum | ArrayLike) -> tuple[BoolArray | None, FloatArray, FloatArray | None]:
    """Which documents take part (None: all), their responses, and the eigenvalues of these where they come from a spectrum."""
    if isinstance(responses, Graph):
        raise BadData(f"responses must be a Spectrum or numbers, got {responses!r}. Use vicinal.spectrum.solve(graph) first.")
    spectrum = responses if isinstance(responses, Spectrum) else None
    Y = np.asarray(responses, dtype=np.float64) if spectrum is None else spectrum.vectors
    if Y.ndim != 2 or Y.shape[0] != n_documents:
        raise BadData(
            f"responses must have one row per document: expected ({n_documents}, d), got {Y.shape}. "
            f"Compute them of the same documents."
        )
    if Y.shape[1] == 0 or not np.isfinite(Y).all():
        raise BadData(
            f"responses must be finite numbers, at least one column of them, got shape {Y.shape}. Replace or drop the others."
        )
    if spectrum is None:
        return None, Y, None
    if spectrum.has_edges.all():
        return None, Y, spectrum.values
    return spectrum.has_edges, Y[spectrum.has_edges], spectrum.values


def _ridge(
    products: AnyProducts,
    Y: FloatArray,
    penalty: Ridge,
    *,
    solver: str,
    tol: float,
    max_iter: int,
    start: FloatArray | None = None,
) -> tuple[Solution, MadeBy]:
    """By Cholesky factorisation where one side is small, else by block CGLS, unless a solver is named (P2)."""
    if solver == "auto":
        solver = "cholesky" if min(products.shape) <= EXACT_SIZE else "cgls"
    solution, made_by = RIDGE_SOLVERS[solver](products, Y, penalty.alpha, tol, max_iter, start)
    if solution.error > tol > 0:
        say_unconverged(solution, tol)
    say_zero_map(products.largest_entry(), solution.weights, float(np.abs(Y).max(initial=0.0)), penalty.alpha)
    return solution, made_by


def _by_cholesky(
    products: AnyProducts, Y: FloatArray, alpha: float, tol: float, max_iter: int, start: FloatArray | None
) -> tuple[Solution, MadeBy]:
    return Solution(exact_ridge(products, Y, alpha), 0, 0.0), MadeBy(solver="cholesky")


def _by_cgls(
    products: AnyProducts, Y: FloatArray, alpha: float, tol: float, max_iter: int, start: FloatArray | None
) -> tuple[Solution, MadeBy]:
    """By block CGLS, or by factoring where that shows the error to be larger than claimed."""
    solution = cgls(products, Y, alpha, tol, max_iter, start)
    made_by = MadeBy(solver="cgls", iterations=solution.iterations, error=solution.error)
    exact = _exact_if_wrong(products, Y, alpha, solution, tol)
    if exact is None:
        return solution, made_by
    return Solution(exact, solution.iterations, 0.0), {**made_by, "solver": "cholesky", "error": 0.0}


#: Who solves a ridge, by the name of the solver; "auto" is one of these.
RIDGE_SOLVERS: dict[str, Callable[..., tuple[Solution, MadeBy]]] = {
    "cholesky": _by_cholesky,
    "cgls": _by_cgls,
}


def _exact_if_wrong(products: AnyProducts, Y: FloatArray, alpha: float, solution: Solution, tol: float) -> FloatArray | None:
    """The weights by factoring, where that is cheap and shows that an error claimed to be within ``tol`` is not (P4')."""
    if not solution.error <= tol or tol == 0 or min(products.shape) > VERIFIED_SIZE:
        return None
    exact = exact_ridge(products, Y, alpha)
    pair = solution.weights - exact, exact
    error, size = (np.sum(products.forward(A) ** 2, axis=0) + alpha * np.sum(A * A, axis=0) for A in pair)
    return exact if np.any(error > (SLACK * tol) ** 2 * size) else None


def _row_count(
    products: Products, Y: FloatArray, penalty: RowCount, *, solver: str, tol: float, max_iter: int
) -> tuple[Solution, MadeBy]:
    """A ridge, where no more terms exist than are allowed; else best subset selection (P24)."""
    if not unrestricted(products, penalty):
        return best_subset(products, Y, penalty, solver=solver, tol=tol, max_iter=max_iter)
    solution, made_by = _ridge(products, Y, Ridge(penalty.ridge), solver="auto", tol=min(tol, RIDGE_TOL), max_iter=RIDGE_LIMIT)
    left = Y - products.forward(solution.weights)
    return solution, {"objectives": {"ridge": float(np.sum(left * left)) + penalty.value(solution.weights)}, **made_by}


#: Who minimises (P1) for which penalty.
_SOLVERS: dict[type[Penalty], Callable[..., tuple[Solution, MadeBy]]] = {
    Ridge: _ridge,
    Lasso: by_penalty,
    ElasticNet: by_penalty,
    TermCount: by_n_terms,
    RowLasso: by_row_penalty,
    RowLassoCount: by_row_count,
    RowCount: _row_count,
}
