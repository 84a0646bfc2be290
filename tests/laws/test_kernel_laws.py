"""Regression in the space of a kernel: RLPI where the kernel is linear, the minimum everywhere, and exact with all landmarks."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import cosine_similarity, polynomial_kernel, rbf_kernel

from tests.laws.toys import documents, error, tall, topics, wide
from vicinal import RLPI, KernelRLPI
from vicinal._matrix import unit_rows
from vicinal.graph import knn
from vicinal.projection._kernels.kernel_functions import KERNELS
from vicinal.spectrum import solve

CORPORA = {"tall": tall, "wide": wide, "documents": documents}
ALPHAS = (10.0, 0.1, 1e-4)


@pytest.fixture(name="X", params=CORPORA)
def corpus(request):
    return CORPORA[request.param]()


def values(kernel, X, Z, gamma):
    """K by scikit-learn."""
    made = {
        "linear": lambda: (X @ Z.T).toarray(),
        "cosine": lambda: cosine_similarity(X, Z),
        "rbf": lambda: rbf_kernel(X, Z, gamma),
        "polynomial": lambda: polynomial_kernel(X, Z, 3, gamma, 1.0),
    }
    return np.asarray(made[kernel]())


@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_linear_kernel_gives_the_places_of_rlpi(X, alpha):
    assert error(KernelRLPI(4, kernel="linear", alpha=alpha).fit_transform(X), RLPI(4, alpha=alpha).fit_transform(X)) < 1e-8


@pytest.mark.parametrize("alpha", ALPHAS)
def test_a_cosine_kernel_gives_the_places_of_rlpi_on_rows_of_length_one(X, alpha):
    expected = RLPI(4, alpha=alpha).fit(unit_rows(X))
    for rows in (unit_rows(X), X):
        found = KernelRLPI(4, kernel="cosine", alpha=alpha).fit(rows)
        assert error(found.transform(rows), expected.transform(unit_rows(X))) < 1e-8
        new = documents(n=20, n_terms=X.shape[1], n_topics=2, seed=5)
        assert error(found.transform(new), expected.transform(unit_rows(new))) < 1e-8


@pytest.mark.parametrize("labels", [lambda y: y, lambda y: np.where(np.arange(60) % 3 == 0, y, -1)], ids=["all", "some"])
def test_a_linear_kernel_gives_the_places_of_rlpi_with_labels(labels):
    X, y = documents(), labels(topics())
    assert error(KernelRLPI(3, kernel="linear").fit_transform(X, y), RLPI(3).fit_transform(X, y)) < 1e-8


@pytest.mark.parametrize("kernel", ["rbf", "polynomial"])
def test_other_kernels_are_not_linear_in_words(kernel):
    X = documents()
    assert error(KernelRLPI(4, kernel=kernel).fit_transform(X), RLPI(4).fit_transform(X)) > 1e-3


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_exact_map_is_the_kernel_ridge_regression_of_scikit_learn(kernel, alpha):
    X, new = documents(), documents(n=20, seed=3)
    model = KernelRLPI(4, kernel=kernel, alpha=alpha, n_neighbors=5).fit(X)
    Y = solve(knn(X, 5), 4).vectors
    expected = KernelRidge(alpha=alpha, kernel="precomputed").fit(values(kernel, X, X, model.gamma_), Y)
    assert error(model.transform(X), expected.predict(values(kernel, X, X, model.gamma_))) < 1e-8
    assert error(model.transform(new), expected.predict(values(kernel, new, X, model.gamma_))) < 1e-8


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("alpha", [1.0, 0.1, 1e-3])
def test_all_documents_as_landmarks_are_the_exact_map(X, kernel, alpha):
    exact = KernelRLPI(4, kernel=kernel, alpha=alpha).fit(X)
    for count in (X.shape[0], 10 * X.shape[0]):
        by_landmarks = KernelRLPI(4, kernel=kernel, alpha=alpha, n_landmarks=count).fit(X)
        assert error(by_landmarks.transform(X), exact.transform(X)) < 1e-8
        assert np.array_equal(by_landmarks.landmarks_, np.arange(X.shape[0]))


def test_few_landmarks_would_be_noticed():
    X = documents()
    exact = KernelRLPI(4, kernel="rbf").fit_transform(X)
    assert error(KernelRLPI(4, kernel="rbf", n_landmarks=15).fit_transform(X), exact) > 1e-3


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_function_of_the_landmarks_is_cheaper(kernel):
    X, alpha, rng = documents(), 0.1, np.random.default_rng(0)
    model = KernelRLPI(3, kernel=kernel, alpha=alpha, n_landmarks=20, n_neighbors=5).fit(X)
    chosen, Y = X[model.landmarks_], solve(knn(X, 5), 3).vectors
    across, own = (values(kernel, rows, chosen, model.gamma_) for rows in (X, chosen))

    def price(C):
        return np.sum((across @ C - Y) ** 2) + alpha * np.sum(C * (own @ C))

    best, C = price(model.dual_coef_), model.dual_coef_
    assert all(price(C + size * rng.normal(size=C.shape)) > best for size in (1e-4, 1e-2, 1.0) for _ in range(10))


@pytest.mark.parametrize("kernel", ["cosine", "rbf", "polynomial"])
@pytest.mark.parametrize("factor", [0.01, 1000.0])
@pytest.mark.parametrize("n_landmarks", [None, 20])
def test_the_unit_of_the_weights_plays_no_part(kernel, factor, n_landmarks):
    X = documents()
    options = {"kernel": kernel, "n_landmarks": n_landmarks}
    one, other = (KernelRLPI(4, **options).fit_transform(rows) for rows in (X, X * factor))
    assert error(other, one) < 1e-8


@pytest.mark.parametrize("kernel", KERNELS)
def test_words_that_no_document_uses_play_no_part(kernel):
    X = documents()
    wider = sp.csr_array(sp.hstack([sp.csr_array((60, 7)), X]))
    assert np.array_equal(KernelRLPI(4, kernel=kernel).fit_transform(wider), KernelRLPI(4, kernel=kernel).fit_transform(X))


@pytest.mark.parametrize("kernel", KERNELS)
def test_documents_in_another_order_get_the_same_places(kernel):
    X = documents()
    order = np.random.default_rng(0).permutation(60)
    assert error(KernelRLPI(4, kernel=kernel).fit_transform(X[order]), KernelRLPI(4, kernel=kernel).fit_transform(X)[order]) < 1e-9


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_ridge_becomes_the_responses_themselves_as_it_vanishes_where_the_kernel_can_tell_all_documents_apart(kernel):
    X = wide()
    Y = solve(knn(X, 5), 4).vectors
    misfits = [error(KernelRLPI(4, kernel=kernel, alpha=alpha, n_neighbors=5).fit_transform(X), Y) for alpha in (1e-3, 1e-5, 1e-7)]
    assert misfits[2] < 1e-4
    np.testing.assert_allclose(np.divide(misfits[1:], misfits[:-1]), 0.01, rtol=0.1)
