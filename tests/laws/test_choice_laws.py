"""Laws of automatic choices: the sequence against the factorisation, and a validation set that shares nothing with training."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from tests.laws.toys import documents, error, topics, wide
from vicinal import RLPI, SLPI
from vicinal._choice import Choice
from vicinal._matrix import unit_rows
from vicinal.errors import BadParameter
from vicinal.graph import SparseGraph, classes, knn
from vicinal.projection import TermCount, choose_alpha, choose_n_terms, regress
from vicinal.projection._model_selection.held_out import ridge_candidates
from vicinal.projection._model_selection.maps_by_n_terms import term_maps
from vicinal.projection._model_selection.validation_split import train_validation_splits
from vicinal.spectrum import solve


def cross_validation_error(X, Y, alpha):
    """Generalised cross-validation with the hat matrix written out; X is an array."""
    hat = X @ np.linalg.solve(X.T @ X + alpha * np.eye(X.shape[1]), X.T)
    n = len(X)
    return np.mean(np.sum((Y - hat @ Y) ** 2, axis=0) / n / (1 - np.trace(hat) / n) ** 2)


# candidates (P37)


def topical(n, m, seed=0):
    """Rows of length one with Zipf's frequencies, in ten topics."""
    rng = np.random.default_rng(seed)
    chance = 1.0 / np.arange(1, m + 1)
    own = rng.permutation(m)
    rows = []
    for i in range(n):
        mine = np.where(own % 10 == i % 10, chance, 0.3 * chance)
        rows.append(rng.choice(m, 40, p=mine / mine.sum()))
    counts = sp.csr_array((np.ones(40 * n), (np.repeat(np.arange(n), 40), np.concatenate(rows))), shape=(n, m))
    counts.sum_duplicates()
    return unit_rows(counts)


def test_candidates_follow_the_scale_of_the_documents():
    X = wide()
    np.testing.assert_allclose(ridge_candidates(3.0 * X), 9.0 * ridge_candidates(X), rtol=1e-5)
    assert ridge_candidates(unit_rows(X))[6] == 1.0


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan])
def test_a_candidate_that_is_no_penalty_is_refused(bad):
    with pytest.raises(BadParameter, match="candidate of alpha"):
        choose_alpha(wide(), knn(wide(), 3), 2, [1.0, bad])


# documents held out (P39)


def splits_of(X, graph):
    return train_validation_splits(X, graph, 3, center=False, apart=False, n_jobs=1)


def locality(split, F):
    """(P39) as it is written: the mean eigenvalue of the pencil of the centred places."""
    d = split.graph.degrees
    F = F - (d @ F) / d.sum()
    pencil = np.linalg.solve(F.T @ (d[:, None] * F), F.T @ split.graph.matmul(F))
    return np.trace(pencil) / F.shape[1]


@pytest.fixture(name="corpus")
def corpus_with_graph():
    X = unit_rows(documents(n=240, n_terms=200))
    return X, knn(X, 6)


def test_scores_are_the_locality_of_the_ridge_map_on_the_other_half(corpus):
    X, graph = corpus
    expected = []
    for split in splits_of(X, graph):
        weights = [regress(split.train.X, split.responses, _ridge(alpha)).weights for alpha in (0.1, 1.0)]
        expected.append([locality(split, split.validation.X @ A) for A in weights])
    assert len(expected) == 4
    found = choose_alpha(X, graph, 3, [0.1, 1.0])
    assert error(found.scores, np.mean(expected, axis=0)) < 1e-8


def _ridge(alpha):
    from vicinal import Ridge

    return Ridge(alpha)


def test_the_two_halves_share_no_document_and_no_edge(corpus):
    X, graph = corpus
    marked = sp.csr_array(sp.hstack([X, sp.eye_array(X.shape[0])]))  # a word of its own for each document
    for split in splits_of(marked, graph):
        taught, judging = (np.flatnonzero(part.X[:, X.shape[1] :].sum(axis=0)) for part in (split.train, split.validation))
        assert not set(taught) & set(judging)
        order = (split.validation.X[:, X.shape[1] :]).indices
        assert abs(split.graph.weights - graph.weights[order][:, order]).max() == 0


def test_one_krylov_sequence_places_held_out_documents_as_the_factorisation_does(monkeypatch):
    X = topical(2200, 1500)
    graph = knn(X, 7)
    alphas = 10.0 ** np.arange(-1, 2.1, 0.5)
    by_sequence = choose_alpha(X, graph, 20, alphas)
    monkeypatch.setattr("vicinal.projection._model_selection.held_out.EXACT_SIZE", 5000)
    exact = choose_alpha(X, graph, 20, alphas)
    np.testing.assert_allclose(by_sequence.scores, exact.scores, atol=1e-4)
    assert not np.array_equal(by_sequence.scores, exact.scores)  # they did go different ways


def separation(F, labels):
    """How much of the scatter of all directions lies between classes."""
    indicators = np.eye(labels.max() + 1)[labels]
    F = F - F.mean(axis=0)
    means = np.linalg.lstsq(indicators, F, rcond=None)[0]
    between = F.T @ indicators @ means
    return np.trace(np.linalg.solve(F.T @ F, between)) / F.shape[1]


def test_the_alpha_chosen_without_labels_is_near_that_which_labels_of_new_documents_would_choose():
    X, y = topical(900, 1200), np.arange(900) % 10
    old, new = slice(0, 600), slice(600, 900)
    auto = RLPI(9, alpha="auto").fit(X[old])
    candidates = auto.alpha_evidence_.candidates
    found = np.array([separation(RLPI(9, alpha=alpha).fit(X[old]).transform(X[new]), y[new]) for alpha in candidates])
    ours = found[list(candidates).index(auto.alpha_)]
    assert ours > found.max() - 0.02
    assert found[0] < found.max() - 0.05  # there was something to choose


