"""The order of sums over documents: one tree, however the parts arrive."""

from __future__ import annotations

import numpy as np
import pytest

from tests.laws.toys import documents
from vicinal.projection import _document_chunks as chunks
from vicinal.projection._document_chunks import by_term, chunk_shift, tree_sum


@pytest.mark.parametrize(
    ("parts", "tree"),
    [
        ("a", "a"),
        ("ab", "(ab)"),
        ("abc", "((ab)c)"),
        ("abcd", "((ab)(cd))"),
        ("abcde", "(((ab)(cd))e)"),
        ("abcdefg", "(((ab)(cd))((ef)g))"),
        ("abcdefghi", "((((ab)(cd))((ef)(gh)))i)"),
    ],
)
def test_parts_are_added_in_pairs_pairs_of_pairs_and_so_on_and_what_is_left_over_last(parts, tree):
    assert tree_sum(parts, lambda one, other: f"({one}{other})") == tree


def test_parts_are_added_as_soon_as_both_of_a_pair_are_there():
    given, added = [], []

    def arriving():
        for part in range(8):
            given.append(part)
            yield part

    assert tree_sum(arriving(), lambda one, other: (added.append(len(given)), one + other)[1]) == 28
    assert added == [2, 4, 4, 6, 8, 8, 8]


@pytest.mark.parametrize(
    ("n_documents", "shift"), [(1, 13), (2**20, 13), (2**20 + 1, 14), (2**21, 14), (2**22 + 1, 16), (2**23 + 1, 16), (2**30, 16)]
)
def test_chunks_grow_with_the_documents_so_that_there_are_128_at_most_until_they_have_65536_documents(n_documents, shift):
    assert chunk_shift(n_documents) == shift


@pytest.mark.parametrize("power", [1, 2])
def test_sums_of_terms_over_chunks_are_those_of_all_documents(power, monkeypatch):
    monkeypatch.setattr(chunks, "SMALLEST", 3)
    X = documents()
    np.testing.assert_allclose(by_term(X, power), (X.toarray() ** power).sum(axis=0), rtol=1e-13)
