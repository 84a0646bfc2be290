"""Discriminant analysis: LPP on the class graph is LDA, and RLPI on it, centred, is its regression form."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from tests.laws.toys import angle, documents, error, tall, topics, wide
from vicinal import LDA, LPP, RLPI, SRDA


def uneven(n):
    """Classes of different sizes, so that no two eigenvalues are equal."""
    return np.sort(np.random.default_rng(0).choice([0, 1, 1, 2, 2, 2, 3, 3, 3, 3], n))


@pytest.mark.parametrize("solver", ["svd", "eigen"])
@pytest.mark.parametrize("y", [topics(80, 3), uneven(80)], ids=["even", "uneven"])
def test_lda_spans_the_discriminants_of_scikit_learn(solver, y):
    X, n_functions = tall(), len(np.unique(y)) - 1
    expected = LinearDiscriminantAnalysis(solver=solver).fit(X.toarray(), y).scalings_[:, :n_functions]
    found = LDA().fit(X, y).components_.T
    assert found.shape == expected.shape
    assert angle(found, expected) < 1e-9
    for j in range(n_functions):  # direction by direction, best first
        assert angle(found[:, [j]], expected[:, [j]]) < 1e-7


def test_directions_that_keep_neighbours_together_would_not_be_the_discriminants():
    X, y = tall(), uneven(80)
    expected = LinearDiscriminantAnalysis(solver="eigen").fit(X.toarray(), y).scalings_[:, :3]
    assert angle(LPP(3).fit(X).components_.T, expected) > 0.1


def test_eigenvalues_of_lda_are_the_share_of_scatter_that_lies_between_classes():
    X, y = tall(), uneven(80)
    model = LDA().fit(X, y)
    embeddings = model.transform(X)
    means = np.array([embeddings[y == label].mean(axis=0) for label in range(4)])[y]
    np.testing.assert_allclose(np.sum(means**2, axis=0) / np.sum(embeddings**2, axis=0), model.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(embeddings.mean(axis=0), 0, atol=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_lda_is_lpp_with_labels(alpha):
    X, y = documents(), topics()
    lda, lpp = LDA(alpha=alpha).fit(X, y), LPP(alpha=alpha).fit(X, y)
    assert np.array_equal(lda.components_, lpp.components_)
    assert np.array_equal(lda.eigenvalues_, lpp.eigenvalues_)


@pytest.mark.parametrize("alpha", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("solver", ["cholesky", "cgls"])
def test_srda_is_centred_rlpi_with_labels(alpha, solver):
    X, y = documents(), topics()
    srda = SRDA(alpha=alpha, solver=solver).fit(X, y)
    rlpi = RLPI(alpha=alpha, solver=solver, center=True).fit(X, y)
    assert np.array_equal(srda.components_, rlpi.components_)
    assert np.array_equal(srda.transform(X), rlpi.transform(X))


def test_rlpi_that_is_not_centred_would_be_noticed():
    X, y = tall(), uneven(80)
    assert error(RLPI(alpha=0.1).fit_transform(X, y), SRDA(alpha=0.1).fit_transform(X, y)) > 1e-3


def test_srda_spans_lda_as_fast_as_alpha_vanishes_where_terms_are_independent():
    X, y = tall(), uneven(80)
    lda = LDA().fit(X, y).components_.T
    angles = [angle(SRDA(alpha=alpha).fit(X, y).components_.T, lda) for alpha in (1e-2, 1e-4, 1e-6)]
    np.testing.assert_allclose(np.divide(angles[1:], angles[:-1]), 0.01, rtol=0.05)
    assert angles[-1] < 1e-6


def test_srda_brings_the_documents_to_the_places_of_lda_where_documents_are_independent():
    X, y = wide(), topics(30, 3)
    lda, srda = LDA().fit(X, y), SRDA(alpha=1e-9).fit(X, y)
    np.testing.assert_allclose(lda.eigenvalues_, 1, atol=1e-10)
    assert angle(srda.components_.T, lda.components_.T) < 1e-7
    assert error(srda.transform(X) @ srda.transform(X).T, lda.transform(X) @ lda.transform(X).T) < 1e-7


@pytest.mark.parametrize("method", [LDA, SRDA])
def test_documents_without_a_label_teach_nothing(method):
    X, y = documents(), topics()
    known = np.arange(60) % 5 != 0
    with pytest.warns(UserWarning, match="12 of 60 documents have no label"):
        partial = method().fit(X, np.where(known, y, -1))
    alone = method().fit(X[known], y[known])
    assert error(partial.components_, alone.components_) < 1e-10
    assert error(partial.transform(X), alone.transform(X)) < 1e-10
