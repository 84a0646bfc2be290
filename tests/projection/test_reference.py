"""Every solver against 40 decimal digits, on inputs on which double precision has a hard time.

Bounds. Weights of a ridge regression by factoring: 1e-6 of their length; its fit: 1e-6 of its length, and the rounding of the
weights, 1e-14 ‖X‖ ‖A‖, which no solver can avoid. By iterating: ten times the tolerance, in the energy norm, or a warning. Pencil:
1e-8 for eigenvalues; 1e-6 and the same rounding for the angle between embeddings.
"""

from __future__ import annotations

import warnings
from functools import cache

import numpy as np
import pytest

from tests.laws.toys import angle
from tests.projection import reference
from vicinal.errors import NoVariation, Unconverged
from vicinal.projection import Ridge, regress
from vicinal.projection._pencil import pencil_of_checked

INPUTS = reference.nasty_inputs()
EMBEDDED, VALUES, WEIGHTS = 1e-6, 1e-8, 1e-6
TOL = 1e-5
METHODS = {"LPI": {}, "LPP": {"center": True}, "OLPI": {"orthogonal": True}}


def cases():
    return [(name, alpha) for name, given in INPUTS.items() for alpha in given.alphas]


def responses(X):
    return np.random.default_rng(0).normal(size=(X.shape[0], 3))


@cache
def expected_ridge(name, alpha):
    X = INPUTS[name].X
    return reference.ridge(X, responses(X), alpha)


def lengths(A):
    return np.linalg.norm(A, axis=0)


@pytest.mark.filterwarnings("ignore::vicinal.errors.ZeroEmbeddings")
@pytest.mark.parametrize(("name", "alpha"), cases())
def test_ridge_by_factoring_has_the_weights_and_the_fit_of_forty_digits(name, alpha):
    X = INPUTS[name].X
    A, fit = expected_ridge(name, alpha)
    found = regress(X, responses(X), Ridge(alpha), solver="cholesky").weights
    assert (lengths(found - A) <= WEIGHTS * lengths(A)).all()
    X = X.astype(np.float64)
    assert (lengths(X @ found - fit) <= WEIGHTS * lengths(fit) + 1e-14 * np.linalg.norm(X) * lengths(A)).all()


@pytest.mark.parametrize(("name", "alpha"), cases())
def test_ridge_by_iterating_is_as_exact_as_it_claims_or_warns(name, alpha):
    X = INPUTS[name].X
    A, fit = expected_ridge(name, alpha)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = regress(X, responses(X), Ridge(alpha), solver="cgls", tol=TOL, max_iter=500).weights
    energy = np.sqrt(lengths(fit) ** 2 + alpha * lengths(A) ** 2)
    error = np.sqrt(lengths(X.astype(np.float64) @ found - fit) ** 2 + alpha * lengths(found - A) ** 2)
    is_exact = (error <= 10 * TOL * energy + 1e-14 * np.linalg.norm(X) * lengths(A)).all()
    assert is_exact or Unconverged in [each.category for each in said]


@cache
def expected_pencil(name, alpha, method):
    given = INPUTS[name]
    return reference.pencil(given.X, given.W, alpha, **METHODS[method])


def groups(values):
    """Runs of eigenvalues that are equal to seven digits."""
    cuts = np.flatnonzero(np.abs(np.diff(values)) > 1e-7) + 1
    return np.split(np.arange(len(values)), cuts)


@pytest.mark.filterwarnings("ignore::vicinal.errors.FewerComponents", "ignore::vicinal.errors.IndistinctComponents")
@pytest.mark.filterwarnings("ignore::vicinal.errors.ZeroEmbeddings")
@pytest.mark.parametrize("solver", ["dense", "lanczos"])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("name", "alpha"), cases())
def test_pencils_have_the_eigenvalues_and_embeddings_of_forty_digits(name, alpha, method, solver):
    given, expected = INPUTS[name], expected_pencil(name, alpha, method)
    if len(expected.values) == 0:
        with pytest.raises(NoVariation):
            pencil_of_checked(given.X, given.W, 4, alpha=alpha, solver=solver, **METHODS[method])
        return
    count = min(4, len(expected.values))
    found = pencil_of_checked(given.X, given.W, 4, alpha=alpha, solver=solver, **METHODS[method])
    np.testing.assert_allclose(found.eigenvalues, expected.values[:count], atol=VALUES)
    X = given.X.astype(np.float64)
    embeddings = X @ found.weights - (0.0 if found.offset is None else found.offset)
    rounding = 1e-14 * np.linalg.norm(X) * lengths(found.weights) / lengths(embeddings)
    for group in groups(expected.values):
        if group[-1] < count and (method != "OLPI" or group[-1] == 0):
            assert angle(embeddings[:, group], expected.embeddings[:, group]) < EMBEDDED + rounding[group].max()


def test_there_are_fourteen_inputs():
    assert len(INPUTS) == 14
