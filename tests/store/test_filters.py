"""Filters: each operation against plain Python, and no text of theirs ever a statement."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from tests.store.samples import documents
from vicinal._store import Documents, Labels, columns
from vicinal._store.filters import OPERATIONS
from vicinal.corpus import Document
from vicinal.errors import BadParameter

MIXED = [
    Document("a", "x", metadata={"year": 1990, "name": "Anna", "flag": True}),
    Document("b", "x", metadata={"year": 1990.5, "name": "ann", "flag": False}),
    Document("c", "x", metadata={"year": "1990", "name": "", "flag": None}),
    Document("d", "x", metadata={"year": -3, "name": 'Ann O\'Hara "%_"'}),
    Document("e", "x"),
]
PLAIN = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda value, several: value in several,
    "contains": lambda value, part: part.lower() in value.lower(),
}


def plainly(column, operation, value):
    """What the filter must give, by Python's own comparisons between values of one kind."""

    def kind(each):
        return "text" if isinstance(each, str) else "number"

    passed = []
    for number, document in enumerate(MIXED, start=1):
        there = document.metadata.get(column)
        if value is None:
            fits = (there is None) == (operation == "=")
        elif there is None:
            fits = False
        else:
            fits = (operation == "in" or kind(there) == kind(value)) and PLAIN[operation](there, value)
        if fits:
            passed.append(number)
    return passed


ASKED = [
    *[("year", op, 1990) for op in ("=", "!=", "<", "<=", ">", ">=")],
    *[("year", op, "1990") for op in ("=", "!=", "<", ">=", "contains")],
    *[("name", op, "Anna") for op in ("=", "!=", "<", "<=", ">", ">=", "contains")],
    ("name", "contains", "nn"),
    ("name", "contains", "aNN"),
    ("name", "contains", "%_"),
    ("name", "contains", "O'Hara \""),
    ("name", "in", ["ann", "Anna", 1990]),
    ("year", "in", [1990, -3]),
    ("year", "in", []),
    ("flag", "=", True),
    ("flag", "=", 1),
    ("flag", "!=", True),
    ("flag", "=", None),
    ("flag", "!=", None),
    ("year", "=", None),
]


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_a_filter_gives_what_plain_comparison_gives(store, asked):
    Documents(store).add(MIXED)
    assert Documents(store).where([asked]).tolist() == plainly(*asked)


def test_every_operation_is_asked_and_can_tell_documents_apart():
    assert {operation for _, operation, _ in ASKED} == set(OPERATIONS)
    assert len({str(plainly(*asked)) for asked in ASKED}) > 8


def test_a_mapping_asks_for_equality_and_a_list_in_it_for_one_of_several(store):
    held = Documents(store)
    held.add(documents(12))
    assert held.where({"year": [1991, 1992, 1995], "section": "arts"}).tolist() == [2, 3, 6]
    assert held.where({"year": np.int64(1994)}).tolist() == [5]
    assert held.where({}).tolist() == list(range(1, 13))
    assert held.where({"title": "Title 3"}).tolist() == [4]


def test_the_label_in_force_is_the_one_that_is_filtered(store):
    held = Documents(store)
    held.add(documents(4))
    assert held.where({"label": "even"}).tolist() == [1, 3]
    Labels(store).give({1: "odd", 2: "even", 3: ""}, "user")
    assert held.where({"label": "even"}).tolist() == [2]


@pytest.mark.parametrize(
    "text", ["' OR 1=1 --", "'; DROP TABLE documents; --", '" OR ""="', "$.year", "a') OR (1=1", "?1", "\0", "]]"]
)
def test_no_text_of_a_filter_is_ever_a_statement(store, text):
    held = Documents(store)
    held.add(documents(5))
    for operation in ("=", "contains"):
        assert held.where([("section", operation, text)]).size == 0
    assert held.where([("section", "in", [text])]).size == 0
    with pytest.raises(BadParameter, match="no column"):
        held.where({text: 1})
    with pytest.raises(BadParameter, match="one of = != < <= > >= in contains"):
        held.where([("year", text, 1)])
    assert held.count() == 5


def test_an_unknown_column_is_said_with_those_that_are_known(store):
    Documents(store).add(documents(3))
    with pytest.raises(BadParameter, match=r"'yaer'\. Known are id, title, source, label, good, note, section, year"):
        Documents(store).where({"yaer": 1990})
    assert columns(store) == ["good", "note", "section", "year"]


@pytest.mark.parametrize(
    "filters",
    [
        "year",
        [("year", "=")],
        [("year", ">", None)],
        [("year", ">", float("nan"))],
        [("year", ">", 1 << 70)],
        [("year", "in", 3)],
        [("year", "in", [None])],
        [("year", "contains", 3)],
        [("year", "=", {"a": 1})],
        [("section", "=", "\ud800")],
        [("\ud800", "=", 1)],
        [(3, "=", 3)],
        [("year", "=", 1990)] * 101,
    ],
    ids=lambda each: repr(each)[:30],
)
def test_what_cannot_be_asked_is_refused(store, filters):
    Documents(store).add(documents(2))
    with pytest.raises(BadParameter):
        Documents(store).where(filters)


