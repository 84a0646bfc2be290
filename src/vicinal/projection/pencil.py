"""The direct route: XᵀWX a = λ (XᵀDX + αI) a inside the row space of X (P10), plain or with orthonormal directions.

Both are solved in symmetric form. With X a = U c and M = UᵀDU + α S^-2 = RᵀR, the vector h = R c turns the pencil into
H h = λ h, H = R^-ᵀ (UᵀWU) R^-1 (P12): symmetric, so eigenvalues are real and all methods for them apply.

The cost is cubic in the smaller side of X and the memory is its square: this is the route of LPP, LPI and OLPI as published.
The route by regression (regress.py) has neither.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from scipy.linalg import cholesky, eigh, solve_triangular
from scipy.sparse.linalg import LinearOperator, eigsh
from sklearn.utils import check_random_state

from vicinal.errors import FewerDimensions, IndistinctDimensions
from vicinal.graph.graph import Graph, as_graph
from vicinal.projection.products import Products
from vicinal.projection.projection import Projection
from vicinal.projection.rowspace import RowSpace, row_space
from vicinal.spectrum.basis import TIE, canonical_rotation, signs
from vicinal.threads import single_threaded_libraries
from vicinal.typing import ArrayLike, FloatArray, RandomState, Terms
from vicinal.validate import check_choice, check_count, check_number, check_terms

SOLVERS = ("auto", "dense", "lanczos")
DENSE_SIZE = 400  # rank up to which a dense eigensolver is the fastest
CONSTANT = 1e-8  # the constant is in reach when less than this share of its square is left over


def pencil(X: ArrayLike, graph: Any, n_components: int = 30, *, vocabulary: Any = None, **options: Any) -> Projection:
    """Find the directions in word space along which neighbours stay together.

    Parameters
    ----------
    X : documents x terms, sparse or dense
    graph : Graph or symmetric matrix of weights
        Documents without an edge do not take part.
    n_components : int
        How many directions; at most the rank of X.
    alpha : float
        Ridge: a price on long directions, which keeps rare words from deciding.
    orthogonal : bool
        Directions orthonormal to each other (OLPI) instead of places uncorrelated with each other (LPP, LPI).
    center : bool
        Take the mean document, weighted by degree, off first, which takes the constant function out of reach.
    solver : {"auto", "dense", "lanczos"}
    tol, max_iter, random_state
        For the Lanczos solver.
    n_jobs : int, optional
        Threads of the sparse products.
    vocabulary : array of str, optional
        A name for each term.

    Returns
    -------
    Projection
        Its ``values`` are the λ of (P10), largest first. Without ``orthogonal``, AᵀXᵀDXA is the identity times the sum of degrees
        (for α = 0); with it, AᵀA is the identity. A direction that places all documents on one point is left out.
    """
    projection = best_directions(X, graph, n_components, **options)
    _say_fewer(projection, n_components, np.shape(X))
    return projection if vocabulary is None else projection.named(vocabulary)


def best_directions(
    X: ArrayLike,
    graph: Any,
    n_components: int,
    *,
    alpha: float = 0.0,
    orthogonal: bool = False,
    center: bool = False,
    solver: str = "auto",
    tol: float = 1e-10,
    max_iter: int | None = None,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
) -> Projection:
    """As :func:`pencil`, for callers that say themselves when fewer directions exist than they asked for."""
    X = check_terms(X, "the pencil")
    graph = as_graph(graph)
    wanted = check_count("n_components", n_components)
    alpha = check_number("alpha", alpha)
    check_choice("solver", solver, SOLVERS)
    rows, core = _placed(X, graph)
    mean = np.asarray(core.degrees @ rows).ravel() / core.degrees.sum() if center else None
    with single_threaded_libraries():
        problem = _Problem.of(row_space(Products(rows, mean, n_jobs)), core, alpha, center)
        solve = problem.orthogonal if orthogonal else problem.plain
        values, A = solve(min(wanted, problem.n_directions), solver, tol, max_iter, check_random_state(random_state))
    offset = None if mean is None else mean @ A
    made_by = {"route": "orthogonal pencil" if orthogonal else "pencil", "rank": problem.space.rank}
    return Projection(A, values, offset, None, made_by)


def _placed(X: Terms, graph: Graph) -> tuple[Terms, Graph]:
    placed = np.flatnonzero(graph.placed)
    if len(placed) == graph.n_documents:
        return X, graph
    return X[placed], graph.restrict(placed)


@final
@dataclass(frozen=True, eq=False)
class _Problem:
    """H h = λ h for one matrix, graph and α, with the constant function to leave out where it is in reach.

    Attributes
    ----------
    space : RowSpace
    H : (rank, rank)
    R : (rank, rank)
        Upper triangular, M = RᵀR.
    constant : (rank, k)
        Orthonormal: k = 1 with the constant function in the coordinates of h, or k = 0.
    volume : float
        Sum of the degrees.
    """

    space: RowSpace
    H: FloatArray
    R: FloatArray
    constant: FloatArray
    volume: float

    @classmethod
    def of(cls, space: RowSpace, graph: Graph, alpha: float, center: bool) -> _Problem:
        """Build H by two triangular solves."""
        degrees = graph.degrees
        M = space.quadratic(lambda Y: degrees[:, None] * Y)
        M[np.diag_indices_from(M)] += alpha / space.singular**2
        R = cholesky(M)
        half = solve_triangular(R, space.quadratic(graph.matmul), trans="T")
        H = solve_triangular(R, half.T, trans="T")
        constant = np.empty((space.rank, 0)) if center or alpha > 0 else _constant(space, R, graph.n_documents)
        return cls(space, (H + H.T) / 2, R, constant, float(degrees.sum()))

    @property
    def n_directions(self) -> int:
        """How many directions there are to find."""
        return self.space.rank - int(self.constant.shape[1])

    def plain(
        self, count: int, solver: str, tol: float, max_iter: int | None, random: np.random.RandomState
    ) -> tuple[FloatArray, FloatArray]:
        """The ``count`` largest eigenvectors of H, without the constant."""
        deflated = self.H - 2.0 * self.constant @ self.constant.T
        extra = min(count + 1, self.n_directions)
        values, h = _largest(deflated, extra, solver, tol, max_iter, random)
        if extra > count and values[count - 1] - values[count] < TIE:
            _say_indistinct(count, values[count])
        values, h = values[:count], h[:, :count]
        C = solve_triangular(self.R, h) * np.sqrt(self.volume)
        return values, self.space.lift(C @ canonical_rotation(values, self.space.span(C)))

    def orthogonal(
        self, count: int, solver: str, tol: float, max_iter: int | None, random: np.random.RandomState
    ) -> tuple[FloatArray, FloatArray]:
        """One direction after another, each the best that is orthogonal to those before (P13).

        Orthogonality of a = V b to an earlier b_i reads (R^-ᵀ S^-1 b_i)ᵀ h = 0, so each step is a symmetric eigenproblem
        on the complement G of those vectors. There H + 2 has eigenvalues of at least 1, while the vectors taken out have 0: the
        spurious solutions can never be the largest.
        """
        singular = self.space.singular[:, None]
        taken, values, directions = self.constant, [], np.empty((self.space.rank, 0))
        for _ in range(count):
            value, h = _largest_outside(self.H, taken, solver, tol, max_iter, random)
            b = solve_triangular(self.R, h) / singular
            b -= directions @ (directions.T @ b)  # already orthogonal but for rounding
            b /= np.linalg.norm(b)
            values.append(value)
            directions = np.column_stack([directions, b])
            taken = np.column_stack([taken, _outside(taken, solve_triangular(self.R, b / singular, trans="T"))])
        C = singular * directions
        return np.array(values), self.space.lift(C * signs(self.space.span(C)))


def _constant(space: RowSpace, R: FloatArray, n_documents: int) -> FloatArray:
    """R Uᵀ1 scaled to length one where 1 lies in the span of U; else nothing."""
    inside = space.project(np.ones((n_documents, 1)))
    if n_documents - np.sum(inside**2) > CONSTANT * n_documents:
        return np.empty((space.rank, 0))
    h = R @ inside
    return np.asarray(h / np.linalg.norm(h))


def _outside(taken: FloatArray, v: FloatArray) -> FloatArray:
    """v made orthogonal to ``taken``, twice for rounding, and scaled to length one."""
    for _ in range(2):
        v = v - taken @ (taken.T @ v)
    return np.asarray(v / np.linalg.norm(v))


def _largest_outside(
    H: FloatArray, taken: FloatArray, solver: str, tol: float, max_iter: int | None, random: np.random.RandomState
) -> tuple[float, FloatArray]:
    """The largest eigenvalue of H + 2 on the complement of ``taken``, less 2, with its vector as a column."""

    def apply(v: FloatArray) -> FloatArray:
        v = v.reshape(-1, 1)
        v = v - taken @ (taken.T @ v)
        w = H @ v + 2.0 * v
        return np.asarray(w - taken @ (taken.T @ w)).ravel()

    size = len(H)
    if solver == "dense" or (solver == "auto" and size <= DENSE_SIZE):
        free = np.eye(size) - taken @ taken.T
        values, vectors = eigh(free @ H @ free + 2.0 * free, subset_by_index=(size - 1, size - 1))
    else:
        operator = LinearOperator((size, size), matvec=apply, dtype=np.float64)
        values, vectors = eigsh(operator, 1, which="LA", tol=tol, maxiter=max_iter, v0=random.standard_normal(size))
    return float(values[0]) - 2.0, _outside(taken, vectors)


def _largest(
    H: FloatArray, count: int, solver: str, tol: float, max_iter: int | None, random: np.random.RandomState
) -> tuple[FloatArray, FloatArray]:
    size = len(H)
    if solver == "dense" or (solver == "auto" and size <= DENSE_SIZE) or count >= size - 1:
        values, vectors = eigh(H, subset_by_index=(size - count, size - 1))
    else:
        values, vectors = eigsh(H, count, which="LA", tol=tol, maxiter=max_iter, v0=random.standard_normal(size))
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


def _say_fewer(projection: Projection, wanted: int, shape: tuple[int, ...]) -> None:
    found = projection.n_dimensions
    if found < wanted:
        warnings.warn(
            f"asked for {wanted} dimensions but {shape[0]} documents x {shape[1]} terms have {found} independent directions that "
            f"tell documents apart. Continuing with {found}.",
            FewerDimensions,
            stacklevel=3,
        )


def _say_indistinct(count: int, value: float) -> None:
    warnings.warn(
        f"dimension {count} and {count + 1} cannot be told apart: both have eigenvalue {value:.10f}. Another number of "
        f"dimensions makes the cut well defined.",
        IndistinctDimensions,
        stacklevel=4,
    )
