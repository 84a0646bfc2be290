"""The spectrum of a graph that has grown: the functions of before are continued to new documents and filtered once or twice (S9).

To solve the eigenproblem anew costs the same whether a tenth or a thousandth of the documents are new, and to converge from the
functions of before costs more than to start from nothing. What follows a regression onto terms needs no converged functions: the
span of the smoothest ones is enough, and the residuals say how near it is.
"""

from __future__ import annotations

import numpy as np
from sklearn.utils import check_random_state

from vicinal._threads import single_threaded_libraries
from vicinal._typing import BoolArray, FloatArray, IntArray, RandomState
from vicinal.graph import Graph
from vicinal.spectrum._basis import signs
from vicinal.spectrum._eigensolvers import filtered, rayleigh_ritz, without
from vicinal.spectrum._operator import Symmetric
from vicinal.spectrum._solve import DENSE_SIZE
from vicinal.spectrum._spectrum import Spectrum

EXTENDED = "extended"  # the solver of such a spectrum
GUARDS = 8  # functions beyond those wanted, in which what is new in the corpus is seen before it is among the smoothest
SWEEPS = 2  # by which new documents get values: the second lets them count for each other
DEGREE = 6  # of the filter of one round
ROUNDS = 3  # after which solving anew costs less
NEAR = 0.05  # residual that is near enough: each λ is then within 0.05 of an eigenvalue
SMALLEST = 0.3  # λ by which values are divided at least, so that no function grows beyond its size


def extended(graph: Graph, before: Spectrum, n_components: int, *, random_state: RandomState = 0) -> Spectrum | None:
    """The smoothest functions on a graph whose first documents had those of ``before``, and a few more; None where solving pays.

    That is where the graph is small or not connected, where most documents are new or fewer functions were known than are wanted,
    and where residuals stay large.

    Parameters
    ----------
    graph : Graph
    before : Spectrum
        Of its first documents, with at least ``n_components`` functions; more are guards.
    n_components : int
        How many functions are wanted.
    random_state : int, RandomState or None
        Seed of the guards that ``before`` has not.
    """
    known = np.append(before.has_edges, np.zeros(graph.n_documents - len(before.has_edges), dtype=bool)) & graph.has_edges
    in_graph = np.flatnonzero(graph.has_edges)
    few = len(in_graph) <= max(DENSE_SIZE, 4 * (n_components + GUARDS)) or 2 * np.count_nonzero(known) < len(in_graph)
    if few or len(before) < n_components or graph.connected_components.max() > 0:
        return None
    S = Symmetric(graph if len(in_graph) == graph.n_documents else graph.restrict(in_graph))
    start = np.zeros((graph.n_documents, len(before)))
    start[: len(before.vectors)] = before.vectors
    with single_threaded_libraries():
        V = _continued(S, start[in_graph], known[in_graph], before.values)
        guards = check_random_state(random_state).standard_normal((S.size, max(0, n_components + GUARDS - len(before))))
        found = _filtered_until_near(S, np.column_stack([V, guards]), n_components)
    return None if found is None else _as_spectrum(graph, in_graph, S, *found)


def _continued(S: Symmetric, Y: FloatArray, known: BoolArray, values: FloatArray) -> FloatArray:
    """Vectors of the symmetric form, with values for new documents: y = (1/λ) P y, the mean of their neighbours' over λ."""
    new, least = np.flatnonzero(~known), np.maximum(values, SMALLEST)
    for _ in range(SWEEPS if new.size else 0):
        Y[new] = S.graph.matmul(Y)[new] / (S.graph.degrees[new, None] * least)
    return S.roots[:, None] * Y


def _filtered_until_near(S: Symmetric, V: FloatArray, wanted: int) -> tuple[FloatArray, FloatArray, FloatArray] | None:
    """Values, vectors and residuals after as few rounds as leave small residuals; None after too many."""
    width = wanted + GUARDS
    values, V = rayleigh_ritz(S.apply_deflated, without(S.trivial, V), V.shape[1])
    for _ in range(ROUNDS):
        V = filtered(S, V, low=-1.0, high=min(values[-1], 1 - 1e-6), degree=DEGREE)
        values, V = rayleigh_ritz(S.apply_deflated, without(S.trivial, V), width)
        residuals = S.residuals(values, V)
        if residuals[:wanted].max() <= NEAR:
            return values, V, residuals
    return None


def _as_spectrum(
    graph: Graph, in_graph: IntArray, S: Symmetric, values: FloatArray, V: FloatArray, residuals: FloatArray
) -> Spectrum:
    """Scaled to variance one, in the order of the documents, the largest entry of each function positive."""
    full = np.zeros((graph.n_documents, len(values)))
    full[in_graph] = V / S.roots[:, None] * np.sqrt(graph.degrees[in_graph].sum())
    return Spectrum(values, full * signs(full), residuals, graph.connected_components, EXTENDED)
