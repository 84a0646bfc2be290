"""Long documents in parts: by page, heading or words, each with its parent; words divided at the end of a line are joined."""

from __future__ import annotations

import pytest

import vicinal
from vicinal import Document, read
from vicinal.corpus._split import checked_split, parts_of, without_hyphens
from vicinal.errors import BadParameter


def split(text, how, title="T"):
    return list(parts_of(Document("d", text, title, metadata={"year": 7}), checked_split(how)))


def test_pages_are_parts_that_name_their_parent_and_page():
    parts = split("one\n\f\f three\nwords", "page")
    assert [(each.id, each.title) for each in parts] == [("d#p1", "T, page 1"), ("d#p3", "T, page 3")]
    assert [each.text for each in parts] == ["one", " three\nwords"]
    assert dict(parts[1].metadata) == {"year": 7, "parent": "d", "page": 3}


def test_headings_begin_parts():
    parts = split("intro\n# One\ntext\n\nTwo\n---\nmore\n", "heading", title="")
    assert [(each.id, each.title) for each in parts] == [("d#h1", "part 1"), ("d#h2", "One"), ("d#h3", "Two")]
    assert parts[1].text == "# One\ntext"
    assert "page" not in parts[0].metadata
    named = split("# One\ntext\n# Two\nmore", "heading", title="One")
    assert [each.title for each in named] == ["One", "One, Two"]


def test_words_are_counted_and_none_is_lost():
    text = " ".join(f"w{i}" for i in range(25)) + "\n\f" + "last page"
    parts = split(text, "words:10")
    assert [len(each.text.split()) for each in parts] == [10, 10, 7]
    assert " ".join(each.text for each in parts).split() == text.split()
    assert [each.metadata["page"] for each in parts] == [1, 1, 1]


@pytest.mark.parametrize("how", ["page", "heading", "words:300"])
def test_a_document_of_one_part_stays_whole(how):
    [part] = split("a few words", how)
    assert (part.id, "parent" in part.metadata) == ("d", False)


@pytest.mark.parametrize("how", ["pages", "words", "words:0", "words:x", 7])
def test_another_way_to_split_is_refused(how, tmp_path):
    with pytest.raises(BadParameter, match="split"):
        read(tmp_path, split=how)


def test_a_hit_names_its_page(tmp_path):
    (tmp_path / "a.txt").write_text("Roses\nare red\n\fViolets are blue\n\fWine is white\n")
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        index.add(read(tmp_path / "a.txt", split="page"))
        [hit] = index.search("violets")
    assert (hit.id, hit.metadata["page"], hit.metadata["parent"]) == ("a.txt#p2", 2, "a.txt")


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("an exam-\nple of it", "an example\nof it"),
        ("exam-\nple, then", "example,\nthen"),
        ("well-\nknown and well-known", "well-known\nand well-known"),
        ("the years 1990-\n2000", "the years 1990-\n2000"),
        ("Jean-\nPaul", "Jean-\nPaul"),
        ("a list:\n- one\n- two", "a list:\n- one\n- two"),
    ],
)
def test_a_word_divided_at_the_end_of_a_line_is_joined(text, joined):
    assert without_hyphens(text) == joined
