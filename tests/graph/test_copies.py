"""Corpora of many copies: the neighbours are those of the plain search, and the work grows with the different documents."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse as sp

from vicinal import RLPI, Topics, graph
from vicinal._matrix import unit_rows
from vicinal.errors import VicinalWarning
from vicinal.graph import _neighbors
from vicinal.graph._copies import many_copies

STORAGES = {"sparse": sp.csr_array, "dense": lambda X: X.toarray()}


def with_copies(seed: int, n_different: int = 25, n: int = 240):
    """Rows of which most stand several times, in no order; some hold nothing."""
    rng = np.random.default_rng(seed)
    different = sp.csr_array(rng.poisson(0.35, (n_different, 14)).astype(float))
    return sp.csr_array(different[rng.integers(0, n_different, n)])


def searched_plainly(U, k, group):
    everyone = np.arange(U.shape[0])
    return _neighbors._search(U, k, everyone, everyone if group is None else group, 1)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("k", [1, 4, 30])
@pytest.mark.parametrize("grouped", [False, True])
def test_copies_share_the_answer_of_the_plain_search(storage, k, grouped):
    for seed in range(4):
        U = unit_rows(STORAGES[storage](with_copies(seed)))
        group = np.random.default_rng(seed).integers(0, 3, U.shape[0]) if grouped else None
        found = _neighbors.nearest_of_checked(U, k, group=group, n_jobs=1)
        documents, similarities = searched_plainly(U, k, group)
        assert many_copies(U, group) is not None
        assert np.array_equal(found.documents, documents)
        np.testing.assert_allclose(found.similarities, similarities, atol=0 if storage == "sparse" else 1e-15)


def test_some_documents_ask_in_their_own_order_among_copies():
    U, asked = unit_rows(with_copies(1)), np.arange(239, 0, -2)
    found = _neighbors.nearest_of_checked(U, 5, queries=asked, n_jobs=1)
    assert np.array_equal(found.documents, searched_plainly(U, 5, None)[0][asked])


def test_few_copies_are_searched_for_as_they_are():
    X = with_copies(0, n_different=40, n=40)
    different = sp.csr_array(X[np.unique(graph._exact_duplicates.first_duplicates(X))])
    assert many_copies(sp.csr_array(sp.vstack([different, different[[0]]])), None) is None


def rows_searched(monkeypatch, X, fit):
    """How many rows were asked about, among how many, in all searches of a fit together."""
    counted = []
    plain = _neighbors._search

    def counting(U, k, queries, group, n_jobs):
        counted.append(len(queries) * U.shape[0])
        return plain(U, k, queries, group, n_jobs)

    monkeypatch.setattr(_neighbors, "_search", counting)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", VicinalWarning)
        fit(X)
    monkeypatch.undo()
    return sum(counted)


@pytest.mark.parametrize(
    "fit",
    [lambda X: RLPI(2).fit(X), lambda X: Topics(2).fit(X), lambda X: graph.knn(X, 5, recall=0.9)],
    ids=["RLPI", "Topics", "recall"],
)
def test_four_times_the_copies_are_no_more_pairs_to_compare(monkeypatch, fit):
    others = with_copies(3, n_different=60, n=60)
    few, many = (sp.csr_array(sp.vstack([others, others[[1] * n]])) for n in (300, 1200))
    compared = rows_searched(monkeypatch, few, fit)
    assert 0 < rows_searched(monkeypatch, many, fit) <= compared <= 4 * 61**2
