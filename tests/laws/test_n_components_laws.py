"""Laws of choosing the numbers of components and of shared terms: functions that two halves share, one path for all numbers."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, error, topics
from vicinal import FSSL, LPFL, LPI, LSI, RLPI, SRDA, Choice, KernelRLPI, LaplacianEigenmap
from vicinal._matrix import unit_rows
from vicinal.errors import BadParameter
from vicinal.graph import agreement, classes, knn
from vicinal.projection import RowCount, RowLassoCount, choose_n_components, choose_n_shared_terms, regress
from vicinal.projection._model_selection.maps_by_n_terms import forward_maps, row_lasso_maps
from vicinal.projection._model_selection.n_components import components_in_common
from vicinal.projection._model_selection.validation_split import train_validation_splits


@pytest.fixture(name="corpus")
def corpus_with_graph():
    X = unit_rows(documents(n=240, n_terms=200))
    return X, knn(X, 6)


# what two sets of functions share (P42)


def columns(n=60, d=6, seed=0):
    rng = np.random.default_rng(seed)
    degrees = rng.uniform(0.5, 2.0, n)
    V = rng.standard_normal((n, d))
    return V - (degrees @ V) / degrees.sum(), degrees, rng


def test_what_is_shared_is_the_sum_of_squared_cosines_of_the_principal_angles():
    V, degrees, rng = columns()
    F = V @ rng.standard_normal((6, 6)) + rng.standard_normal((60, 6)) + 3.0  # a mean, which does not count
    centred = F - (degrees @ F) / degrees.sum()
    found = components_in_common(F, V, degrees)
    for d in range(1, 7):
        one, two = (np.linalg.qr(np.sqrt(degrees)[:, None] * A[:, :d])[0] for A in (centred, V))
        assert found[d - 1] == pytest.approx(np.sum(np.linalg.svd(one.T @ two)[1] ** 2), abs=1e-6)


def test_the_same_functions_in_other_bases_share_everything_and_independent_ones_nothing():
    V, degrees, rng = columns()
    upper = np.triu(rng.uniform(0.5, 1.0, (6, 6)))
    np.testing.assert_allclose(components_in_common(V @ upper, V, degrees), np.arange(1, 7), atol=1e-5)
    other = rng.standard_normal((60, 6))
    other -= V @ np.linalg.solve(V.T @ (degrees[:, None] * V), V.T @ (degrees[:, None] * other))
    assert np.all(components_in_common(other - (degrees @ other) / degrees.sum(), V, degrees) < 1e-6)


def test_a_column_of_zeros_or_one_that_repeats_another_adds_nothing():
    V, degrees, _ = columns()
    F = V.copy()
    F[:, 2], F[:, 4] = 0.0, F[:, 1]
    found = components_in_common(F, V, degrees)
    assert np.isfinite(found).all()
    assert found[-1] == pytest.approx(4.0, abs=1e-3)


# components (P43)


@pytest.mark.parametrize("n_topics", [4, 8])
def test_clear_subjects_have_about_one_component_each(n_topics):
    X = unit_rows(documents(n=80 * n_topics, n_terms=60 * n_topics, n_topics=n_topics))
    choice = choose_n_components(X, knn(X, 7), 100)
    assert choice.low <= n_topics - 1 <= choice.high
    assert n_topics - 1 <= choice.chosen <= n_topics + 2


def test_where_no_number_stands_out_the_evidence_says_so():
    rng = np.random.default_rng(0)
    X = unit_rows(sp.csr_array(sp.random(300, 400, 0.05, random_state=rng, data_rvs=rng.random)))
    choice = choose_n_components(X, knn(X, 7), 100)
    assert choice.range == (1, choice.candidates[-1])
    assert "n_components=37, the largest candidate" in choice.why


def test_classes_leave_nothing_to_choose(corpus):
    X, y = corpus[0], topics(240)
    choice = choose_n_components(X, classes(y), 200)
    assert (choice.chosen, choice.candidates.tolist()) == (3, [3])
    assert RLPI("auto").fit(X, y).n_components_ == SRDA("auto").fit(X, y).n_components_ == 3


@pytest.mark.parametrize("n", [2, 5, 15])
def test_too_few_documents_get_the_usual_number_and_the_evidence_says_so(n):
    X = unit_rows(documents(n=n))
    choice = choose_n_components(X, knn(X, 1), n - 1, usual=3)
    assert choice.chosen == min(3, n - 1)
    assert np.isnan(choice.scores).all()
    assert "too few documents" in choice.why


@pytest.mark.parametrize("graph", ["auto", "consensus"])
@pytest.mark.parametrize("n", [24, 320])
def test_a_consensus_of_few_functions_gets_all_of_them_and_the_evidence_does_not_blame_the_documents(n, graph):
    X = unit_rows(documents(n=n, n_terms=240))
    model = RLPI("auto", graph=graph).fit(X)
    evidence = model.n_components_evidence_
    assert evidence.chosen == model.n_components_
    if n == 24:  # of 320 documents, the views of each half have functions enough
        assert np.isnan(evidence.scores).all()
        assert "too few documents" not in evidence.why
        assert f"n_components={model.n_components_} is the number of functions of the agreement graph" in evidence.why
    else:
        assert np.isfinite(evidence.scores).all()


def test_clusterings_that_agree_leave_one_function_less_than_groups(corpus):
    X, groups = corpus[0], topics(240)
    choice = choose_n_components(X, agreement([groups, groups]), 200)
    assert (choice.chosen, choice.candidates[-1]) == (3, 200)
    assert choose_n_components(X, agreement([groups, groups]), 200, usual=2).chosen == 2


@pytest.mark.parametrize("method", [RLPI, LPI, LaplacianEigenmap, KernelRLPI, FSSL])
def test_auto_is_the_model_with_the_number_it_chose(corpus, method):
    X, graph = corpus
    auto = method("auto", n_neighbors=6).fit(X)
    evidence = auto.n_components_evidence_
    assert isinstance(evidence, Choice)
    assert evidence.chosen == auto.n_components_ == choose_n_components(X, graph, 199).chosen
    given = method(evidence.chosen, n_neighbors=6).fit(X)
    assert given.n_components_evidence_ is None
    assert np.array_equal(auto.fit_transform(X), given.fit_transform(X))


def _islands():
    parts = [documents(n=60, n_terms=40, n_topics=1, seed=seed) for seed in range(3)]
    return sp.csr_array(sp.block_diag(parts))


AWKWARD = {
    "one document": lambda: documents(n=1),
    "two documents": lambda: documents(n=2),
    "an empty document": lambda: sp.csr_array(sp.vstack([documents(n=120), sp.csr_array((1, 90))])),
    "islands": _islands,
    "copies": lambda: sp.csr_array(sp.vstack([documents(n=40)] * 3)),
    "few terms": lambda: documents(n=200, n_terms=3, n_topics=1),
    "dense": lambda: documents(n=120).toarray(),
}


@pytest.mark.filterwarnings("ignore::vicinal.errors.VicinalWarning")
@pytest.mark.parametrize("disconnected", ["bridge", "keep", "apart"])
@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_corpora_get_a_number_too(name, disconnected):
    X = AWKWARD[name]()
    model = RLPI("auto", disconnected=disconnected).fit(X)
    embeddings = model.transform(X)
    assert embeddings.shape == (X.shape[0], model.n_components_)
    assert np.isfinite(embeddings).all()
    assert model.n_components_evidence_.low <= model.n_components_evidence_.chosen <= model.n_components_evidence_.high


def test_some_labels_are_a_graph_like_any_other(corpus):
    X, _ = corpus
    y = np.where(np.arange(240) % 5 == 0, topics(240), -1)
    evidence = RLPI("auto").fit(X, y).n_components_evidence_
    assert evidence.low <= 3 <= evidence.high <= 6


def test_the_choice_does_not_depend_on_threads_or_scale(corpus):
    X, graph = corpus
    one, two = (choose_n_components(X, graph, 50, n_jobs=jobs) for jobs in (1, 2))
    assert np.array_equal(one.scores, two.scores)
    np.testing.assert_allclose(choose_n_components(8.0 * X, graph, 50).scores, one.scores, atol=1e-5)


def test_methods_without_a_graph_and_other_words_are_refused(corpus):
    for model in (LSI("auto"), RLPI("Auto"), RLPI(["auto"])):
        with pytest.raises(BadParameter, match="n_components"):
            model.fit(corpus[0])


# terms for all components together (P41)


def test_words_that_join_are_those_of_fewer_and_weighed_exactly(corpus):
    X, graph = corpus
    split = next(train_validation_splits(X, graph, 3, center=False, apart=False, n_jobs=1))
    counts, before = np.array([4, 9, 30]), set()
    for count, weights in zip(counts, forward_maps(split, counts, 0.2), strict=True):
        A = weights.toarray()
        words = np.flatnonzero(A.any(axis=1))
        assert len(words) == count
        assert before <= set(words)
        before = set(words)
        part = split.train.X.toarray()[:, words]
        exact = np.linalg.solve(part.T @ part + 0.2 * np.eye(count), part.T @ split.responses)
        assert error(A[words], exact) < 1e-8


def test_words_that_pay_lie_near_the_path_of_the_penalty(corpus):
    X, graph = corpus
    split = next(train_validation_splits(X, graph, 3, center=False, apart=False, n_jobs=1))
    counts = np.array([5, 20, 60])
    for count, weights in zip(counts, row_lasso_maps(split, counts, 0.1), strict=True):
        found = np.count_nonzero(weights.toarray().any(axis=1))
        assert 0.9 * count - 1 <= found <= count
        alone = regress(split.train.X, split.responses, RowLassoCount(found, 0.1)).weights
        assert error(split.train.X @ weights.toarray(), split.train.X @ alone) < 0.1


@pytest.mark.parametrize("row_lasso", [False, True])
def test_the_fewest_shared_words_are_chosen_that_keep_most_of_the_best_smoothness(corpus, row_lasso):
    choice = choose_n_shared_terms(*corpus, 3, (2, 10, 40, 120), row_lasso=row_lasso)
    kept = choice.scores >= 0.98 * choice.scores.max()
    assert choice.chosen <= choice.candidates[kept].min()
    assert choice.chosen > 2  # two words cannot tell four topics apart
    assert choice.scores[0] < 0.9 * choice.scores.max()


@pytest.mark.parametrize(("method", "penalty"), [(FSSL, RowLassoCount), (LPFL, RowCount)])
def test_auto_is_the_model_with_the_number_of_shared_words_it_chose(corpus, method, penalty):
    X, _ = corpus
    auto = method(3, n_terms="auto").fit(X)
    assert isinstance(auto.n_terms_evidence_, Choice)
    given = method(3, n_terms=auto.n_terms_evidence_.chosen).fit(X)
    assert np.array_equal(auto.components_, given.components_)
    assert auto.n_terms_ == given.n_terms_ == len(auto.selected_terms_) <= auto.n_terms_evidence_.chosen
    assert given.n_terms_evidence_ is None
    assert penalty(5, at_most=True).limit == 5


def test_no_more_words_are_tried_than_there_are_words_or_documents(corpus):
    X, graph = corpus
    assert choose_n_shared_terms(X, graph, 3).candidates.tolist() == [30, 100, 200]
    few = unit_rows(documents(n=80, n_terms=200))
    assert choose_n_shared_terms(few, knn(few, 6), 3).candidates.tolist() == [30, 80]


def test_fewer_words_than_were_chosen_are_no_reason_to_warn():
    X = unit_rows(documents(n=8, n_terms=30))
    model = LPFL(2, n_terms="auto", ridge=0.0).fit(X)  # nothing to hold out: the usual number, more than eight documents need
    assert "too few documents" in model.n_terms_evidence_.why
    assert model.n_terms_ <= model.n_terms_evidence_.chosen
