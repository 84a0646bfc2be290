"""Hostile questions: any is answered within a second and little memory, or refused with a sentence."""

from __future__ import annotations

import pytest

import vicinal
from vicinal import Document
from vicinal._query.length import LONGEST_QUESTION
from vicinal._store import fulltext
from vicinal._store.passages import _LONGEST_PIECE, _pieces
from vicinal.errors import BadQuery


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


def test_of_a_phrase_only_so_many_words_are_looked_for():
    assert fulltext.question(["space." * 500]).count("space") == fulltext.MOST_PARTS
    assert fulltext.question(["state-of-the-art"]) == '"state-of-the-art"'


def test_a_passage_of_a_long_text_is_found_in_one_piece_of_it(index):
    hit = next(hit for hit in index.search("comet moon") if hit.id == "long")
    assert "comet" in hit.snippet
    text = index["long"].text
    assert all(text[start:end] in {"moon", "comet"} for start, end in hit.passage.matches)
    assert hit.passage.before
    assert not hit.passage.after
    pieces = list(_pieces(0, "title", text))
    assert "".join(piece.text for piece in pieces) == text
    assert max(len(piece.text) for piece in pieces) <= _LONGEST_PIECE
    assert [piece.title for piece in pieces].count("title") == 1


def test_a_word_of_megabytes_is_cut_where_no_blank_is():
    pieces = list(_pieces(0, "", "x" * 20_000))
    assert [len(piece.text) for piece in pieces] == [8_000, 8_000, 4_000]


def test_a_limit_beyond_all_numbers_lists_what_there_is(index):
    assert {hit.id for hit in index.search("comet", 99999999999999999999)} == {"long", "short"}
