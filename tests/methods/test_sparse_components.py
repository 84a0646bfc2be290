"""SLPI and SparsePCA: what they choose by, what they keep, what they say."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.decomposition import PCA

from tests.laws.toys import documents, error_up_to_sign, topics
from vicinal import SLPI, CentroidClassifier, SparsePCA, cluster
from vicinal.errors import BadParameter, EmptyComponents, FewerTerms, IndistinctComponents, UnembeddedDocuments
from vicinal.graph import knn
from vicinal.methods._sparse_components import principal_scores
from vicinal.metrics import clustering_accuracy
from vicinal.projection import ElasticNet, TermCount, regress
from vicinal.spectrum import solve

BOTH = pytest.mark.parametrize("method", [SLPI, SparsePCA])


@pytest.fixture(name="X")
def corpus():
    return documents()


def counts(model):
    return np.count_nonzero(model.components_, axis=1).tolist()


# the rows of the table


@pytest.mark.parametrize(
    ("options", "penalty"),
    [
        ({}, TermCount()),
        ({"n_terms": 7}, TermCount(7)),
        ({"n_terms": 7, "ridge": 0.2}, TermCount(7, 0.2)),
        ({"alpha": 0.2}, ElasticNet(0.2, 0.0, relative=True)),
        ({"alpha": 0.2, "ridge": 0.3, "center": True}, ElasticNet(0.2, 0.3, relative=True)),
    ],
    ids=str,
)
def test_slpi_is_the_regression_of_the_spectrum_onto_few_words(X, options, penalty):
    model = SLPI(4, n_neighbors=5, **options).fit(X)
    center = options.get("center", False)
    expected = regress(X, solve(knn(X, 5), 4), penalty, center=center, tol=1e-6, max_iter=10_000)
    assert np.array_equal(model.components_, expected.weights.T)
    assert np.array_equal(model.eigenvalues_, expected.eigenvalues)
    assert np.array_equal(model.transform(X), expected.transform(X))


def test_sparse_pca_is_the_regression_of_principal_components_onto_few_words(X):
    model = SparsePCA(4, n_terms=7).fit(X)
    pca = PCA(4).fit(X.toarray())
    expected = regress(X, pca.transform(X.toarray()), TermCount(7), center=True)
    assert error_up_to_sign(model.components_.T, expected.weights) < 1e-8
    np.testing.assert_allclose(model.eigenvalues_, pca.singular_values_**2, rtol=1e-10)
    np.testing.assert_allclose(model.transform(X).mean(axis=0), 0, atol=1e-12)


def test_sparse_pca_with_all_words_gives_the_principal_components_back():
    X = documents(n=80, n_terms=24, n_topics=2)
    model = SparsePCA(3, n_terms=24).fit(X)
    assert error_up_to_sign(model.transform(X), PCA(3).fit_transform(X.toarray())) < 1e-8


def test_principal_scores_of_many_documents_are_those_of_few():
    X = documents(600, 700)
    values, scores = principal_scores(X, 5)
    expected = PCA(5, svd_solver="full").fit(X.toarray())
    np.testing.assert_allclose(values, expected.singular_values_, rtol=1e-8)
    assert error_up_to_sign(scores, expected.transform(X.toarray())) < 1e-6
    few_values, few = principal_scores(X[:400], 5)
    full = PCA(5, svd_solver="full").fit(X[:400].toarray())
    np.testing.assert_allclose(few_values, full.singular_values_, rtol=1e-8)
    assert error_up_to_sign(few, full.transform(X[:400].toarray())) < 1e-6


# choosing words


@BOTH
def test_every_dimension_has_the_number_of_words_asked_for(X, method):
    assert counts(method(3, n_terms=7).fit(X)) == [7, 7, 7]


@BOTH
def test_a_number_left_open_is_fifty(method):
    assert counts(method(3).fit(documents(200, 400))) == [50, 50, 50]


@BOTH
def test_a_larger_alpha_leaves_fewer_words(X, method):
    totals = [sum(counts(method(3, alpha=alpha).fit(X))) for alpha in (0.05, 0.2, 0.6)]
    assert totals[0] > totals[1] > totals[2] > 0


@BOTH
def test_words_are_listed_by_dimension_with_the_heaviest_first(X, method):
    model = method(3, n_terms=6).fit(X)
    assert len(model.selected_terms_) == 3
    for chosen, weights in zip(model.selected_terms_, model.components_, strict=True):
        assert sorted(chosen) == np.flatnonzero(weights).tolist()
        assert np.all(np.diff(np.abs(weights[chosen])) <= 0)
    named = model.projection_.named([f"w{t}" for t in range(90)])
    assert [name for name, _ in named.top_terms(1)] == [f"w{t}" for t in model.selected_terms_[1]]


@BOTH
def test_both_ways_to_choose_at_once_are_refused(X, method):
    with pytest.raises(BadParameter, match=r"n_terms=5 and alpha=0\.1 both"):
        method(2, n_terms=5, alpha=0.1).fit(X)


@BOTH
@pytest.mark.parametrize(
    "options", [{"n_terms": 0}, {"n_terms": 2.5}, {"alpha": 0.0}, {"alpha": -1.0}, {"alpha": "much"}, {"ridge": -0.1}], ids=str
)
def test_what_is_no_number_of_words_and_no_penalty_is_refused(X, method, options):
    with pytest.raises(BadParameter, match=f"{next(iter(options))} must be"):
        method(2, **options).fit(X)


@BOTH
def test_a_penalty_that_leaves_no_word_is_said_and_everyone_lands_on_zero(X, method):
    with pytest.warns(EmptyComponents, match="2 of 2 components"):
        model = method(2, alpha=1.0).fit(X)
    assert not model.transform(X).any()
    assert model.components_.shape == (2, 90)
    assert model.get_feature_names_out().shape == (2,)
    assert [len(each) for each in model.selected_terms_] == [0, 0]


@BOTH
def test_more_words_than_there_are_are_said(method):
    with pytest.warns(FewerTerms, match="asked for 100 terms"):
        method(2, n_terms=100).fit(documents(n=80, n_terms=24, n_topics=2))


# learning


@pytest.mark.parametrize("options", [{"n_terms": 12}, {"alpha": 0.1}, {"n_terms": 12, "ridge": 0.1, "center": True}], ids=str)
def test_twelve_words_are_enough_to_tell_four_topics_apart(options):
    X = documents(200, 90)
    embeddings = SLPI(3, n_neighbors=7, **options).fit_transform(X)
    assert clustering_accuracy(topics(200), cluster(embeddings, 4, normalize=False).labels) > 0.9


def test_labels_are_learnt_all_or_some(X):
    y = topics()
    whole = SLPI(n_terms=15).fit(X, y)
    assert whole.components_.shape == (3, 90)
    assert CentroidClassifier().fit(whole.transform(X), y).score(whole.transform(X), y) > 0.95
    some = np.where(np.arange(60) % 3 == 0, y, -1)
    partial = SLPI(3, n_terms=15).fit(X, some)
    assert not np.array_equal(partial.components_, SLPI(3, n_terms=15).fit(X).components_)
    assert counts(partial) == [15, 15, 15]


def test_the_words_chosen_are_those_of_the_topics():
    X = documents(200, 90, n_topics=3)
    model = SLPI(n_terms=10).fit(X, topics(200, 3))
    first = model.components_[0]  # topic 0, or whichever is largest, against the others: its own words pull one way
    assert set(np.flatnonzero(first > 0) // 30) & set(np.flatnonzero(first < 0) // 30) == set()


def test_documents_without_words_take_no_part_in_principal_components(X):
    padded = sp.csr_array(sp.vstack([X[:10], sp.csr_array((2, 90)), X[10:]]))
    expected = SparsePCA(3, n_terms=9).fit(X)
    with pytest.warns(UnembeddedDocuments, match=r"2 of 62 documents .* document 10"):
        model = SparsePCA(3, n_terms=9).fit(padded)
    np.testing.assert_allclose(model.components_, expected.components_, atol=1e-12)
    assert np.flatnonzero(model.unembedded_).tolist() == [10, 11]
    assert not model.transform(padded)[10:12].any()


def test_principal_components_that_cannot_be_told_apart_at_the_cut_are_said():
    ring = np.eye(31) + np.roll(np.eye(31), 1, axis=1)
    with pytest.warns(IndistinctComponents, match="components 3 and 4"):
        SparsePCA(3, n_terms=5).fit(ring)
