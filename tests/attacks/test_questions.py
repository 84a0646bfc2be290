"""Hostile questions: any is answered within a second and little memory, or refused with a sentence."""

from __future__ import annotations

import importlib
import sqlite3

import pytest

import vicinal
from vicinal import Document
from vicinal._query import LONGEST_QUESTION
from vicinal._store import filters, fulltext, passages
from vicinal._store.document_lookup import DocumentLookup
from vicinal._store.fulltext import question
from vicinal.errors import BadParameter, BadQuery
from vicinal.index._search import one_query
from vicinal.index._search.one_query import MOST_SUGGESTED

#: The module, whose name is that of its function in the package.
store_passages = importlib.import_module("vicinal._store.passages")


@pytest.fixture(name="index", scope="module")
def index_of_a_repetitive_document(tmp_path_factory):
    with vicinal.open(tmp_path_factory.mktemp("questions") / "a.vic", create=True) as index:
        index.add([Document("long", "space moon " * 20_000 + "comet"), Document("short", "space and a comet's tail")])
        yield index


@pytest.mark.parametrize("query", ['"' + "a-" * 20_000 + '"', "space." * 170_000, "(" * 50_000, "word " * 50_000])
def test_a_question_longer_than_any_person_writes_is_refused(index, query):
    with pytest.raises(BadQuery, match="characters where 10,000 are allowed"):
        index.search(query)
    with pytest.raises(BadQuery, match="characters where 10,000 are allowed"):
        index.search("space", where=f"folder = {' ' * 40_000}x")


@pytest.mark.parametrize("piece", ["a-", "space.", "(", "-", '"', "a* ", "a OR ", "NOT ", "中", "+w "])
def test_the_longest_question_is_answered_or_refused_with_a_sentence(index, piece):
    query = (piece * LONGEST_QUESTION)[:LONGEST_QUESTION]
    if piece in {"NOT ", "a OR "}:
        with pytest.raises(BadQuery, match="the query"):
            index.search(query)
    else:
        assert len(index.search(query)) <= 2


def test_near_words_are_looked_for_to_so_many_unknown_ones_and_each_document_is_read_once(tmp_path, monkeypatch):
    """A thousand mistyped words took minutes in a text of megabytes: for each of them the text was read and split."""
    read = []
    real = DocumentLookup.at
    monkeypatch.setattr(DocumentLookup, "at", lambda self, numbers: read.append(list(numbers)) or real(self, numbers))
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        index.add([Document("a", " ".join(f"spacecraft{n}" for n in range(500)))])
        hits = index.search(" ".join(f"spzcecraft{n}" for n in range(300)), correct=False)
    assert list(hits.suggestions.values())[:2] == ["spacecraft0", "spacecraft1"]
    assert [bool(meant) for meant in hits.suggestions.values()] == [True] * MOST_SUGGESTED + [False] * (300 - MOST_SUGGESTED)
    assert [numbers for numbers in read if numbers] == [[1]]


