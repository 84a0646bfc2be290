"""Spelling: the nearest word by edits, against a plain dynamic programme, and the frequent one of equals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vicinal._query.spelling import Spelling

WORDS = ["arsenal", "chelsea", "cheese", "wheat", "wheel", "straße", "harvest", "harvests", "火车站台票", "a", ""]


def edits(one, other):
    """Optimal string alignment by the textbook."""
    table = np.zeros((len(one) + 1, len(other) + 1), dtype=int)
    table[:, 0], table[0, :] = range(len(one) + 1), range(len(other) + 1)
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            changed = one[i - 1] != other[j - 1]
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + changed)
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[-1, -1]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("chelsee", "chelsea"),
        ("chelsae", "chelsea"),
        ("hcelsea", "chelsea"),
        ("arsenall", "arsenal"),
        ("aresnla", "arsenal"),
        ("strasse", "straße"),
        ("whaet", "wheat"),
        ("whe", ""),
        ("zebra", ""),
        ("", ""),
        ("x" * 65, ""),
        ("火车站台飘", "火车站台票"),
    ],
)
def test_the_nearest_word_is_suggested(word, meant):
    assert Spelling(WORDS, np.ones(len(WORDS))).suggest(word) == meant


def test_of_equally_near_words_the_frequent_one_is_suggested_and_the_first_letter_counts_more():
    words = ["bold", "cold", "gold", "holds"]
    assert Spelling(words, np.array([1, 5, 3, 9])).suggest("wold") == "cold"
    assert Spelling(words, np.array([1, 5, 3, 9])).suggest("goldt") == "gold"
    assert Spelling(words, np.array([9, 5, 1, 9])).suggest("gokd") == "gold"


def test_an_empty_vocabulary_suggests_nothing():
    assert Spelling([], np.zeros(0)).suggest("wheat") == ""


LETTERS = st.text("abcé火", min_size=1, max_size=9)


@settings(max_examples=300, deadline=None)
@given(st.lists(LETTERS, min_size=1, max_size=12, unique=True), st.text("abcé火x", min_size=4, max_size=9))
def test_no_word_is_nearer_than_the_one_suggested(words, word):
    near = [edits(word, each) for each in words if each != word]
    most = 2 if len(word) >= 6 else 1
    found = Spelling(words, np.ones(len(words))).suggest(word)
    least = min(near, default=99)
    assert (edits(word, found) if found else None) == (least if least <= most else None)
