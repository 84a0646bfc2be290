"""Canonical bases: where eigenvalues repeat, the functions depend on the graph and not on the solver or its start."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ortho_group

from tests.laws.toys import copies, cycle, documents, error, random_graph, repeated_spectrum
from vicinal import LPI, LSI, OLPI, RLPI, LaplacianEigenmap
from vicinal.graph import knn
from vicinal.spectrum import solve
from vicinal.spectrum._basis import canonical
from vicinal.spectrum._eigensolvers import EIGENSOLVERS

SOLVERS = tuple(EIGENSOLVERS)
STARTS = (0, 1, 2)


def worst_disagreement(graph, n_components, **options):
    """The largest difference between any solver and start and the dense solver."""
    dense = solve(graph, n_components, solver="dense", **options)
    others = (solve(graph, n_components, solver=solver, random_state=start, **options) for solver in SOLVERS for start in STARTS)
    return max(error(other.vectors, dense.vectors) for other in others)


def test_the_graph_of_repeated_values_has_them():
    np.testing.assert_allclose(solve(repeated_spectrum(), 4).values, [0.05, 0.05, 0.05, 0.02], atol=1e-14)


def test_repeated_values_give_the_same_functions_from_every_solver_and_start():
    assert worst_disagreement(repeated_spectrum(), 4) < 1e-7


def test_without_a_canonical_basis_repeated_values_give_whatever_the_solver_found():
    dense = solve(repeated_spectrum(), 4).vectors
    turned = dense.copy()
    turned[:, :3] = dense[:, :3] @ ortho_group.rvs(3, random_state=0)
    assert error(turned, dense) > 0.1
    values = np.array([0.05, 0.05, 0.05, 0.02])
    assert error(canonical(values, turned), canonical(values, dense)) < 1e-12


def test_distinct_values_give_the_same_functions_from_every_solver_and_start():
    assert worst_disagreement(knn(documents(n=100, n_terms=150), 7), 6) < 1e-7


@pytest.mark.parametrize("n", [9, 30])
def test_repeated_values_that_come_from_symmetry_give_the_same_functions_from_every_solver_and_start(n):
    assert worst_disagreement(cycle(n), 4) < 1e-7


def test_equal_components_give_the_same_functions_from_every_solver_and_start():
    assert worst_disagreement(copies(random_graph(30, density=0.3), 3), 2 + 6) < 1e-7


def sign_rule_holds(columns):
    """The entry of largest size is positive; of entries equally large, to nine digits, the first."""
    sizes = np.abs(columns)
    first = np.argmax(sizes >= (1 - 1e-9) * sizes.max(axis=0), axis=0)
    return (columns[first, np.arange(columns.shape[1])] > 0).all()


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_entry_of_largest_size_is_positive_in_every_function(solver):
    assert sign_rule_holds(solve(knn(documents(n=100, n_terms=150), 7), 8, solver=solver).vectors)


def test_the_entry_of_largest_size_is_positive_in_functions_that_tell_components_apart():
    """The small component has the large entry: without the rule it would be negative."""
    W = np.zeros((16, 16))
    W[:12, :12], W[12:, 12:] = random_graph(12, density=0.5), random_graph(4, density=0.5)
    Y = solve(W, 1).vectors
    assert sign_rule_holds(Y)
    assert (Y[12:] > 0).all()


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("start", STARTS)
def test_two_entries_equally_large_give_the_sign_to_the_earlier_document(solver, start):
    """A path is its own mirror image: every other function has its largest size at both ends, with different signs."""
    path = np.eye(9, k=1) + np.eye(9, k=-1) + np.eye(9)
    Y = solve(path, 4, solver=solver, random_state=start).vectors
    odd = Y[:, ::2]
    np.testing.assert_allclose(odd[0], -odd[-1], atol=1e-8)
    np.testing.assert_allclose(odd[0], np.abs(odd).max(axis=0), atol=1e-8)


def test_the_sign_rule_holds_for_places_and_loadings():
    X = documents()
    assert sign_rule_holds(LaplacianEigenmap(5).fit_transform(X))
    assert sign_rule_holds(LPI(5).fit_transform(X))
    assert sign_rule_holds(OLPI(5).fit_transform(X))
    assert sign_rule_holds(LSI(5).fit(X).components_.T)


@pytest.mark.parametrize("method", [RLPI, LPI, LSI])
def test_the_start_of_an_iteration_does_not_show_in_the_places(method):
    X = documents()
    options = {RLPI: {"eigen_solver": "lanczos"}, LPI: {"solver": "lanczos"}, LSI: {"solver": "arpack"}}[method]
    embeddings = [method(5, random_state=start, **options).fit_transform(X) for start in STARTS]
    assert max(error(other, embeddings[0]) for other in embeddings) < 1e-7