@pytest.mark.parametrize(
    ("asked", "holds"),
    [(("year", ">=", "abc"), "numbers"), (("year", "contains", "199"), "numbers"), (("section", "=", 5), "text")],
)
def test_a_value_of_another_kind_than_all_of_the_column_is_refused(store, asked, holds):
    held = Documents(store)
    held.add(documents(5))
    with pytest.raises(BadParameter, match=f"holds {holds}, got .* Compare it with {holds}"):
        held.where([asked])


DATED = [
    Document("a", "x", metadata={"created": "2014-12-31", "stars": 3}),
    Document("b", "x", metadata={"created": "2015", "stars": 5}),
    Document("c", "x", metadata={"created": "2015-03-09T23:59:00+01:00"}),
    Document("d", "x", metadata={"created": "2015/12/31"}),
    Document("e", "x", metadata={"created": "2016-01-01"}),
    Document("f", "x", metadata={"created": "unknown"}),
    Document("g", "x", label="old"),
]


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("created>=2015", "bcde"),
        ("created>2015", "e"),
        ("created<2015", "a"),
        ("created<=2015", "abcd"),
        ("created=2015", "bcd"),
        ("created!=2015", "ae"),
        ("created=2015-03", "c"),
        ("created<=2015-03-09", "abc"),
        ("created>2015-03-09", "de"),
        ("created in (2014, 2016)", "ae"),
        ("created=unknown", "f"),
        ("NOT created>=2015", "afg"),
        ("stars>4 OR label=old", "bg"),
        ("stars>2 AND NOT stars=5", "a"),
        ("(stars=3 OR stars=5) AND created>=2015", "b"),
        ("stars not in (3, 4)", "bcdefg"),
    ],
)
def test_a_condition_in_text_finds_what_it_says(store, where, found):
    Documents(store).add(DATED)
    assert "".join(Documents(store).ids(Documents(store).where(where))) == found


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("created>=2015", "bcdeh"),
        ("created=2017", "h"),
        ("created<2017-03", "abcdeh"),
        ("created in (2014, 2017)", "ah"),
        ("created!=2015", "aeh"),
    ],
)
def test_a_year_as_a_number_is_a_date_beside_others_in_text(store, where, found):
    Documents(store).add([*DATED, Document("h", "x", metadata={"created": 2017})])
    assert "".join(Documents(store).ids(Documents(store).where(where))) == found


@pytest.mark.parametrize("number", [42, 2017.5, 20170101])
def test_a_column_with_numbers_that_are_no_years_is_compared_as_numbers(store, number):
    Documents(store).add([*DATED, Document("h", "x", metadata={"created": number}), Document("i", "x", metadata={"created": 2017})])
    assert Documents(store).ids(Documents(store).where("created=2017")) == ["i"]


def test_a_derived_column_is_asked_for_the_numbers_that_pass(store):
    Documents(store).add(DATED)
    asked = []
    derived = {"cluster": lambda operation, value: asked.append((operation, value)) or [2, 5]}
    assert Documents(store).where("cluster=3 AND created>=2016", derived=derived).tolist() == [5]
    assert asked == [("=", 3)]
    with pytest.raises(BadParameter, match="label, cluster, created"):
        Documents(store).where("colour=red", derived=derived)


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ("id=3", ["3"]),
        ("id in (1, 2, 9)", ["1", "2"]),
        ({"id": [np.int64(2), "4"]}, ["2", "4"]),
        ("label=1", ["1", "3", "5"]),
        ("label!=1", ["0", "2", "4"]),
        ([("title", "=", 1984)], ["4"]),
        ("title<1982", ["0", "1"]),
        ({"title": 1984.5}, []),
    ],
)
def test_a_number_is_compared_with_a_documents_own_columns_as_it_is_written(store, where, found):
    kept = Documents(store)
    kept.add([Document(str(k), "wheat", str(1980 + k), str(k % 2)) for k in range(6)])
    assert kept.ids(kept.where(where)) == found


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (["year>1980", "name~nn"], [1, 2]),
        (["year>1980", ("name", "=", "Anna")], [1]),
        (("year", ">", 1980), [1, 2]),
        (["year", ">", 1980], [1, 2]),
        (("year>1980", "name~nn", "flag=1"), [1]),
    ],
)
def test_texts_in_a_list_and_one_comparison_by_itself(store, filters, found):
    documents = Documents(store)
    documents.add(MIXED)
    assert documents.where(filters).tolist() == found


def test_a_list_with_no_value_of_the_kind_of_the_column_is_refused(store):
    documents = Documents(store)
    documents.add([*MIXED, Document("f", "x", metadata={"size": 3})])
    with pytest.raises(BadParameter, match=r"'size' holds numbers, got '3 4'\. Compare it with numbers\."):
        documents.where("size in (3 4)")
    with pytest.raises(BadParameter, match="Put AND or OR between two conditions"):
        documents.where("size>3 size<5")
    with pytest.raises(BadParameter, match='in quotation marks: "3"'):
        documents.where("name=3")
    assert documents.where("size in (3, many)").tolist() == [6]
    assert documents.where("size in ()").tolist() == []


def test_capitals_and_accents_make_no_difference_to_a_part_of_a_text(store):
    store_documents = Documents(store)
    store_documents.add([Document("a", "x", "Die Häuser am Rand", metadata={"author": "Müller"}), Document("b", "x", "Wege")])
    for condition in ("title~häuser", "title~HAUSER", "author~mÜLL", [("title", "contains", "RAND")]):
        assert store_documents.where(condition).tolist() == [1]
    assert store_documents.where("NOT title~häuser").tolist() == [2]
