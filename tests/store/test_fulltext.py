"""Full text: words are found by their stems, operators are only words, and the table stays in step with the documents."""

from __future__ import annotations

import pytest

from tests.store.samples import documents
from vicinal._store import Documents, check, fulltext, match, snippets
from vicinal._store.fulltext import MOST_WORDS, question
from vicinal.corpus import Document
from vicinal.errors import BadParameter


@pytest.fixture
def held(store):
    Documents(store).add(documents(10))
    return store


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("farm", [1, 6]),
        ("FARMS", [1, 6]),
        ("cafe", [2, 7]),
        ("café rose", [2, 3, 7, 8]),
        ("run", [4, 9]),
        ("state-of-the-art", [5, 10]),
        ("art-the-of-state", []),
        (["number3", "number4"], [4, 5]),
        ("title", list(range(1, 11))),
        ("", []),
        ("... --", []),
        ("absent", []),
    ],
)
def test_documents_with_any_of_the_words_are_found(held, words, numbers):
    found, scores = match(held, words, 20)
    assert sorted(found) == numbers
    assert list(scores) == sorted(scores, reverse=True)
    assert all(scores > 0)


def test_words_are_looked_for_among_some_documents_and_up_to_a_limit(held):
    assert sorted(match(held, "rose", among=[8, 9])[0]) == [8]
    assert match(held, "rose", among=[])[0].size == 0
    assert match(held, "title", limit=4)[0].size == 4


def test_equal_scores_stand_in_the_order_of_the_documents(store):
    Documents(store).add(Document(f"{i}", "same words here") for i in range(8))
    assert match(store, "words")[0].tolist() == list(range(1, 9))


OPERATORS = [
    'rose" OR "tax',
    "NOT",
    "AND",
    "OR",
    "NEAR(a b)",
    "rose*",
    "^rose",
    "title:rose",
    "{title text}:rose",
    "-rose",
    "rose + tax",
    '"',
    '""',
    "(",
    ")",
    "*" * 1000,
    "a\0b",
    '"\0',
    "half\ud800",
    "'; DROP TABLE words; --",
    "words MATCH 'x'",
]


@pytest.mark.parametrize("text", OPERATORS)
def test_operators_of_the_query_language_do_nothing(held, text):
    match(held, text)
    match(held, [text, "rose"])
    snippets(held, [1, 2], text)
    assert Documents(held).count() == 10


def test_a_column_or_a_prefix_cannot_be_asked_for(held):
    assert match(held, "title:rose")[0].size == 0  # the phrase "title rose"
    assert match(held, "ros*")[0].size == 0
    assert sorted(match(held, "rose NOT red")[0]) == [3, 8]
    with pytest.raises(Exception, match=r"fts5|syntax|column"):  # and unquoted they would be obeyed or an error
        held.rows("SELECT rowid FROM words WHERE words MATCH ?", ("nocolumn:rose AND",))


def test_too_many_words_are_refused_and_as_many_as_allowed_are_answered(held):
    with pytest.raises(BadParameter, match="2,001"):
        match(held, (f"w{i}" for i in range(MOST_WORDS + 1)))
    assert match(held, [*(f"w{i}" for i in range(MOST_WORDS - 1)), "rose"])[0].size == 2
    assert question(["a"] * 9999) == '"a"'


def test_snippets_mark_the_words_or_show_the_beginning(held):
    first, second = snippets(held, [3, 4], "roses")
    assert first.startswith("a red [rose] and a white [rose]")
    assert second.startswith("running dogs ran")
    assert snippets(held, [3], "roses", marks=("<", ">"))[0].startswith("a red <rose>")
    with pytest.raises(BadParameter, match="no document 99"):
        snippets(held, [99], "rose")


def test_words_follow_documents_that_change_or_go(held):
    Documents(held).add([Document("doc-2", "a blue violet", title="New")])
    Documents(held).remove(["doc-7"])
    assert match(held, "rose")[0].size == 0
    assert match(held, "violet new")[0].tolist() == [3]
    assert check(held) == []


def test_words_that_do_not_follow_are_noticed_and_can_be_rebuilt(held, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(fulltext, "delete", lambda store, rows: None)
        Documents(held).add([Document("doc-2", "a blue violet")])
    assert [damage.table for damage in check(held)] == ["words"]
    fulltext.rebuild(held)
    assert check(held) == []
    assert match(held, "violet")[0].tolist() == [3]
