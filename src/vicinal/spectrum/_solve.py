"""`solve`: from a graph to its `Spectrum`; chooses an eigensolver, retries, and treats connected components exactly."""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_random_state

from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, RandomState
from vicinal._validate import check_choice, check_count, check_limit, check_number
from vicinal._warn import warn
from vicinal.errors import FewerComponents, NoNeighbors, NotConverged
from vicinal.graph import ClassGraph, Graph, as_graph
from vicinal.graph._graph import GraphInput
from vicinal.spectrum._basis import TIE, canonical, component_functions, say_indistinct, signs
from vicinal.spectrum._eigensolvers import EIGENSOLVERS, Eigen, factored, rayleigh_ritz
from vicinal.spectrum._operator import Symmetric
from vicinal.spectrum._spectrum import Spectrum

DENSE_SIZE = 500  # documents up to which a dense solver is the fastest
ACCEPTED = 1e-6  # residual above which a result is no result


def solve(
    graph: GraphInput,
    n_components: int = 30,
    *,
    disconnected: str = "keep",
    solver: str = "auto",
    tol: float = 1e-10,
    max_iter: int | None = None,
    random_state: RandomState = 0,
) -> Spectrum:
    """Find the smoothest functions on a graph: the largest λ of W y = λ D y (S1), without the constant function.

    Parameters
    ----------
    graph : Graph or symmetric matrix
        Neighbour graph of the documents.
    n_components : int, default=30
        How many functions; where fewer exist, all of them.
    disconnected : {"keep", "apart"}, default="keep"
        For a graph of c connected components: keep the c - 1 functions that tell them apart, which come first with value 1; or
        leave out all functions that are constant on connected components, so that every function varies inside one.
    solver : {"auto", "dense", "lanczos", "chebyshev"}, default="auto"
        Eigensolver for what is not known in closed form: a dense one, ARPACK with a check for missed eigenvalues, or
        Chebyshev-filtered subspace iteration.
    tol : float, default=1e-10
        Residual at which a function has converged.
    max_iter : int, optional
        Limit of the solver's iterations.
    random_state : int, RandomState or None, default=0
        Seed of the starting vectors of the iterative solvers.

    Returns
    -------
    Spectrum
        The functions, smoothest first.

    Raises
    ------
    NoNeighbors
        The graph has no edge.
    NotConverged
        A residual stays above 1e-6, after a retry with the other solver.

    Warns
    -----
    FewerComponents
        The graph has fewer functions than were asked for.
    IndistinctComponents
        The last function asked for and the next have the same eigenvalue.

    References
    ----------
    .. [1] M. Belkin, P. Niyogi. Laplacian Eigenmaps and Spectral Techniques for Embedding and Clustering. NIPS 2001.
    .. [2] D. Cai, X. He, W. V. Zhang, J. Han. Regularized Locality Preserving Indexing via Spectral Regression. CIKM 2007,
       section 3.

    Examples
    --------
    >>> from vicinal import graph, spectrum
    >>> X = [[2, 1, 0, 0], [1, 2, 1, 0], [0, 1, 2, 1], [0, 0, 1, 2]]
    >>> found = spectrum.solve(graph.knn(X, 2), n_components=2)
    >>> found.values.round(2)
    array([ 0.29, -0.58])
    """
    wanted = check_count("n_components", n_components)
    check_choice("disconnected", disconnected, ("keep", "apart"))
    check_choice("solver", solver, ("auto", *EIGENSOLVERS))
    check_number("tol", tol)
    check_limit(max_iter)
    spectrum = smoothest(
        graph,
        wanted,
        disconnected=disconnected,
        solver=solver,
        tol=tol,
        max_iter=max_iter,
        random_state=random_state,
    )
    _say_fewer(spectrum, wanted)
    return spectrum


def smoothest(
    graph: GraphInput,
    n_components: int,
    *,
    disconnected: str = "keep",
    solver: str = "auto",
    tol: float = 1e-10,
    max_iter: int | None = None,
    random_state: RandomState = 0,
    quiet: bool = False,
) -> Spectrum:
    """As :func:`solve`, for parameters that are checked, and callers that say themselves where fewer functions exist."""
    graph = as_graph(graph)
    in_graph = np.flatnonzero(graph.has_edges)
    if in_graph.size == 0:
        raise NoNeighbors(f"the graph of {graph.n_documents} documents has no edge. Use more neighbours or a larger radius.")
    core = graph if len(in_graph) == graph.n_documents else graph.restrict(in_graph)
    with single_threaded_libraries():
        pieces = _Pieces(core, solver, tol, max_iter, check_random_state(random_state))
        values, vectors, residuals, used = pieces.functions(n_components, disconnected)
    if not quiet and len(values) > n_components and abs(values[n_components - 1] - values[n_components]) < TIE:
        say_indistinct(n_components, values[n_components])
    return _finish(graph, in_graph, values, vectors, residuals, used, n_components)


