"""The search for neighbours to a target recall: what it finds, when it replaces the exact one, and what it says of itself."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal._matrix import unit_rows
from vicinal.errors import BadParameter
from vicinal.graph import _pruned_neighbors as pruned
from vicinal.graph import knn, nearest
from vicinal.graph._equal_rows import add_equal_rows
from vicinal.graph._impact_lists import _depths, impact_lists, rows_of
from vicinal.graph._neighbors_of_neighbors import improve, neighbor_lists
from vicinal.graph._pruned_neighbors import Costs, Effort, PrunedSearch

K = 5


def corpus(n=3000, n_terms=1500, n_topics=40, seed=0):
    """Weights of words: some of everybody's, which make long lists, and some of the own topic."""
    rng = np.random.default_rng(seed)
    topic = rng.integers(0, n_topics, n)
    share = n_terms // n_topics
    own = topic[:, None] * share + rng.integers(0, share, (n, 12))
    common = rng.integers(0, n_terms, (n, 6))
    everywhere = rng.integers(0, 30, (n, 10))
    columns = np.concatenate([own, common, everywhere], axis=1)
    weights = rng.uniform(0.5, 1.5, columns.shape) * np.array([3.0] * 12 + [1.0] * 6 + [0.5] * 10)
    X = sp.csr_array((weights.ravel(), (np.repeat(np.arange(n), columns.shape[1]), columns.ravel())), shape=(n, n_terms))
    X.sum_duplicates()
    return unit_rows(X)


@pytest.fixture(name="U", scope="module")
def unit_corpus():
    return corpus()


@pytest.fixture(name="true", scope="module")
def true_neighbors(U):
    return nearest(U, K)


@pytest.fixture(name="cheap")
def cheap_pruning(monkeypatch):
    """A pruned search that is thought to cost nothing, so that a small corpus is searched by it."""
    monkeypatch.setattr(pruned, "PER_ENTRY", 0.0)
    monkeypatch.setattr(pruned, "PER_TERM", 0.0)
    monkeypatch.setattr(pruned, "SAMPLE", 200)
    monkeypatch.setattr(pruned, "SMALLEST_BUDGET", 50)


def share_found(found, true):
    pairs = [set(a[a >= 0]) & set(b[b >= 0]) for a, b in zip(found, true, strict=True)]
    return sum(map(len, pairs)) / (true >= 0).sum()


def test_lists_have_the_heaviest_documents_first_and_equal_ones_in_document_order():
    U = sp.csr_array(np.array([[0.6, 0.8], [1.0, 0.0], [0.6, 0.8], [0.0, 1.0]]))
    lists = impact_lists(U, None)
    assert lists.starts.tolist() == [0, 3, 6]
    assert lists.documents.tolist() == [1, 0, 2, 3, 0, 2]
    np.testing.assert_allclose(lists.weights, [1.0, 0.6, 0.6, 1.0, 0.8, 0.8], rtol=1e-6)


def test_the_budget_is_shared_out_by_weight_and_what_short_lists_leave_is_dealt_out_again():
    starts = np.array([0, 10, 1010, 2010], dtype=np.uint64)
    terms, weights = np.array([0, 1, 2], dtype=np.uint32), np.array([0.8, 0.5, 0.25])
    depths = _depths(400, terms, weights, starts)
    assert depths[0] == 10  # the whole of a short list
    assert depths[1] == 367  # 390 entries are left, sixteen to one by the fourth power
    assert depths[2] == 22
    assert _depths(5000, terms, weights, starts).tolist() == [10, 1000, 1000]
    assert _depths(5, terms, weights, starts).sum() <= 5


def test_a_document_that_reads_all_of_its_lists_finds_its_true_neighbours_with_the_same_bits(U, true):
    documents, similarities = PrunedSearch(U, K, 1).first_round(np.arange(U.shape[0]), Effort(10**9, 20 * K))
    np.testing.assert_array_equal(documents, true.documents)
    np.testing.assert_array_equal(similarities, true.similarities)


def test_a_larger_budget_finds_more(U, true):
    search = PrunedSearch(U, K, 1)
    shares = [share_found(search.first_round(np.arange(U.shape[0]), Effort(b, 3 * K))[0], true.documents) for b in (30, 300, 3000)]
    assert shares == sorted(shares)
    assert shares[0] < 0.8 < 0.95 < shares[-1]


def test_no_document_is_its_own_neighbour_and_none_is_found_twice(U):
    documents, _ = PrunedSearch(U, K, 1).all_rounds(Effort(100, 3 * K), lambda found: False)
    for i, row in enumerate(documents):
        assert i not in row
        assert len(set(row[row >= 0])) == (row >= 0).sum()


