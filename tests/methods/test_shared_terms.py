"""FSSL and LPFL: few words, the same for all dimensions."""

from __future__ import annotations

import numpy as np
import pytest

from tests.laws.toys import documents, topics
from vicinal import FSSL, LPFL, CentroidClassifier, cluster
from vicinal.errors import BadParameter, EmptyComponents, FewerComponents
from vicinal.graph import knn
from vicinal.metrics import clustering_accuracy
from vicinal.projection import RowCount, RowLasso, RowLassoCount, regress
from vicinal.spectrum import solve

BOTH = pytest.mark.parametrize("method", [FSSL, LPFL])


@pytest.fixture(name="X")
def corpus():
    return documents()


@pytest.mark.parametrize(
    ("model", "penalty"),
    [
        (FSSL(4, n_terms=20), RowLassoCount(20)),
        (FSSL(4, n_terms=20, ridge=0.2, center=True), RowLassoCount(20, 0.2)),
        (FSSL(4, alpha=0.2, ridge=0.3), RowLasso(0.2, 0.3, relative=True)),
        (LPFL(4, n_terms=20), RowCount(20, 0.1)),
        (LPFL(4, n_terms=20, ridge=0.0, center=True), RowCount(20, 0.0)),
        (LPFL(4, n_terms=20, solver="adm"), RowCount(20, 0.1)),
        (LPFL(4), RowCount(1000, 0.1)),
    ],
    ids=str,
)
def test_each_is_the_regression_of_the_spectrum_onto_shared_words(X, model, penalty):
    model = model.set_params(n_neighbors=5).fit(X)
    options = {"center": model.center, "tol": model.tol, "max_iter": model.max_iter}
    expected = regress(X, solve(knn(X, 5), 4), penalty, solver=model.solver, **options)
    assert np.array_equal(model.components_, expected.weights.T)
    assert np.array_equal(model.eigenvalues_, expected.eigenvalues)
    assert np.array_equal(model.transform(X), expected.transform(X))


@BOTH
def test_words_are_listed_once_with_the_heaviest_first_and_as_a_mask(X, method):
    model = method(3, n_terms=12).fit(X)
    lengths = np.linalg.norm(model.components_, axis=0)
    assert len(model.selected_terms_) == 12
    assert np.all(np.diff(lengths[model.selected_terms_]) <= 0)
    assert lengths[model.selected_terms_].min() > 0
    assert model.get_support().tolist() == (lengths > 0).tolist()
    assert model.get_support(indices=True).tolist() == sorted(model.selected_terms_)


@BOTH
def test_places_depend_on_the_chosen_words_alone(X, method):
    model = method(3, n_terms=12).fit(X)
    masked = X.toarray() * model.get_support()
    np.testing.assert_allclose(model.transform(masked), model.transform(X), atol=1e-12)


@BOTH
def test_a_number_left_open_is_a_thousand(method):
    assert method()._penalty().limit == 1000


def test_lpfl_tells_what_each_solver_came_to(X):
    model = LPFL(3, n_terms=12).fit(X)
    assert set(model.objectives_) == {"adm", "proximal"}
    assert model.projection_.made_by["solver"] == min(model.objectives_, key=model.objectives_.get)
    assert set(LPFL(3, n_terms=12, solver="adm").fit(X).objectives_) == {"adm"}
    assert set(LPFL(3).fit(X).objectives_) == {"ridge"}


def test_a_larger_alpha_leaves_fewer_words(X):
    totals = [len(FSSL(3, alpha=alpha).fit(X).selected_terms_) for alpha in (0.05, 0.2, 0.6)]
    assert totals[0] > totals[1] > totals[2] > 0


def test_a_penalty_that_leaves_no_word_is_said_and_everyone_lands_on_zero(X):
    with pytest.warns(EmptyComponents, match="no term is left"):
        model = FSSL(2, alpha=1.0).fit(X)
    assert not model.transform(X).any()
    assert len(model.selected_terms_) == 0
    assert not model.get_support().any()


@BOTH
def test_fewer_words_than_dimensions_give_fewer_dimensions(X, method):
    with pytest.warns(FewerComponents, match="asked for 5 components but there are 2"):
        assert method(5, n_terms=2).fit(X).components_.shape == (2, 90)


@BOTH
@pytest.mark.parametrize("options", [{"n_terms": 0}, {"n_terms": 2.5}, {"ridge": -0.1}, {"max_iter": 0}, {"tol": -1.0}], ids=str)
def test_what_is_no_number_of_words_and_no_penalty_is_refused(X, method, options):
    with pytest.raises(BadParameter, match=f"{next(iter(options))} must be"):
        method(2, **options).fit(X)


def test_what_only_one_of_them_takes_is_refused_by_name(X):
    with pytest.raises(BadParameter, match=r"n_terms=5 and alpha=0\.1 both"):
        FSSL(2, n_terms=5, alpha=0.1).fit(X)
    with pytest.raises(BadParameter, match="alpha must be"):
        FSSL(2, alpha=0.0).fit(X)
    with pytest.raises(BadParameter, match="solver must be one of 'auto', 'adm', 'proximal'"):
        LPFL(2, solver="cgls").fit(X)


@BOTH
def test_forty_words_are_enough_to_tell_four_topics_apart(method):
    X = documents(200, 90)
    embeddings = method(3, n_neighbors=7, n_terms=40).fit_transform(X)
    assert clustering_accuracy(topics(200), cluster(embeddings, 4, normalize=False).labels) > 0.85


@BOTH
def test_labels_are_learnt_all_or_some(X, method):
    y = topics()
    whole = method(n_terms=20).fit(X, y)
    assert whole.components_.shape == (3, 90)
    assert CentroidClassifier().fit(whole.transform(X), y).score(whole.transform(X), y) > 0.95
    some = np.where(np.arange(60) % 3 == 0, y, -1)
    partial = method(3, n_terms=20).fit(X, some)
    assert len(partial.selected_terms_) == 20
    assert not np.array_equal(partial.components_, method(3, n_terms=20).fit(X).components_)
