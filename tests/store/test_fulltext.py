"""Full text: words are found by their stems, operators are only words, and the table stays in step with the documents."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from tests.store.samples import documents
from vicinal._scripts import fold_accents
from vicinal._store import Documents, check, containing, containing_prefix, fulltext, match, passages
from vicinal._store.fulltext import MOST_WORDS, question
from vicinal._store.passages import _pieces
from vicinal.corpus import Document
from vicinal.errors import BadParameter

pytestmark = pytest.mark.damages


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


def test_words_without_spaces_around_them_are_found_in_all_documents_or_up_to_a_limit(store):
    Documents(store).add(Document(f"{i}", "我们坐火车去北京") for i in range(4))
    assert match(store, "火车", limit=None)[0].tolist() == [1, 2, 3, 4]
    assert match(store, "火车", limit=3)[0].tolist() == [1, 2, 3]
    assert match(store, "火车", limit=None, among=[2, 4])[0].tolist() == [2, 4]


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
    passages(texts(held, [1, 2]), text.split())
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
    assert question(["a"] * 9999) == question("a")


def texts(store, numbers):
    return {each.number: (each.document.title, each.document.text) for each in Documents(store).at(numbers)}


def test_passages_mark_the_words_or_show_the_beginning(held):
    first, second = passages(texts(held, [3, 4]), ["roses"])
    assert first.marked().startswith("a red [rose] and a white [rose]")
    assert second.marked().startswith("running dogs ran")
    assert second.matches == ()
    assert first.marked("<", ">").startswith("a red <rose>")


def test_matches_are_positions_in_the_text_of_the_document(store):
    text = (
        "… " + " ".join(f"filler{i}" for i in range(80)) + " the [wheat] harvest of état " + " ".join(f"more{i}" for i in range(80))
    )
    Documents(store).add([Document("a", text), Document("b", "wheat \x02 here")])
    long, odd = passages(texts(store, [1, 2]), ["wheats"], ["harv", "éta"])
    assert [text[start:end] for start, end in long.matches] == ["wheat", "harvest", "état"]
    assert text[long.start : long.start + len(long.text)] == long.text
    assert (long.before, long.after) == (True, True)
    assert "[[wheat]] [harvest] of [état]" in long.marked()
    assert (odd.text, odd.matches) == ("wheat \x02 here", ())


@pytest.mark.parametrize(
    ("phrase", "field", "numbers"),
    [
        ("dark matter", None, [1, 4]),
        ("matter dark", None, [2]),
        ("dark matter", "title", [4]),
        ("dark matters", "text", [1]),
        ('"dark" matter', None, [1, 4]),
        ("?!", None, []),
    ],
)
def test_a_phrase_is_its_words_side_by_side(store, phrase, field, numbers):
    texts = [("", "Dark matter halos"), ("", "it does matter, dark or not"), ("", "dark grey matter"), ("Dark Matter", "halos")]
    Documents(store).add(Document(str(i), text, title) for i, (title, text) in enumerate(texts))
    assert containing(store, phrase, field).tolist() == numbers


FORMS = """relational relations related relative rationalizations rational ration sensibility sensible generation generate generator
general generic study studying studied studies student city cities argument arguing happily happiness café cafeteria Ärger arger
controllable controlled control conditional conditioner troubled troubling trouble hopping hoping hopefulness
happyland happy"""
WORDS = FORMS.split()


@pytest.mark.parametrize("length", range(2, 13))
def test_a_prefix_finds_the_documents_that_have_a_word_with_it_whatever_their_stems(store, length):
    Documents(store).add(Document(word, f"some {word}, x") for word in WORDS)
    for prefix in {fold_accents(word)[:length] for word in WORDS if len(word) >= length}:
        expected = [i for i, word in enumerate(WORDS, 1) if fold_accents(word).startswith(prefix)]
        assert containing_prefix(store, prefix).tolist() == expected
        assert containing_prefix(store, prefix.upper(), "text").tolist() == expected
        assert containing_prefix(store, prefix, "title").tolist() == []


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


def test_a_text_without_the_word_of_a_script_without_spaces_begins_at_its_beginning():
    there, missing = passages({1: ("", "我们坐火车去北京"), 2: ("", "今天天气很好")}, ["火车"])
    assert there.matches
    assert (missing.text, missing.start, missing.matches) == ("今天天气很好", 0, ())


@pytest.mark.parametrize("blank", [" ", "-"], ids=["at blanks", "without blanks"])
def test_a_long_text_is_looked_at_in_pieces_that_hold_all_of_it_once(blank):
    text = blank.join(f"word{i}" for i in range(4_000))
    pieces = list(islice(_pieces(7, "Title", text), 100))
    assert "".join(piece.text for piece in pieces) == text
    assert [piece.start for piece in pieces] == [0, *np.cumsum([len(piece.text) for piece in pieces])[:-1]]
    assert [piece.title for piece in pieces] == ["Title"] + [""] * (len(pieces) - 1)
    assert [piece.is_last for piece in pieces] == [False] * (len(pieces) - 1) + [True]
    assert all(piece.text.endswith(" ") for piece in pieces[:-1]) is (blank == " ")
    assert max(len(piece.text) for piece in pieces) <= 8_000