def test_neighbours_of_neighbours_find_more_the_fewer_paths_they_ask_for(U, true):
    search = PrunedSearch(U, K, 1)
    documents, similarities = search.first_round(np.arange(U.shape[0]), Effort(60, 3 * K))
    before = share_found(documents, true.documents)
    twice = share_found(improve(search.rows, U.shape[1], documents, similarities, 2, 1)[0], true.documents)
    once = share_found(improve(search.rows, U.shape[1], documents, similarities, 1, 1)[0], true.documents)
    assert before < twice < once


@pytest.mark.parametrize("n_paths", [1, 2])
def test_a_round_keeps_the_best_of_what_two_steps_lead_to_and_of_those_that_chose_a_document(n_paths):
    U = corpus(120, 300, 6)
    true = (U @ U.T).toarray() - 2.0 * np.eye(120)
    given = np.argsort(np.random.default_rng(0).random((120, 120)) + 2.0 * np.eye(120), axis=1)[:, :K]
    given = np.take_along_axis(given, np.argsort(-np.take_along_axis(true, given, axis=1), axis=1), axis=1)
    starts, columns = neighbor_lists(given)
    lists = [columns[a:b].tolist() for a, b in pairwise(starts)]
    found, _ = improve(rows_of(U), 300, given, np.take_along_axis(true, given, axis=1), n_paths, 1)
    for i, own in enumerate(lists):
        paths = Counter(end for step in own for end in lists[step])
        candidates = {*own, *(end for end, count in paths.items() if count >= n_paths)} - {i}
        assert found[i].tolist() == sorted(candidates, key=lambda j: -true[i, j])[:K]


def test_a_round_keeps_what_is_right_and_changes_none_of_its_input(U, true):
    documents, similarities = true.documents.copy(), true.similarities.copy()
    better, cosines = improve(rows_of(U), U.shape[1], documents, similarities, 1, 1)
    np.testing.assert_array_equal(better, true.documents)
    np.testing.assert_array_equal(cosines, true.similarities)
    np.testing.assert_array_equal(documents, true.documents)


def test_lists_hold_own_neighbours_first_and_then_those_who_rank_a_document_highest():
    documents = np.array([[1, 2], [2, -1], [0, 1], [2, 0]])
    starts, lists = neighbor_lists(documents)
    held = [lists[a:b].tolist() for a, b in pairwise(starts)]
    assert held == [[1, 2, 2, 3], [2, 0, 2], [0, 1, 1, 3, 0], [2, 0]]


def test_duplicates_are_found_however_many_there_are_and_in_document_order():
    U = sp.csr_array(np.tile(np.array([[0.6, 0.8, 0.0]]), (9, 1)))
    documents, similarities = np.full((9, 3), -1, dtype=np.int64), np.zeros((9, 3))
    add_equal_rows(U, rows_of(U), documents, similarities)
    assert documents[0].tolist() == [1, 2, 3]
    assert documents[2].tolist() == [0, 1, 3]
    assert documents[8].tolist() == [0, 1, 2]
    np.testing.assert_allclose(similarities, 1.0)


def test_rows_without_terms_have_no_duplicates():
    U = sp.csr_array(np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0]]))
    documents, similarities = np.full((4, 1), -1, dtype=np.int64), np.zeros((4, 1))
    add_equal_rows(U, rows_of(U), documents, similarities)
    assert documents.ravel().tolist() == [-1, -1, 3, 2]


@pytest.mark.parametrize("recall", [0.7, 0.9, 0.99])
def test_the_recall_asked_for_is_reached_and_the_one_that_was_measured_is_said(U, true, cheap, recall):
    found = nearest(U, K, recall=recall)
    assert recall <= found.recall < 1.0
    assert share_found(found.documents, true.documents) == pytest.approx(found.recall, abs=0.05)


def test_any_number_of_threads_gives_the_same_bits(U, cheap):
    one, several = (nearest(U, K, recall=0.9, n_jobs=n) for n in (1, 3))
    assert one.recall == several.recall < 1.0
    np.testing.assert_array_equal(one.documents, several.documents)
    np.testing.assert_array_equal(one.similarities, several.similarities)


