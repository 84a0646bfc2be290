"""The direct route: a generalised eigenproblem in the row space of X (P10), as LPP, LPI and OLPI were published.

The cost is cubic in the smaller side of X and the memory is its square; the route by regression (_regress.py) has neither.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.utils import check_random_state

from vicinal._matrix import largest_entry
from vicinal._threads import single_threaded_libraries
from vicinal._typing import ArrayLike, FloatArray, RandomState, TermNames, Terms
from vicinal._validate import check_choice, check_count, check_limit, check_number, check_terms
from vicinal._warn import warn
from vicinal.errors import FewerComponents, NoNeighbors
from vicinal.graph import Graph
from vicinal.graph._graph import GraphInput, graph_of_documents
from vicinal.projection._made_by import MadeBy
from vicinal.projection._products import Products
from vicinal.projection._projection import Projection, say_zero_map
from vicinal.projection._solvers.pencil_eigen import DensePencil, GraphPencil, refuse_flat

PENCIL_SOLVERS = ("auto", "dense", "lanczos")


def pencil(
    X: ArrayLike,
    graph: GraphInput,
    n_components: int = 30,
    *,
    alpha: float = 0.0,
    orthogonal: bool = False,
    center: bool = False,
    solver: str = "auto",
    tol: float = 1e-10,
    max_iter: int | None = None,
    n_jobs: int | None = None,
    random_state: RandomState = 0,
    vocabulary: Sequence[str] | TermNames = None,
) -> Projection:
    """Find the components along which neighbours stay together: X'WX a = λ (X'DX + αI) a (P10).

    Parameters
    ----------
    X : array-like or sparse of shape (n_documents, n_terms)
        Term weights.
    graph : Graph or symmetric matrix
        Neighbour graph of the documents. Documents without an edge do not take part.
    n_components : int, default=30
        How many components; at most the rank of X.
    alpha : float, default=0.0
        Ridge penalty on the weights, which keeps rare terms from deciding.
    orthogonal : bool, default=False
        Weights orthonormal to each other (OLPI) instead of embeddings uncorrelated with each other (LPP, LPI).
    center : bool, default=False
        Subtract the mean document, weighted by degree, first.
    solver : {"auto", "dense", "lanczos"}, default="auto"
        Eigensolver.
    tol : float, default=1e-10
        Residual at which the Lanczos solver has converged.
    max_iter : int, optional
        Limit of its iterations.
    n_jobs : int, optional
        Threads of the sparse products; the answer does not depend on it.
    random_state : int, RandomState or None, default=0
        Seed of its starting vector.
    vocabulary : array of str of shape (n_terms,), optional
        The name of each term.

    Returns
    -------
    Projection
        Its ``eigenvalues`` are the λ, largest first. Without ``orthogonal``, A'X'DXA is the identity times the sum of degrees (for
        α = 0); with it, A'A is the identity.

    Raises
    ------
    BadData
        X is no matrix of finite numbers, or the degrees are too uneven to solve with.
    BadParameter
        The graph and X are of different numbers of documents, or a parameter is out of range.
    NoNeighbors
        The graph has no edge.
    NoVariation
        No component tells the documents apart.

    Warns
    -----
    FewerComponents
        Fewer components exist than were asked for.
    IndistinctComponents
        The last component asked for and the next have the same eigenvalue.

    See Also
    --------
    regress : The same by regression, at a fraction of the cost.

    References
    ----------
    .. [1] X. He, D. Cai, W. Min. Statistical and Computational Analysis of Locality Preserving Projection. ICML 2005, section 2.
    .. [2] D. Cai, X. He. Orthogonal Locality Preserving Indexing. SIGIR 2005, section 3.

    Examples
    --------
    >>> from vicinal import graph, projection
    >>> X = [[2, 1, 0, 0], [1, 2, 1, 0], [0, 1, 2, 1], [0, 0, 1, 2]]
    >>> A = projection.pencil(X, graph.knn(X, 2), 2, alpha=0.1, center=True)
    >>> A
    Projection(4 terms -> 2 components, pencil)
    """
    wanted = check_count("n_components", n_components)
    check_number("alpha", alpha)
    check_choice("solver", solver, PENCIL_SOLVERS)
    check_limit(max_iter)
    projection = pencil_of_checked(
        check_terms(X, "the pencil"),
        graph,
        wanted,
        alpha=alpha,
        orthogonal=orthogonal,
        center=center,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        n_jobs=n_jobs,
        random_state=random_state,
    )
    _say_fewer(projection, wanted, np.shape(X))
    return projection if vocabulary is None else projection.named(vocabulary)


def pencil_of_checked(
    X: Terms,
    graph: GraphInput,
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
    """As :func:`pencil`, for X and parameters that are checked, and callers that say themselves that fewer components exist."""
    rows, core = _with_edges(X, graph_of_documents(graph, X.shape[0]))
    with single_threaded_libraries():
        mean = _weighted_mean(rows, core) if center and core.n_documents > 1 else None
        products = Products(rows, mean, n_jobs)
        by_graph = solver != "dense" and alpha == 0 and not orthogonal
        problem = (GraphPencil.of(products, core) if by_graph else None) or DensePencil.of(products, core, alpha)
        refuse_flat(problem.n_components, rows.shape[0])
        solve = problem.orthogonal if orthogonal and isinstance(problem, DensePencil) else problem.plain
        values, A = solve(min(n_components, problem.n_components), solver, tol, max_iter, check_random_state(random_state))
        offset = None if mean is None else mean @ A
    say_zero_map(largest_entry(rows)[0], A, 1.0, alpha)
    made_by: MadeBy = {"route": "orthogonal pencil" if orthogonal else "pencil", "rank": problem.rank}
    return Projection(A, offset, eigenvalues=values, made_by=made_by)


def _with_edges(X: Terms, graph: Graph) -> tuple[Terms, Graph]:
    in_graph = np.flatnonzero(graph.has_edges)
    if len(in_graph) == 0:
        raise NoNeighbors(f"the graph of {graph.n_documents} documents has no edge. Use more neighbours or a larger radius.")
    if len(in_graph) == graph.n_documents:
        return X, graph
    return X[in_graph], graph.restrict(in_graph)


def _weighted_mean(rows: Terms, graph: Graph) -> FloatArray:
    return np.asarray((rows.T @ graph.degrees).ravel() / graph.degrees.sum(), dtype=np.float64)


def _say_fewer(projection: Projection, wanted: int, shape: tuple[int, ...]) -> None:
    found = projection.n_components
    if found < wanted:
        warn(
            f"asked for {wanted} components but {shape[0]} documents x {shape[1]} terms have {found} independent ones that "
            f"tell documents apart. Continuing with {found}.",
            FewerComponents,
        )
