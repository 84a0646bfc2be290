from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.feature_extraction.text import CountVectorizer

from vicinal.errors import BadData, BadParameter, EmptyCorpus, MissingExtra
from vicinal.terms import _vocabulary as vocabulary
from vicinal.terms._stems import load_stemmer, stem_terms
from vicinal.terms._vocabulary import TermLimits, count_tokens, merge_columns


def split_all(texts):
    return [text.lower().split() for text in texts]


def counts_with_frequencies(*frequencies, n_documents=10):
    """One column per frequency, in as many documents."""
    return sp.csr_array(np.arange(n_documents)[:, None] < np.array(frequencies), dtype=np.int32)


def chosen(limits, *frequencies, n_documents=10):
    return limits.choose(counts_with_frequencies(*frequencies, n_documents=n_documents), list("abcdefgh")).tolist()


def test_counts_are_those_of_counting_by_hand(texts):
    counts, terms = count_tokens(split_all(texts))
    assert counts.shape == (len(texts), len(terms))
    for row, words in zip(counts.toarray(), split_all(texts), strict=True):
        assert {terms[column]: row[column] for column in np.flatnonzero(row)} == Counter(words)


def test_counts_are_those_of_scikit_learn(texts):
    counts, terms = count_tokens(split_all(texts))
    peer = CountVectorizer(analyzer=lambda text: text.lower().split())
    expected = peer.fit_transform(texts)
    order = [terms.index(term) for term in peer.get_feature_names_out()]
    assert np.array_equal(counts.toarray()[:, order], expected.toarray())


@pytest.mark.parametrize("block_tokens", [1, 2, 7, 10**9])
def test_the_size_of_a_block_changes_nothing(texts, monkeypatch, block_tokens):
    expected, terms = count_tokens(split_all(texts))
    monkeypatch.setattr(vocabulary, "BLOCK_TOKENS", block_tokens)
    counts, again = count_tokens(iter(split_all(texts)))
    assert again == terms
    for part in ("data", "indices", "indptr"):
        assert np.array_equal(getattr(counts, part), getattr(expected, part))
    assert counts.has_canonical_format


def test_nothing_to_count_gives_an_empty_matrix():
    assert count_tokens([])[0].shape == (0, 0)
    assert count_tokens([[], []])[0].shape == (2, 0)


def test_tokens_that_are_no_strings_are_refused():
    with pytest.raises(BadData, match="int 7"):
        count_tokens([["a"], ["b", 7]])


def test_merged_columns_add_up_and_a_column_sent_nowhere_is_left_out():
    counts = sp.csr_array(np.array([[1, 2, 4, 8], [0, 1, 0, 1]]))
    assert merge_columns(counts, [1, 0, 1, -1], 3).toarray().tolist() == [[2, 5, 0], [1, 0, 0]]
    assert counts.toarray().tolist() == [[1, 2, 4, 8], [0, 1, 0, 1]]


def test_the_stemmer_sees_each_distinct_word_once():
    seen = []
    real = load_stemmer("english")

    def counting(words):
        seen.extend(words)
        return real(words)

    terms = ["gardens", "garden rose", "roses", "garden roses", "gardens roses"]
    assert stem_terms(terms, counting) == ["garden", "garden rose", "rose", "garden rose", "garden rose"]
    assert sorted(seen) == ["garden", "gardens", "rose", "roses"]


def test_stems_of_another_language():
    assert stem_terms(["häuser", "haus"], load_stemmer("german")) == ["haus", "haus"]


@pytest.mark.parametrize("language", ["klingon", "", 1, True])
def test_a_language_without_stemmer_is_refused(language):
    with pytest.raises(BadParameter, match="stem must be"):
        load_stemmer(language)


def test_a_missing_stemmer_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "Stemmer", None)
    with pytest.raises(MissingExtra, match=r"pip install vicinal\[stem\]"):
        load_stemmer("english")


def test_limits_as_counts_and_as_shares_agree():
    frequencies = (1, 2, 3, 5, 8, 10)
    assert chosen(TermLimits(2, 8), *frequencies) == [1, 2, 3, 4]
    assert chosen(TermLimits(0.2, 0.8), *frequencies) == [1, 2, 3, 4]
    assert chosen(TermLimits(0.0, 1.0), *frequencies) == chosen(TermLimits(1, 10), *frequencies) == [0, 1, 2, 3, 4, 5]


def test_one_is_one_document_and_one_point_nought_is_all_of_them():
    assert chosen(TermLimits(1, 1), 1, 10) == [0]
    assert chosen(TermLimits(1.0, 1.0), 1, 10) == [1]


def test_a_share_that_is_met_exactly_is_within_the_limits():
    assert 0.29 * 100 < 29  # which is why shares are not multiplied out
    assert chosen(TermLimits(0.29, 0.29), 28, 29, 30, n_documents=100) == [1]


def test_the_most_frequent_terms_win_and_ties_go_by_the_alphabet():
    counts = sp.csr_array(np.array([[1, 5, 2, 2], [1, 1, 2, 2]]))
    terms = ["d", "b", "c", "a"]
    assert [terms[column] for column in TermLimits(1, 2, 2).choose(counts, terms)] == ["a", "b"]
    assert [terms[column] for column in TermLimits(1, 2, 9).choose(counts, terms)] == ["a", "b", "c", "d"]


@pytest.mark.parametrize("name", ["min_df", "max_df"])
@pytest.mark.parametrize("limit", [-1, 0, 1.5, -0.1, float("nan"), "2", None, True])
def test_limits_that_are_none_are_refused(name, limit):
    with pytest.raises(BadParameter, match=name):
        TermLimits(**{"min_df": 1, "max_df": 1.0, name: limit}).check()


@pytest.mark.parametrize("limits", [TermLimits(3, 2), TermLimits(0.5, 0.2), TermLimits(1, 1.0, 0), TermLimits(1, 1.0, 2.5)])
def test_limits_that_no_corpus_can_meet_are_refused(limits):
    with pytest.raises(BadParameter, match=r"min_df|max_terms"):
        limits.check()


def test_limits_that_leave_nothing_say_which_and_what_to_do():
    expected = r"limits leave no terms: of 3 in 10 documents, 2 are in fewer than min_df=2 and 1 in more than max_df=0\.5.*Use"
    with pytest.raises(EmptyCorpus, match=expected):
        chosen(TermLimits(2, 0.5), 1, 1, 9)
