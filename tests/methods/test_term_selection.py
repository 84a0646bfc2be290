"""LaplacianScore as a selector of scikit-learn, and LS+LPI."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from tests.laws.toys import documents, topics
from vicinal import LPI, RLPI, CentroidClassifier, LaplacianScore, graph, laplacian_score_lpi
from vicinal.errors import BadData, BadParameter, FewerComponents, OneClass, TooFewTerms, UnembeddedDocuments, VicinalWarning
from vicinal.graph import ClassGraph, MixedGraph, SparseGraph
from vicinal.methods import METHODS, SELECTORS
from vicinal.projection import laplacian_scores


@pytest.fixture(name="X")
def corpus():
    return documents()


def noisy():
    """Topics in the first 40 words, and 20 words that fall on documents at random."""
    rng = np.random.default_rng(1)
    noise = rng.random((60, 20)) * (rng.random((60, 20)) < 0.2) * 0.5
    return sp.csr_array(sp.hstack([documents(n_terms=40), noise]))


def test_it_is_a_selector_and_no_method():
    assert LaplacianScore in SELECTORS
    assert LaplacianScore not in METHODS


# scores and support


@pytest.mark.parametrize("centered", [False, True])
def test_scores_are_those_of_the_neighbour_graph(X, centered):
    model = LaplacianScore(20, n_neighbors=5, centered=centered).fit(X)
    assert np.array_equal(model.scores_, laplacian_scores(X, graph.knn(X, 5), centered=centered))
    assert model.get_support().sum() == 20
    assert model.scores_[model.get_support()].max() <= model.scores_[~model.get_support()].min()
    assert model.get_support(indices=True).tolist() == np.flatnonzero(model.get_support()).tolist()


def test_words_of_topics_are_kept_and_words_at_random_are_not():
    chosen = LaplacianScore(40, n_neighbors=12).fit(noisy()).get_support(indices=True)
    assert np.mean(chosen < 40) >= 0.95


@pytest.mark.parametrize(("n_features", "kept"), [(90, 45), (91, 46), (2, 1)])
def test_half_of_the_words_are_kept_by_default(n_features, kept):
    X = np.random.default_rng(0).random((20, n_features))
    assert LaplacianScore().fit(X).transform(X).shape == (20, kept)


def test_words_without_a_document_are_never_kept(X):
    wide = sp.csr_array(sp.hstack([sp.csr_array((60, 30)), X]))
    model = LaplacianScore().fit(wide)
    assert np.isnan(model.scores_[:30]).all()
    assert not model.get_support()[:30].any()


def test_more_words_than_have_a_score_are_said_and_all_those_are_kept(X):
    wide = sp.csr_array(sp.hstack([X, sp.csr_array((60, 5))]))
    with pytest.warns(FewerComponents, match=r"asked for 95 terms but 90 of 95 .*Continuing with 90\.") as seen:
        model = LaplacianScore(95).fit(wide)
    assert seen[0].filename == __file__
    assert model.get_support().tolist() == [True] * 90 + [False] * 5


def test_equal_words_are_kept_by_their_order(X):
    twice = sp.csr_array(sp.hstack([X, X]))
    support = LaplacianScore(45, graph=graph.knn(X, 5)).fit(twice).get_support()
    assert not np.any(support[90:] & ~support[:90])
    assert np.count_nonzero(support[:90]) == 23


@pytest.mark.parametrize("n_terms", [0, -1, 2.5, "all", True])
def test_a_number_of_words_that_is_no_count_is_refused(X, n_terms):
    with pytest.raises(BadParameter, match="n_terms must be a whole number of at least 1, got"):
        LaplacianScore(n_terms).fit(X)


@pytest.mark.parametrize(
    "options", [{"n_neighbors": 0}, {"weight": "heavy"}, {"disconnected": "glue"}, {"n_jobs": 0}, {"graph": "web"}]
)
def test_options_that_do_not_exist_are_refused_by_name(X, options):
    with pytest.raises(BadParameter, match=next(iter(options))):
        LaplacianScore(**options).fit(X)


# graphs and labels


def test_labels_make_the_graph_as_everywhere(X):
    y = topics()
    assert isinstance(LaplacianScore().fit(X).graph_, SparseGraph)
    assert isinstance(LaplacianScore().fit(X, y).graph_, ClassGraph)
    assert isinstance(LaplacianScore().fit(X, np.where(np.arange(60) < 30, y, -1)).graph_, MixedGraph)
    with pytest.raises(OneClass):
        LaplacianScore().fit(X, np.zeros(60))


def test_with_labels_words_of_one_class_are_the_smoothest():
    y = topics()
    X = np.column_stack([y == 1, np.arange(60) % 2 == 0, np.random.default_rng(0).random(60)]).astype(float)
    model = LaplacianScore(1, centered=True).fit(X[:, [2, 0]], y)
    assert model.get_support().tolist() == [False, True]


def test_a_complete_graph_and_a_given_one_may_be_asked_for(X):
    expected = laplacian_scores(X, graph.complete(X, weight="heat"))
    assert np.array_equal(LaplacianScore(graph="complete", weight="heat").fit(X).scores_, expected)
    given = graph.knn(X, 6)
    assert np.array_equal(LaplacianScore(graph=given.weights).fit(X).scores_, laplacian_scores(X, given))


def test_an_empty_document_changes_no_score(X):
    with_empty = sp.csr_array(sp.vstack([X[:7], sp.csr_array((1, 90)), X[7:]]))
    model = LaplacianScore()
    with pytest.warns(UnembeddedDocuments, match="1 of 61"):
        model.fit(with_empty)
    np.testing.assert_allclose(model.scores_, LaplacianScore().fit(X).scores_, rtol=1e-13)
    assert np.flatnonzero(model.unembedded_).tolist() == [7]


def test_the_number_of_threads_changes_no_bit(X):
    one, two = (LaplacianScore(n_jobs=n_jobs).fit(X).scores_ for n_jobs in (1, 2))
    assert np.array_equal(one, two)


# manners


@pytest.mark.parametrize("form", [sp.csr_array, sp.csr_matrix, sp.csc_array, lambda X: X.toarray()])
def test_columns_come_out_as_they_went_in(X, form):
    model = LaplacianScore(10).fit(form(X))
    chosen = model.transform(form(X))
    assert sp.issparse(chosen) == sp.issparse(form(X))
    dense = chosen.toarray() if sp.issparse(chosen) else chosen
    assert np.array_equal(dense, X.toarray()[:, model.get_support()])


def test_what_is_put_back_has_zeros_where_nothing_was_kept(X):
    model = LaplacianScore(10).fit(X)
    back = model.inverse_transform(model.transform(X)).toarray()
    assert np.array_equal(back, X.toarray() * model.get_support())


def test_names_of_the_words_that_are_kept_come_out(X):
    table = pd.DataFrame(X.toarray(), columns=[f"word {t}" for t in range(90)])
    model = LaplacianScore(3).set_output(transform="pandas").fit(table)
    names = [f"word {t}" for t in model.get_support(indices=True)]
    assert model.get_feature_names_out().tolist() == names
    assert model.transform(table).columns.tolist() == names


def test_a_copy_chooses_the_same_and_a_clone_has_learnt_nothing(X):
    model = LaplacianScore(10).fit(X)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).get_support(), model.get_support())
    with pytest.raises(NotFittedError):
        clone(model).get_support()
    with pytest.raises(NotFittedError):
        clone(model).transform(X)


def test_what_cannot_be_learnt_from_is_refused(X):
    with pytest.raises(TooFewTerms):
        LaplacianScore().fit(np.ones((4, 1)))
    bad = X.toarray()
    bad[3, 4] = np.nan
    with pytest.raises(BadData, match="row 3, column 4"):
        LaplacianScore().fit(bad)
    with pytest.raises(BadData, match="row 3, column 4"):
        LaplacianScore().fit(X).transform(bad)
    with pytest.raises(BadData, match="X has 40 features"):
        LaplacianScore().fit(X).transform(X[:, :40])


# before another method


def test_ls_lpi_is_lpi_on_the_words_that_were_kept(X):
    pipeline = laplacian_score_lpi(50, n_components=4, n_neighbors=5, alpha=0.1)
    embeddings = pipeline.fit_transform(X)
    kept = LaplacianScore(50, n_neighbors=5).fit(X).get_support()
    assert np.array_equal(embeddings, LPI(4, n_neighbors=5, alpha=0.1).fit_transform(X[:, kept]))
    assert list(pipeline.named_steps) == ["laplacianscore", "lpi"]


def test_ls_lpi_takes_labels_to_both_steps(X):
    pipeline = laplacian_score_lpi(50).fit(X, topics())
    assert [isinstance(step.graph_, ClassGraph) for step in pipeline.named_steps.values()] == [True, True]
    assert pipeline.transform(X).shape == (60, 3)


def test_a_graph_given_to_ls_lpi_serves_both_steps(X):
    given = graph.knn(X, 6)
    pipeline = laplacian_score_lpi(50, n_components=3, graph=given, centered=True).fit(X)
    assert all(step.graph_ is given for step in pipeline.named_steps.values())
    assert pipeline[0].centered


def test_ls_lpi_tells_topics_apart_among_words_at_random():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        embeddings = laplacian_score_lpi(40, n_components=4, n_neighbors=12).fit_transform(noisy())
    assert CentroidClassifier().fit(embeddings, topics()).score(embeddings, topics()) >= 0.9


def test_a_search_over_the_number_of_words_runs():
    pipeline = make_pipeline(LaplacianScore(), RLPI(3), CentroidClassifier())
    grid = {"laplacianscore__n_terms": [20, 40], "laplacianscore__centered": [False, True]}
    search = GridSearchCV(pipeline, grid, cv=3, error_score="raise").fit(noisy(), topics())
    assert search.best_score_ > 0.5
