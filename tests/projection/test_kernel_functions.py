"""Kernels: their values are those of scikit-learn, symmetric to the last bit, and never negative as forms."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.metrics.pairwise import cosine_similarity, linear_kernel, polynomial_kernel, rbf_kernel

from tests.laws.toys import documents
from vicinal.projection._kernels.kernel_functions import KERNELS, Kernel, Landmarks, _plain

EXPECTED = {
    "linear": linear_kernel,
    "cosine": cosine_similarity,
    "rbf": lambda X, Z: rbf_kernel(X, Z, 0.02),
    "polynomial": lambda X, Z: polynomial_kernel(X, Z, 2, 0.02, 0.5),
}
EVERY = pytest.mark.parametrize("name", KERNELS)


def kernel(name):
    return Kernel(name, gamma=0.02, degree=2, coef0=0.5)


@EVERY
@pytest.mark.parametrize("form", [sp.csr_array, lambda X: X.toarray(), sp.csc_array], ids=["csr", "dense", "csc"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_values_are_those_of_scikit_learn(name, form, dtype):
    X, Z = (documents(n=n, seed=seed).astype(dtype) for n, seed in ((70, 0), (30, 1)))
    found = Landmarks.of(form(Z), kernel(name)).similarities(form(X))
    expected = np.asarray(EXPECTED[name](X.toarray().astype(float), Z.toarray().astype(float)))
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


@EVERY
def test_values_among_landmarks_are_symmetric_to_the_last_bit_and_positive_as_a_form(name):
    X = documents(n=70)
    K = Landmarks.of(X, kernel(name)).similarities(X)
    assert np.array_equal(K, K.T)
    values = np.linalg.eigvalsh(K)
    assert values[0] > -1e-12 * values[-1]


def test_a_document_is_wholly_like_itself():
    X = documents(n=70)
    assert np.array_equal(np.diagonal(Landmarks.of(X, kernel("rbf")).similarities(X)), np.ones(70))
    np.testing.assert_allclose(np.diagonal(Landmarks.of(X, kernel("cosine")).similarities(X)), 1, rtol=1e-15)


@EVERY
@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_threads_and_batches_change_no_bit(name, n_jobs):
    X, C = documents(n=150), np.random.default_rng(0).normal(size=(150, 3))
    near = Landmarks.of(X, kernel(name))
    sums = near.sums(X, C, 1)
    assert np.array_equal(near.sums(X, C, n_jobs), sums)
    assert np.array_equal(near.sums(X[37:90], C, n_jobs), sums[37:90])
    assert np.array_equal(near.similarities(X[37:90], n_jobs), near.similarities(X, 1)[37:90])


@EVERY
def test_sums_are_those_of_the_values(name):
    X, C = documents(n=70), np.random.default_rng(0).normal(size=(70, 3))
    near = Landmarks.of(X, kernel(name))
    np.testing.assert_allclose(near.sums(X, C), near.similarities(X) @ C, rtol=1e-10, atol=1e-12)


def test_the_scale_of_documents_that_do_not_vary_is_their_length():
    same = np.tile([[1.0, 2.0, 2.0]], (4, 1))
    assert Kernel("rbf").scaled(same).gamma == pytest.approx(1 / 9)
    assert Kernel("rbf", gamma=2.0).scaled(same).gamma == 2.0


def test_documents_that_are_stored_as_needed_are_not_copied():
    X = sp.csr_array(documents(), dtype=np.float64)
    assert np.shares_memory(_plain(X).data, X.data)
    assert _plain(X.astype(np.float32)).dtype == np.float64