class _Pieces:
    """The connected components of a graph in which every document has an edge, each an eigenproblem of its own."""

    def __init__(self, graph: Graph, solver: str, tol: float, max_iter: int | None, random: np.random.RandomState) -> None:
        self.graph, self.solver, self.tol, self.max_iter, self.random = graph, solver, tol, max_iter, random
        self.components = graph.connected_components
        self.n_pieces = int(self.components.max()) + 1

    def functions(self, wanted: int, disconnected: str) -> tuple[FloatArray, FloatArray, FloatArray, str]:
        """One function more than wanted, where there is one, so that the gap behind the last is known. In D-orthonormal form."""
        n_flat = 0 if disconnected == "apart" else min(self.n_pieces - 1, wanted + 1)
        if self.n_pieces == 1 and self.graph.n_documents == 1:
            return self._only_document()
        flat = component_functions(self.graph.degrees, self.components, n_flat)
        values, vectors, residuals, used = self._waves(wanted + 1 - n_flat)
        return (
            np.concatenate([np.ones(n_flat), values]),
            np.column_stack([flat, vectors]),
            np.concatenate([np.zeros(n_flat), residuals]),
            used,
        )

    def _only_document(self) -> tuple[FloatArray, FloatArray, FloatArray, str]:
        """One document: the constant is all there is, and keeping it lets a search find that document."""
        return np.ones(1), np.full((1, 1), 1.0 / np.sqrt(self.graph.degrees[0])), np.zeros(1), "exact"

    def _waves(self, count: int) -> tuple[FloatArray, FloatArray, FloatArray, str]:
        """The ``count`` smoothest functions that vary inside a connected component, over all of them."""
        n = self.graph.n_documents
        values, vectors, residuals = [np.empty(0)], [np.empty((n, 0))], [np.empty(0)]
        used: set[str] = set()
        if count > 0 and not isinstance(self.graph, ClassGraph):  # inside a class every function has λ = 0
            for piece in range(self.n_pieces):
                members = np.flatnonzero(self.components == piece)
                if len(members) > 1:
                    lam, inside, residual, name = self._inside(members, min(count, len(members) - 1))
                    used.add(name)
                    spread = np.zeros((n, len(lam)))
                    spread[members] = inside
                    values, vectors, residuals = [*values, lam], [*vectors, spread], [*residuals, residual]
                    values, vectors, residuals = _largest(values, vectors, residuals, count)
        return values[0], vectors[0], residuals[0], " and ".join(sorted(used)) or "exact"

    def _inside(self, members: IntArray, count: int) -> tuple[FloatArray, FloatArray, FloatArray, str]:
        piece = self.graph if len(members) == self.graph.n_documents else self.graph.restrict(members)
        S = Symmetric(piece)
        if S.factor is not None and self.solver == "auto":
            lam, V = factored(S, count)
            return lam, canonical(lam, V / S.roots[:, None]), S.residuals(lam, V), "exact"
        few = S.size <= DENSE_SIZE or count > S.size // 4
        name = ("dense" if few else "lanczos") if self.solver == "auto" else self.solver
        name = name if count < S.size - 1 else "dense"
        lam, V = EIGENSOLVERS[name](S, count, self.tol, self.max_iter, self.random)
        residuals = S.residuals(lam, V)
        needed = max(1, count - 1)  # one more than wanted was asked for, to see the gap behind the last one
        if residuals[:needed].max() > ACCEPTED:
            lam, V = self._retry(S, V, count)
            residuals = S.residuals(lam, V)
        _refuse_unconverged(residuals[:needed], name)
        return lam, canonical(lam, V / S.roots[:, None]), residuals, name

    def _retry(self, S: Symmetric, V: FloatArray, count: int) -> Eigen:
        """Start again from what was reached, with the other solver and without a limit on its iterations."""
        fresh = EIGENSOLVERS["chebyshev"](S, count, self.tol, None, self.random)[1]
        return rayleigh_ritz(S.apply_deflated, np.column_stack([V, fresh]), count)


def _largest(
    values: list[FloatArray], vectors: list[FloatArray], residuals: list[FloatArray], count: int
) -> tuple[list[FloatArray], list[FloatArray], list[FloatArray]]:
    """Merge the functions of several connected components, largest value first, an earlier one first among equals."""
    lam = np.concatenate(values)
    order = np.argsort(-np.round(lam / TIE), kind="stable")[:count]
    return [lam[order]], [np.column_stack(vectors)[:, order]], [np.concatenate(residuals)[order]]


def _refuse_unconverged(residuals: FloatArray, solver: str) -> None:
    if residuals.max(initial=0.0) > ACCEPTED:
        raise NotConverged(
            f"the {solver} solver reached a residual of {residuals.max():.1e} where {ACCEPTED:.0e} is needed, even after a retry. "
            f"Raise max_iter, ask for fewer components, or use solver='dense'."
        )


def _say_fewer(spectrum: Spectrum, wanted: int) -> None:
    if len(spectrum) < wanted:
        n_components = spectrum.connected_components.max() + 1
        warn(
            f"asked for {wanted} components but the graph has {len(spectrum)} functions: {int(spectrum.has_edges.sum())} "
            f"documents in {n_components} connected components. Continuing with {len(spectrum)}.",
            FewerComponents,
        )


def _finish(
    graph: Graph,
    in_graph: IntArray,
    values: FloatArray,
    vectors: FloatArray,
    residuals: FloatArray,
    used: str,
    wanted: int,
) -> Spectrum:
    """Cut to what was asked for, scale to variance one, and restore the order of the documents."""
    degrees = graph.degrees[in_graph]
    full = np.zeros((graph.n_documents, min(wanted, len(values))))
    full[in_graph] = vectors[:, :wanted] * np.sqrt(degrees.sum())
    return Spectrum(values[:wanted], full * signs(full), residuals[:wanted], graph.connected_components, used)