def test_similarities_are_those_of_the_exact_search_to_the_bit(U, cheap):
    found = nearest(U, K, recall=0.8)
    assert found.recall < 1.0
    asked = np.arange(0, U.shape[0], 97)
    everyone = nearest(U, 100, queries=asked)
    for row, i in enumerate(asked):
        exact = dict(zip(everyone.documents[row].tolist(), everyone.similarities[row].tolist(), strict=True))
        shared = [(j, s) for j, s in zip(found.documents[i].tolist(), found.similarities[i].tolist(), strict=True) if j in exact]
        assert shared
        assert all(exact[j] == s for j, s in shared)


def test_near_copies_come_first_even_at_a_low_recall(cheap):
    X = corpus(2000, seed=1)
    rng = np.random.default_rng(2)
    copies = sp.csr_array(X[:200])
    copies.data *= rng.uniform(0.9, 1.1, copies.nnz)
    found = nearest(unit_rows(sp.csr_array(sp.vstack([X, copies]))), K, recall=0.5)
    assert found.recall < 1.0
    assert (found.documents[:200, 0] == np.arange(2000, 2200)).mean() > 0.99


def test_a_recall_of_one_is_the_exact_search(U, true, cheap):
    found = nearest(U, K, recall=1.0)
    assert found.recall == 1.0
    np.testing.assert_array_equal(found.documents, true.documents)


def test_where_the_exact_search_costs_less_it_is_taken(U, true):
    found = nearest(U, K, recall=0.5)
    assert found.recall == 1.0
    np.testing.assert_array_equal(found.documents, true.documents)


def test_where_pruning_reaches_too_little_at_any_cost_below_the_exact_one_it_is_exact(U, true, monkeypatch, cheap):
    monkeypatch.setattr(pruned, "PER_ENTRY", Costs.of(U).exact / U.shape[0] / 300)  # worth it up to 300 entries
    found = nearest(U, K, recall=0.9999)
    assert found.recall == 1.0
    np.testing.assert_array_equal(found.documents, true.documents)


def test_a_budget_that_was_too_small_after_all_is_doubled(U, true, monkeypatch, cheap):
    monkeypatch.setattr(pruned, "CLOSED", 0.9)  # promises more of the second round than it can keep
    tried = []
    first_round = PrunedSearch.first_round

    def recorded(self, queries, effort):
        tried.append((len(queries), effort.budget))
        return first_round(self, queries, effort)

    monkeypatch.setattr(PrunedSearch, "first_round", recorded)
    found = nearest(U, K, recall=0.98)
    whole = [budget for n, budget in tried if n == U.shape[0]]
    assert len(whole) > 1
    assert whole[1] == 2 * whole[0]
    assert share_found(found.documents, true.documents) > 0.96


@pytest.mark.parametrize("change", ["dense", "negative", "queries", "groups"])
def test_dense_rows_negative_weights_queries_and_groups_are_searched_exactly(U, change, cheap):
    given = {"queries": {"queries": np.arange(50)}, "groups": {"group": np.arange(U.shape[0]) // 2}}.get(change, {})
    rows = {"dense": lambda: U[:1000].toarray(), "negative": lambda: sp.csr_array(-U)}.get(change, lambda: U)()
    found = nearest(rows, K, recall=0.5, **given)
    exact = nearest(rows, K, **given)
    assert found.recall == 1.0
    np.testing.assert_array_equal(found.documents, exact.documents)


def test_the_graph_says_its_recall_and_keeps_it_when_restricted(U, cheap):
    graph = knn(U, K, recall=0.8)
    assert 0.8 <= graph.recall < 1.0
    assert graph.restrict(np.arange(100)).recall == graph.recall
    assert knn(U, K).recall == 1.0


def test_documents_without_terms_have_no_neighbours_in_a_pruned_search_either(U, cheap):
    empty = sp.csr_array((5, U.shape[1]))
    found = nearest(sp.csr_array(sp.vstack([U, empty])), K, recall=0.8)
    assert found.recall < 1.0
    assert (found.documents[-5:] == -1).all()
    assert (found.similarities[-5:] == 0).all()


@pytest.mark.parametrize("recall", [0, -0.5, 1.5, "most", None, True])
def test_a_recall_that_is_no_share_is_refused(U, recall):
    with pytest.raises(BadParameter, match="recall must be"):
        knn(U, K, recall=recall)


def test_costs_are_counted_from_document_frequencies():
    U = unit_rows(sp.csr_array(np.array([[1.0, 1.0], [1.0, 0.0], [1.0, 0.0]])))
    costs = Costs.of(U)
    assert costs.exact == 3**2 + 1**2
    assert costs.mean_length == pytest.approx(4 / 3)
    assert costs.pruned(Effort(10, 5)) < costs.pruned(Effort(20, 5)) < costs.pruned(Effort(20, 50))
