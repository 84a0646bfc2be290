"""Near-duplicates: every pair that is alike enough is joined, as comparing each with each finds it, and no other."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vicinal._matrix import unit_rows
from vicinal.datasets import load_docstrings
from vicinal.errors import BadData, BadParameter, EmptyCorpus
from vicinal.graph import _near_duplicates as near
from vicinal.graph import near_duplicates
from vicinal.terms import Vectorizer

TICK = 2.0**36
LEASTS = (1e-3, 0.3, 0.5, 0.7, 0.9, 1.0)

#: Few words and small counts: copies, empty documents and cosines that are equal to the bound are the rule.
counts = st.tuples(st.integers(2, 14), st.integers(1, 7)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 2)).map(lambda X: X.astype(float))
)


def alike(X, least):
    """Every pair of documents with words whose cosine reaches a bound, by comparing each with each."""
    lengths = np.linalg.norm(X, axis=1)
    U = X / np.where(lengths > 0, lengths, 1.0)[:, None]
    first, second = np.nonzero(np.tril(np.round(U @ U.T * TICK) >= np.round(least * TICK), -1))
    return set(zip(first.tolist(), second.tolist(), strict=True))


def groups_of(pairs, n_documents):
    """The first document of each one's group, one pair after the other."""
    first = list(range(n_documents))
    for i, j in pairs:
        low, high = sorted((first[i], first[j]))
        first = [low if each == high else each for each in first]
    return first


def pairs_by_prefixes(X, least):
    """What the kernel finds while every document is a group of its own: all pairs."""
    U = near._by_rarity(unit_rows(sp.csr_array(X)))
    return {tuple(pair) for pair in near._search(U, least)(0, len(X), np.arange(len(X))).tolist()}


def drawn(seed, n_documents=300, n_terms=120):
    """Random documents, of which some are edited copies of others, some exact ones, and some empty."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(np.minimum(4.0 / np.arange(1, n_terms + 1), 1.0), (n_documents, n_terms)) * rng.uniform(0.5, 2.0, n_terms)
    for copy, source in enumerate(rng.integers(0, n_documents // 2, n_documents // 3), start=n_documents // 2):
        edited = rng.random(n_terms) < rng.choice([0.0, 0.02, 0.1, 0.3])
        X[copy] = np.where(edited, X[copy], X[source])
    X[rng.integers(0, n_documents, 10)] = 0.0
    return X


@pytest.mark.parametrize("least", LEASTS)
@settings(max_examples=60, deadline=None)
@given(X=counts)
def test_every_pair_that_is_alike_enough_is_found_and_no_other(least, X):
    pairs = alike(X, least)
    assert pairs_by_prefixes(X, least) == pairs
    assert near_duplicates(sp.csr_array(X), least).tolist() == groups_of(pairs, len(X))


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("least", LEASTS[1:])
@pytest.mark.parametrize("seed", range(3))
def test_random_documents_with_edited_duplicates_are_joined_as_by_comparing_each_with_each(seed, least, signed):
    X = drawn(seed)
    if signed:
        X = X - X[X.any(axis=1)].mean(axis=0) * X.any(axis=1)[:, None]  # a word that is missing counts too
    pairs = alike(X, least)
    assert pairs
    assert pairs_by_prefixes(X, least) == pairs
    assert near_duplicates(X, least).tolist() == groups_of(pairs, len(X))


def test_a_prefix_that_is_too_short_loses_pairs(monkeypatch):
    X = drawn(0)
    monkeypatch.setattr(near, "SLACK", -0.05)  # as if only documents that are more alike were asked for
    assert pairs_by_prefixes(X, 0.7) < alike(X, 0.7)


@pytest.mark.parametrize("least", [0.6, 0.9])
def test_real_documents_are_joined_as_by_comparing_each_with_each(least):
    X = Vectorizer(min_df=1).fit_transform([document.text for document in load_docstrings(["numpy"])])
    pairs = alike(X.toarray(), least)
    assert len(pairs) > 10
    assert near_duplicates(X, least).tolist() == groups_of(pairs, X.shape[0])


@pytest.mark.parametrize("rows", [1, 7, 50])
def test_neither_threads_nor_blocks_change_the_groups(monkeypatch, rows):
    X = drawn(1)
    whole = near_duplicates(X, 0.6, n_jobs=1)
    monkeypatch.setattr(near, "BLOCK", rows)
    monkeypatch.setattr(near, "ROUND", 3 * rows)
    assert near_duplicates(X, 0.6, n_jobs=1).tolist() == whole.tolist()
    assert near_duplicates(X, 0.6, n_jobs=4).tolist() == whole.tolist()


def test_a_chain_is_one_group_though_its_ends_are_less_alike():
    chain = np.array([[1.0, 1.0, 1.0, 0.0, 0.0], [0.0, 1.0, 1.0, 1.0, 0.0], [0.0, 0.0, 1.0, 1.0, 1.0]])  # cosines 2/3, 2/3, 1/3
    assert near_duplicates(chain, 0.6).tolist() == [0, 0, 0]
    assert near_duplicates(chain[[0, 2, 1]], 0.6).tolist() == [0, 0, 0]
    assert near_duplicates(chain[[0, 2]], 0.6).tolist() == [0, 1]


def test_a_cosine_that_is_the_bound_reaches_it_and_the_next_tick_does_not():
    halves = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])
    assert near_duplicates(halves, 0.5).tolist() == [0, 0]
    assert near_duplicates(halves, 0.5 + 2 / TICK).tolist() == [0, 1]


def test_length_alone_tells_no_two_documents_apart():
    row = np.array([0.1, 0.7, 0.3, 0.0])
    assert near_duplicates(np.outer([1.0, 3.0, 1e-3, 7e120], row), 1.0).tolist() == [0, 0, 0, 0]


def test_documents_without_words_are_alone_and_everybody_may_be():
    X = sp.csr_array(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    assert near_duplicates(X).tolist() == [0, 1, 2, 1]
    assert near_duplicates(sp.csr_array((3, 4))).tolist() == [0, 1, 2]


def test_thousands_of_near_duplicates_take_no_room_for_their_pairs(monkeypatch):
    n_documents, largest = 3000, []
    X = sp.hstack([np.ones((n_documents, 20)), 0.1 * sp.eye_array(n_documents)])  # one page, each with a number of its own
    real = near.first_connected

    def watched(first, second, n_rows):
        largest.append(len(first) - n_rows)
        return real(first, second, n_rows)

    monkeypatch.setattr(near, "first_connected", watched)
    monkeypatch.setattr(near, "ROUND", 128)
    assert not near_duplicates(X, 0.9).any()
    assert max(largest) <= 128 * 128


def test_the_input_is_left_as_it_was():
    X = sp.csr_array(drawn(2))
    before = X.copy()
    near_duplicates(X, 0.5)
    assert (before != X).nnz == 0
    assert X.indices.tolist() == before.indices.tolist()


@pytest.mark.parametrize("least", [0, -0.5, 1.01, np.nan, "most", True])
def test_a_bound_that_no_cosine_can_mean_is_refused(least):
    with pytest.raises(BadParameter, match="threshold must be"):
        near_duplicates(np.eye(3), least)


def test_what_is_no_matrix_of_documents_is_refused():
    with pytest.raises(EmptyCorpus, match="the search for near-duplicates"):
        near_duplicates(sp.csr_array((0, 3)))
    with pytest.raises(BadData, match="NaN in row 1"):
        near_duplicates(np.array([[1.0, 0.0], [np.nan, 1.0]]))