def test_copies_of_documents_do_not_deceive_the_choice_as_they_deceive_cross_validation():
    """Each document with a near-copy: leaving one out leaves its copy in, so cross-validation wants hardly any penalty."""
    X = documents(n=300, n_terms=400)
    rng = np.random.default_rng(0)
    twice = sp.csr_array(sp.vstack([X, X]))
    twice.data = twice.data * rng.uniform(0.9, 1.1, len(twice.data))
    twice = unit_rows(twice)
    graph = knn(twice, 7)
    candidates, Y = ridge_candidates(twice), solve(graph, 3).vectors
    crossed = candidates[np.argmin([cross_validation_error(twice.toarray(), Y, alpha) for alpha in candidates])]
    assert choose_alpha(twice, graph, 3).chosen > 3 * crossed


def test_labels_are_a_graph_like_any_other():
    X, y = unit_rows(documents(n=240, n_terms=200)), topics(240)
    choice = choose_alpha(X, classes(y), 3)
    model = RLPI(alpha="auto").fit(X, y)
    assert model.alpha_ == choice.chosen
    assert choice.candidates[0] < choice.chosen < choice.candidates[-1]


@pytest.mark.parametrize("n", [2, 5, 15])
def test_too_few_documents_get_the_usual_penalty_and_the_evidence_says_so(n):
    X = unit_rows(documents(n=n))
    choice = choose_alpha(X, knn(X, 1), 2)
    assert choice.chosen == pytest.approx(0.1)
    assert np.isnan(choice.scores).all()
    assert "too few documents" in choice.why


def test_a_graph_whose_edges_all_cross_between_halves_gives_the_usual_penalty(corpus):
    X, _ = corpus
    order = np.random.RandomState(0).permutation(240)
    pairs = (order[:120], order[120:])
    W = sp.csr_array((np.ones(120), pairs), shape=(240, 240))
    choice = choose_alpha(X, SparseGraph(sp.csr_array(W + W.T)), 2)
    assert np.isfinite(choice.chosen)


# words (P40)


def test_every_number_of_words_lies_on_one_path(corpus):
    X, graph = corpus
    split = next(splits_of(X, graph))
    for count, weights in zip((1, 4, 9), term_maps(split, (1, 4, 9), 0.0), strict=True):
        alone = regress(split.train.X, split.responses, TermCount(count)).weights
        assert np.array_equal(np.count_nonzero(weights.toarray(), axis=0), [count] * 3)
        assert error(weights.toarray(), alone) < 1e-9


def with_marks():
    """Four topics, each with three words that nearly all of its documents have and no others; all else is noise."""
    rng = np.random.default_rng(0)
    noise = rng.poisson(0.05, (240, 200)).astype(float)
    marks = np.zeros((240, 12))
    for i in range(240):
        marks[i, 3 * (i % 4) : 3 * (i % 4) + 3] = 2.0 * (rng.random(3) < 0.9)
    return unit_rows(sp.csr_array(np.hstack([marks, noise])))


def test_the_fewest_words_are_chosen_that_keep_most_of_the_best_smoothness():
    X = with_marks()
    choice = choose_n_terms(X, knn(X, 7), 3)
    kept = choice.scores >= 0.98 * choice.scores.max()
    assert choice.chosen <= choice.candidates[kept].min()
    assert choice.chosen < choice.best
    assert choice.low == choice.chosen
    assert f"n_terms={choice.chosen}" in choice.why


# the estimators


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_choice_is_the_same_in_every_run_and_with_every_number_of_threads(corpus, jobs):
    X, _ = corpus
    one, two = (RLPI(3, alpha="auto", n_jobs=jobs).fit(X) for jobs in (1, jobs))
    assert np.array_equal(one.components_, two.components_)
    assert np.array_equal(one.alpha_evidence_.scores, two.alpha_evidence_.scores)


def test_auto_is_the_model_with_the_alpha_it_chose(corpus):
    X, _ = corpus
    auto = RLPI(3, alpha="auto").fit(X)
    assert isinstance(auto.alpha_evidence_, Choice)
    given = RLPI(3, alpha=auto.alpha_).fit(X)
    assert given.alpha_evidence_ is None
    assert given.alpha_ == auto.alpha_
    assert np.array_equal(auto.components_, given.components_)


def test_auto_is_the_model_with_the_number_of_words_it_chose(corpus):
    X, _ = corpus
    auto = SLPI(3, n_terms="auto").fit(X)
    given = SLPI(3, n_terms=auto.n_terms_evidence_.chosen).fit(X)
    assert np.array_equal(auto.components_, given.components_)
    assert auto.n_terms_ == given.n_terms_ == auto.n_terms_evidence_.chosen
    assert given.n_terms_evidence_ is None


def test_scaled_documents_get_a_scaled_penalty_and_the_same_places_up_to_scale(corpus):
    X, _ = corpus
    one, four = (RLPI(3, alpha="auto").fit(scale * X) for scale in (1.0, 4.0))
    assert four.alpha_ == pytest.approx(16.0 * one.alpha_, rel=1e-5)


@pytest.mark.parametrize("options", [{"alpha": "Auto"}, {"alpha": None}, {"alpha": ["auto"]}])
def test_other_words_than_auto_are_refused(corpus, options):
    with pytest.raises(BadParameter, match="alpha"):
        RLPI(3, **options).fit(corpus[0])


def test_words_by_number_and_by_penalty_at_once_are_refused(corpus):
    with pytest.raises(BadParameter, match="Give only one"):
        SLPI(3, n_terms="auto", alpha=0.1).fit(corpus[0])
