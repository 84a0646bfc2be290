"""Passages on one line: never wider than asked, with a whole word of the query inside wherever one fits."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from vicinal.cli._terminal.passage_line import passage_line
from vicinal.index import Passage


def passage(text):
    """Capital words are those of the query."""
    return Passage(text, 0, tuple(found.span() for found in re.finditer(r"[A-Z]+", text)))


def test_what_fits_is_shown_as_it_is():
    assert passage_line(passage("the TRAIN is late"), 80).plain == "the [TRAIN] is late"
    assert passage_line(Passage("a\tb\n\x1bc", before=True), 80).plain == r"…a b \x1bc"


@pytest.mark.parametrize(
    ("text", "width", "line"),
    [
        ("one two TRAIN four five six", 22, "one two [TRAIN] four …"),
        ("one two three four five TRAIN six seven", 20, "…five [TRAIN] six s…"),
        ("TRAIN two three four five six seven LATE TRAIN", 20, "…[LATE] [TRAIN]"),
        ("TRAINSTATION", 8, "[TRAINS…"),
        ("plain words without any mark", 10, "plain wor…"),
    ],
)
def test_the_line_is_cut_around_the_words(text, width, line):
    assert passage_line(passage(text), width).plain == line


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.sampled_from(["one", "two", "TRAIN", "LATE", "火车", "x" * 30, "(TRAIN),"]), max_size=30).map(" ".join),
    st.integers(12, 60),
)
def test_no_line_is_wider_than_asked_and_a_word_is_inside(text, width):
    line = passage_line(passage(text), width).plain
    assert cell_len(line) <= width
    assert bool(re.search(r"\[(TRAIN|LATE)\]", line)) == bool(re.search("TRAIN|LATE", text))


def test_words_of_the_query_are_bold_and_the_others_are_not():
    line = passage_line(passage("the TRAIN is late"), 80)
    assert {line.plain[span.start] for span in line.spans if span.style == "bold"} == set("[TRAIN]")
