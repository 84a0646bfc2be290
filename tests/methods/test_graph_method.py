"""The shell of every method: the graph it builds, the names it keeps, the numbers it takes when none are given."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from tests.laws.toys import cycle, documents, stored, topics
from vicinal import LSI, RLPI, LaplacianEigenmap
from vicinal.errors import BadData, BadParameter, FewerComponents, NoVariation, TooFewTerms, VicinalWarning
from vicinal.graph import ClassGraph, MixedGraph, SparseGraph, knn
from vicinal.methods._base import DEFAULT_COMPONENTS
from vicinal.methods._graph_method import DEFAULT_NEIGHBORS


@pytest.fixture(name="X")
def corpus():
    return documents()


# the graph


def test_neighbours_left_open_are_seven_or_all_others(X):
    assert abs(RLPI(2).fit(X).graph_.weights - knn(X, DEFAULT_NEIGHBORS).weights).max() == 0
    few = documents(n=5, n_topics=1)
    assert abs(RLPI(2).fit(few).graph_.weights - knn(few, 4).weights).max() == 0


def test_a_corpus_of_one_document_is_its_own_neighbourhood():
    model = RLPI().fit([[1.0, 2.0]])
    assert stored(model.graph_).tolist() == [[1.0]]
    assert model.transform([[1.0, 2.0]]).shape == (1, 1)


def test_labels_for_all_make_classes_and_for_some_a_mixture(X):
    y = topics()
    assert isinstance(RLPI(2).fit(X).graph_, SparseGraph)
    assert isinstance(RLPI(3).fit(X, y).graph_, ClassGraph)
    assert isinstance(RLPI(3).fit(X, np.where(np.arange(60) < 30, y, -1)).graph_, MixedGraph)


def test_a_graph_that_is_given_is_used_beside_labels_for_all(X):
    given, y = knn(X, 5), topics()
    W = stored(RLPI(3, graph=given).fit(X, y).graph_)
    inside = y[:, None] == y[None, :]
    expected = inside * (stored(given) + given.degrees.mean() / 15)
    np.testing.assert_allclose(W[inside], expected[inside], atol=1e-12)
    assert not np.any(W * ~inside)  # classes are there to be told apart: nothing is bridged


@pytest.mark.parametrize("form", [lambda W: W, sp.csr_array, lambda W: RLPI(2, graph=W).fit(documents()).graph_])
def test_a_graph_may_be_given_in_any_form(X, form):
    model = RLPI(2, graph=form(cycle(60) + np.diag(np.linspace(0, 1, 60)))).fit(X)
    np.testing.assert_array_equal(stored(model.graph_), cycle(60) + np.diag(np.linspace(0, 1, 60)))


def test_a_graph_of_other_documents_is_refused_with_both_numbers(X):
    with pytest.raises(BadParameter, match="the graph has 59 documents but X has 60"):
        RLPI(graph=cycle(59)).fit(X)


@pytest.mark.parametrize("given", ["nearest", ""])
def test_a_graph_that_does_not_exist_is_refused(X, given):
    with pytest.raises(BadParameter, match="graph must be one of 'knn', 'complete', 'consensus', 'auto', got"):
        RLPI(graph=given).fit(X)


def test_classes_are_told_apart_whatever_is_to_be_done_with_islands(X):
    for disconnected in ("bridge", "keep", "apart"):
        model = RLPI(3, disconnected=disconnected).fit(X, topics())
        np.testing.assert_allclose(model.eigenvalues_, 1.0, atol=1e-12)


def test_a_fit_without_labels_forgets_those_of_the_fit_before(X):
    model = RLPI(3).fit(X, topics())
    assert isinstance(model.fit(X).graph_, SparseGraph)


# numbers left open


def test_dimensions_left_open_are_thirty_or_what_there_is(X):
    assert RLPI().fit(X).components_.shape[0] == DEFAULT_COMPONENTS
    few = documents(n=9, n_topics=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error", VicinalWarning)
        assert RLPI().fit(few).components_.shape[0] == 8
    with pytest.warns(FewerComponents, match="asked for 30 components but there are 8: 9 embedded documents x 90 terms"):
        RLPI(30).fit(few)


# names


def test_words_keep_the_names_of_the_columns(X):
    words = [f"w{t}" for t in range(90)]
    model = RLPI(2).fit(pd.DataFrame(X.toarray(), columns=words))
    assert model.projection_.vocabulary.tolist() == words
    assert model.projection_.top_terms(0, 1)[0][0] == words[np.abs(model.components_[0]).argmax()]
    assert RLPI(2).fit(X).projection_.vocabulary is None


def test_dimensions_are_named_after_the_method(X):
    assert RLPI(3).fit(X).get_feature_names_out().tolist() == ["rlpi0", "rlpi1", "rlpi2"]


# what cannot be learnt from


@pytest.mark.parametrize("method", [LSI, RLPI, LaplacianEigenmap])
def test_one_word_is_too_few(method):
    with pytest.raises(TooFewTerms, match=r"1 feature\(s\)"):
        method().fit(np.array([[1.0], [2.0], [3.0]]))


@pytest.mark.parametrize("method", [RLPI, LaplacianEigenmap])
def test_documents_that_are_all_alike_are_refused_with_their_number(method):
    with pytest.raises(NoVariation, match="all 3 documents"):
        method().fit(np.array([[1.0, 2.0], [2.0, 4.0], [0.5, 1.0]]))


@pytest.mark.parametrize("verb", ["fit", "transform"])
def test_what_is_no_matrix_is_bad_data_for_learning_and_for_placing(X, verb):
    model = RLPI(2).fit(X)
    with pytest.raises(BadData):
        getattr(model, verb)(["tea", "jam"])
    bad = X.toarray()
    bad[3, 4] = 1e200
    with pytest.raises(BadData, match="row 3, column 4"):
        getattr(model, verb)(bad)


def test_a_failed_fit_leaves_what_was_learnt_before(X):
    model = RLPI(2).fit(X)
    embeddings = model.transform(X)
    with pytest.raises(BadParameter):
        model.set_params(graph=cycle(7)).fit(X)
    assert np.array_equal(model.transform(X), embeddings)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"random_state": "x"}, "random_state must be None"),
        ({"eigen_solver": "x"}, "eigen_solver must be one of"),
        ({"disconnected": "x"}, "disconnected must be one of"),
        ({"weight": "x"}, "weight must be one of"),
        ({"n_neighbors": -4}, "n_neighbors must be"),
        ({"tol": "x"}, "tol must be"),
        ({"max_iter": 1.5}, "max_iter must be"),
        ({"center": "x"}, "center must be"),
    ],
)
def test_bad_parameters_are_refused_even_where_labels_make_them_idle(X, options, message):
    with pytest.raises(BadParameter, match=message):
        RLPI(3, **options).fit(X, topics())


def test_a_graph_that_is_nothing_is_refused(X):
    with pytest.raises(BadData, match=r"got None. Use vicinal.graph.knn"):
        RLPI(graph=None).fit(X)


def test_texts_are_refused_with_the_way_to_terms():
    with pytest.raises(BadData, match=r"got text \('hello world'\).*make_pipeline\(Vectorizer"):
        RLPI().fit(["hello world", "and another"])