def test_a_query_that_would_be_too_long_when_corrected_is_answered_as_it_is(tmp_path):
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        index.add([Document("a", "neighbours")])
        hits = index.search("neighbors " * (LONGEST_QUESTION // 10))  # each of them gets a letter longer
        assert (hits.corrected.strip(), len(hits.suggestions)) == ("", 1)


@pytest.mark.parametrize("column", ["year", "date"])
def test_a_condition_looks_at_a_column_once_however_many_values_it_compares(tmp_path, monkeypatch, column):
    """A list of years went through all documents for each, and a list of dates was more than SQLite takes: "damaged"."""
    looks = []
    real = filters._has
    monkeypatch.setattr(filters, "_has", lambda store, *asked: looks.append(asked) or real(store, *asked))
    years = ",".join(map(str, range(1000, 2900)))
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        index.add([Document("a", "space", metadata={"year": 1990, "date": "1990-02-03"})])
        if column == "date":
            with pytest.raises(BadParameter, match=r"a list for 'date' can have 100 dates, got 1,900\. Compare"):
                index.search("space", where=f"date in ({years})")
            assert len(index.search("space", where=f"date in ({years[:494]})")) == 0
            assert len(index.search("space", where="date in (1989, 1990)")) == 1
        else:
            assert len(index.search("space", where=f"year in ({years})")) == 1
        index.search("space", where=" OR ".join([f"{column}=1990"] * 100))
    assert len(looks) <= 3 * 4


def test_a_column_that_is_asked_for_often_is_counted_once(tmp_path, monkeypatch):
    counted = []
    monkeypatch.setattr(one_query, "_values", lambda state, numbers, column: counted.append(column) or [])
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        index.add([Document("a", "space", metadata={"year": 1990})])
        assert list(index.search("space", facets=["year"] * 1000).facets) == ["year"]
    assert counted == ["year"]


def test_of_a_phrase_only_so_many_words_are_looked_for():
    assert fulltext.question(["space." * 500]).count("space") == fulltext.MOST_PARTS
    assert fulltext.question(["state-of-the-art"]).split(" OR ")[0] == '"state-of-the-art"'  # and the same in full width


def test_a_passage_of_a_long_text_is_found_in_one_piece_of_it(index):
    hit = next(hit for hit in index.search("comet moon") if hit.id == "long")
    assert "comet" in hit.snippet
    text = index["long"].text
    assert all(text[start:end] in {"moon", "comet"} for start, end in hit.passage.matches)
    assert hit.passage.before
    assert not hit.passage.after
    pieces = list(store_passages._pieces(0, "title", text))
    assert "".join(piece.text for piece in pieces) == text
    assert max(len(piece.text) for piece in pieces) <= store_passages._LONGEST_PIECE
    assert [piece.title for piece in pieces].count("title") == 1


def test_where_very_much_is_found_the_passage_begins_at_the_first_and_nothing_is_compared(monkeypatch):
    """SQLite compares all places with each other: a question of 39 characters took 22 seconds."""
    repeated, plain = "to begin with: " + "a " * 4_000, "what is a comet, and what is a moon?"
    asked = ["a " * n for n in range(2, 9)]
    found, other = passages({1: ("", repeated), 2: ("", plain)}, [*asked, "comet"])
    assert other.marked() == "what is a [comet], and what is a moon?"
    monkeypatch.setattr(store_passages, "_MARKED", "this is no statement, {}")
    assert passages({1: ("", repeated)}, asked) == [found]
    assert found.text.startswith("to begin with: a a a")
    assert repeated[found.start :].startswith(found.text)
    assert (found.matches[0][0], found.before, found.after) == (15, False, True)
    assert len(found.text) <= 300
    with pytest.raises(sqlite3.OperationalError):
        passages({2: ("", plain)}, asked)


def test_a_passage_of_much_that_is_found_in_the_middle_begins_a_little_before_it():
    [found] = passages({1: ("", "word " * 500 + "a" * 50 + " a-a" * 2_000)}, ["a" * 50, "a a", "a a a"])
    assert found.text.startswith("word ")
    assert found.before
    assert found.after
    assert found.matches[0] == (2500, 2550)


def test_a_short_text_of_which_every_word_is_found_in_many_ways_is_its_own_passage():
    [found] = passages({1: ("", "a " * 100)}, ["a " * n for n in range(1, 32)] + ["a" + "b" * n for n in range(60)])
    assert (found.text.strip(), found.before, found.after) == (("a " * 100).strip(), False, False)


def test_words_that_are_compared_as_equal_are_asked_for_once():
    assert question("Über uber ÜBER Wheat wheat") == question("Über Wheat")
    assert question("कि क").count(" OR ") == 1


def test_a_word_of_megabytes_is_cut_where_no_blank_is():
    pieces = list(store_passages._pieces(0, "", "x" * 20_000))
    assert [len(piece.text) for piece in pieces] == [8_000, 8_000, 4_000]


def test_a_limit_beyond_all_numbers_lists_what_there_is(index):
    assert {hit.id for hit in index.search("comet", 99999999999999999999)} == {"long", "short"}
