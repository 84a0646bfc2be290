"""LDA and SRDA: what they need, how many dimensions they make, what they say, and the papers' classifiers behind them."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from tests.laws.toys import documents, error, topics
from vicinal import LDA, RLPI, SRDA, CentroidClassifier
from vicinal.errors import (
    BadLabels,
    BadParameter,
    FewerComponents,
    IndistinctComponents,
    NoVariation,
    OneClass,
    SingletonClass,
    UnembeddedDocuments,
    UnlabelledDocuments,
)
from vicinal.graph import classes
from vicinal.methods import METHODS, SUPERVISED

BOTH = pytest.mark.parametrize("method", SUPERVISED)


@pytest.fixture(name="X")
def corpus():
    return documents()


@pytest.fixture(name="y")
def labels():
    return topics()


def test_methods_that_need_labels_stand_apart():
    assert SUPERVISED == (LDA, SRDA)
    assert not set(SUPERVISED) & set(METHODS)


# labels


@BOTH
def test_no_labels_are_refused_with_a_way_out(method, X):
    with pytest.raises(BadLabels, match=rf"{method.__name__} requires y to be passed.*use RLPI"):
        method().fit(X)


@BOTH
@pytest.mark.parametrize("missing", [-1, None])
def test_labels_that_are_all_missing_are_refused(method, X, missing):
    with pytest.raises(BadLabels, match="all 60 are -1 or None"):
        method().fit(X, np.full(60, missing))


@BOTH
def test_labels_of_one_class_are_refused(method, X):
    with pytest.raises(OneClass, match="1 class"):
        method().fit(X, np.zeros(60))


@BOTH
@pytest.mark.parametrize("y", [np.zeros(59), np.zeros((60, 2)), np.linspace(0, 1, 60), np.full(60, np.nan)])
def test_labels_that_are_no_classes_or_not_one_per_document_are_bad(method, X, y):
    with pytest.raises(BadLabels):
        method().fit(X, y)


@BOTH
def test_documents_without_a_label_are_said_and_embedded_and_stand_outside_the_graph(method, X, y):
    y[[3, 40]] = -1
    with pytest.warns(UnlabelledDocuments, match=rf"2 of 60 documents have no label.*{method.__name__}") as seen:
        model = method().fit(X, y)
    assert [each.filename for each in seen] == [__file__]
    assert np.flatnonzero(model.unembedded_).tolist() == [3, 40]
    assert np.all(np.linalg.norm(model.transform(X), axis=1) > 1e-6)


@BOTH
def test_the_graph_is_that_of_the_classes(method, X, y):
    model = method().fit(X, y)
    assert np.array_equal(model.graph_.labels, classes(y).labels)
    assert not model.unembedded_.any()


@BOTH
def test_a_class_of_one_document_is_allowed_and_said(method, X, y):
    y[0] = 9
    with pytest.warns(SingletonClass, match="1 of 5 classes"):
        assert method().fit(X, y).components_.shape == (4, 90)


@BOTH
def test_a_document_without_words_speaks_for_no_class_and_lands_on_zero(method, X, y):
    with_empty = sp.csr_array(sp.vstack([X[:5], sp.csr_array((1, 90)), X[5:]]))
    with pytest.warns(UnembeddedDocuments, match=r"1 of 61 documents have no terms.*document 5") as seen:
        model = method().fit(with_empty, np.insert(y, 5, 7))  # the only one of its class
    assert [each.filename for each in seen] == [__file__]
    assert error(model.transform(X), method().fit(X, y).transform(X)) < 1e-12
    assert not model.transform(with_empty)[5].any()


@BOTH
def test_documents_that_are_all_empty_are_refused(method):
    with pytest.raises(NoVariation, match="all 6 documents"):
        method().fit(np.zeros((6, 4)), [0, 1, 0, 1, 0, 1])


# dimensions


@BOTH
@pytest.mark.parametrize("n_classes", [2, 3, 6, 40])
def test_there_is_one_dimension_less_than_classes_even_where_these_are_many(method, n_classes):
    X = documents(n=120, n_terms=160)
    model = method().fit(X, topics(120, n_classes))
    assert model.transform(X).shape == (120, n_classes - 1)
    assert model.get_feature_names_out().tolist()[-1] == f"{method.__name__.lower()}{n_classes - 2}"


@BOTH
def test_more_dimensions_than_classes_less_one_do_not_exist(method, X, y):
    with pytest.warns(FewerComponents, match=r"asked for 7 components but there are 3.*Continuing with 3"):
        assert method(7).fit(X, y).components_.shape == (3, 90)


def test_fewer_discriminants_are_the_best_ones():
    X, y = documents(n=80, n_terms=24, n_topics=2), topics(80, 4)
    few, all_of_them = LDA(2).fit(X, y), LDA().fit(X, y)
    assert error(few.components_, all_of_them.components_[:2]) < 1e-9


def test_fewer_contrasts_of_classes_are_an_arbitrary_choice_that_is_said(X, y):
    with pytest.warns(IndistinctComponents, match="2 and 3 cannot be told apart"):
        SRDA(2).fit(X, y)


# parameters and manners


@BOTH
@pytest.mark.parametrize("alpha", [-1.0, np.nan, "much", None])
def test_a_penalty_that_is_no_number_from_zero_up_is_refused(method, X, y, alpha):
    with pytest.raises(BadParameter, match="alpha must be a finite number of at least 0"):
        method(alpha=alpha).fit(X, y)


@BOTH
def test_parameters_are_those_that_play_a_part(method):
    absent = {"n_neighbors", "weight", "graph", "disconnected", "center", "eigen_solver"}
    assert not absent & set(method().get_params())
    assert clone(method(3, alpha=0.7)).get_params() == method(3, alpha=0.7).get_params()


@BOTH
@pytest.mark.parametrize("stored", [sp.csr_array, sp.csc_array, lambda X: X.toarray()], ids=["csr", "csc", "dense"])
def test_the_same_numbers_give_the_same_places_however_they_are_stored(method, X, y, stored):
    expected = method().fit(X, y).transform(X)
    assert error(method().fit(stored(X), y).transform(stored(X)), expected) < 1e-10


@BOTH
def test_two_runs_on_one_and_two_threads_and_any_batch_give_the_same_bits(method, X, y):
    one, two = (method(n_jobs=n_jobs).fit(X, y) for n_jobs in (1, 2))
    assert np.array_equal(one.components_, two.components_)
    assert np.array_equal(np.vstack([one.transform(X[[row]]) for row in range(60)]), two.transform(X))


@BOTH
def test_names_of_classes_change_nothing_but_the_basis(method, X, y):
    names = np.array(["z", "m", "a", "k"])[y]
    one, other = (method().fit(X, given).transform(X) for given in (y, names))
    assert error(other @ other.T, one @ one.T) < 1e-9


# the papers' classifiers


CLASSIFIERS = {
    "nearest centroid by cosine": CentroidClassifier(),
    "nearest centroid": NearestCentroid(),
    "nearest neighbours": KNeighborsClassifier(5),
    "linear SVM": LinearSVC(),
}


def blurred(n, seed):
    """Documents whose words are two thirds astray."""
    X = documents(n=n, n_terms=400, n_topics=4, seed=seed)
    noise = documents(n=n, n_terms=400, n_topics=1, seed=seed + 100)
    return sp.csr_array(X + 2.0 * noise)


@pytest.mark.parametrize("space", [SRDA(), LDA(), RLPI()], ids=["SRDA", "LDA", "RLPI"])
@pytest.mark.parametrize("classifier", CLASSIFIERS.values(), ids=CLASSIFIERS.keys())
def test_the_papers_classifiers_work_behind_it(space, classifier):
    pipeline = make_pipeline(clone(space), clone(classifier)).fit(blurred(200, 0), topics(200))
    assert pipeline.score(blurred(100, 1), topics(100)) > 0.6  # chance is a quarter
