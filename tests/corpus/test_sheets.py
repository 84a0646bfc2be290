"""Sheets of Excel: the same rows by python-calamine and by the standard library."""

from __future__ import annotations

import sys

import pytest

from tests.corpus.workbooks import workbook
from vicinal.corpus import Limits, read
from vicinal.corpus._formats import sheets
from vicinal.errors import BadParameter


def cells(number, *written):
    return f'<row r="{number}">{"".join(written)}</row>'


def inline(reference, text, space=""):
    return f'<c r="{reference}" t="inlineStr"><is><t{space}>{text}</t></is></c>'


def number(reference, value, style=0):
    return f'<c r="{reference}" s="{style}"><v>{value}</v></c>'


def typed(reference, kind, value):
    return f'<c r="{reference}" t="{kind}"><v>{value}</v></c>'


HEADER = cells(2, typed("B2", "s", 0), typed("C2", "s", 1), typed("D2", "s", 2))
ROWS = HEADER + "".join(
    [
        cells(3, typed("B3", "s", 3), number("C3", 44259, 1), number("D3", 2.5), '<c r="E3" s="2"/>'),
        cells(4, inline("B4", " wine  and "), number("C4", 44260.5208333333, 2), number("D4", 7)),
        cells(5, typed("B5", "str", "a &lt;formula&gt;"), number("C5", 0.5, 1), typed("D5", "e", "#N/A")),
        cells(6, inline("B6", "blanks ", ' xml:space="preserve"'), number("C6", 1.25, 3), typed("D6", "b", 1)),
        cells(8, inline("B8", "late"), number("C8", 44260.999999, 1), number("D8", -3)),
        cells(9, inline("B9", "early"), number("C9", 45, 1), number("D9", 12345678901234567)),
        cells(10, inline("B10", "ISO"), typed("C10", "d", "2020-01-02"), number("D10", "1E+20")),
        cells(11, inline("B11", "far"), number("C11", 2958470, 2), typed("D11", "str", "")),
    ]
)
#: The first column of the sheet is empty.
EXPECTED = [
    ("a.xlsx#3", "red roses", {"column 1": None, "day": "2021-03-04", "n": 2.5}),
    ("a.xlsx#4", "wine  and", {"column 1": None, "day": "2021-03-05T12:30:00", "n": 7}),
    ("a.xlsx#5", "a <formula>", {"column 1": None, "day": "12:00:00", "n": None}),
    ("a.xlsx#6", "blanks ", {"column 1": None, "day": "30:00:00", "n": True}),
    ("a.xlsx#8", "late", {"column 1": None, "day": "2021-03-06T00:00:00", "n": -3}),
    ("a.xlsx#9", "early", {"column 1": None, "day": "1900-02-14", "n": 12345678901234567.0}),
    ("a.xlsx#10", "ISO", {"column 1": None, "day": "2020-01-02", "n": 1e20}),
    ("a.xlsx#11", "far", {"column 1": None, "day": 2958470, "n": None}),
]


@pytest.fixture(name="by", params=["python-calamine", "the standard library"])
def reader(request, monkeypatch, in_this_process):
    """Each reader, and whether python-calamine gave rows."""
    used, quick = [], sheets._quick_rows
    if request.param == "python-calamine":
        pytest.importorskip("python_calamine")

        def spied(*given):
            rows = quick(*given)
            used.append(rows is not None)
            return rows

        monkeypatch.setattr(sheets, "_quick_rows", spied)
    else:
        monkeypatch.setitem(sys.modules, "python_calamine", None)
    yield request.param
    assert all(used)
    assert bool(used) == (request.param == "python-calamine")


@pytest.fixture(name="rows_of")
def rows_of_a_file(tmp_path):
    def read_file(data, **options):
        (tmp_path / "a.xlsx").write_bytes(data)
        with read(tmp_path / "a.xlsx", **options) as reading:
            return [(each.id, each.text, dict(each.metadata)) for each in reading], [each.reason for each in reading.skipped]

    return read_file


def test_rows_are_documents_with_numbers_dates_and_times(by, rows_of):
    assert rows_of(workbook({"One": ROWS})) == (EXPECTED, [])


def test_days_are_counted_from_1904_where_the_file_says_so(by, rows_of):
    found, _ = rows_of(workbook({"One": ROWS}, '<workbookPr date1904="1"/>'))
    assert [each[2]["day"] for each in found][:3] == ["2025-03-05", "2025-03-06T12:30:00", "12:00:00"]


def test_each_sheet_is_a_table_of_its_own(by, rows_of):
    other = '<row r="1"><c r="A1" t="inlineStr"><is><t>text</t></is></c></row><row r="2"><c r="A2" t="s"><v>3</v></c></row>'
    found, skipped = rows_of(workbook({"One": ROWS, "Zwei": other, "Empty": ""}))
    assert [id for id, _, _ in found] == [f"a.xlsx/One{id[6:]}" for id, _, _ in EXPECTED] + ["a.xlsx/Zwei#2"]
    assert skipped == []


def test_a_row_with_more_cells_than_the_header_is_reported(by, rows_of):
    more = f'{HEADER}<row r="3"><c r="B3" t="s"><v>3</v></c><c r="F3"><v>1</v></c></row>'
    assert rows_of(workbook({"One": more})) == ([], ["row 3: 6 cells where the header has 4"])


@pytest.mark.parametrize("cell", ["A1048576", "ZZ9"])
def test_a_cell_far_away_does_not_make_a_table_of_all_between(cell, rows_of, monkeypatch):
    """Such sheets are read row by row, whatever is installed."""
    monkeypatch.setattr(sheets, "_MOST_CELLS", 100)
    far = f'{HEADER}<row r="3"><c r="B3" t="s"><v>3</v></c></row><row r="{cell.lstrip("AZ")}"><c r="{cell}"><v>1</v></c></row>'
    data = f"<worksheet><sheetData>{far}</sheetData></worksheet>".encode()
    assert sheets._quick_rows(None, "One", data, 20_000) is None
    assert rows_of(workbook({"One": far}))[0][:1] == [("a.xlsx#3", "red roses", {"day": None, "n": None, "column 1": None})]


def test_a_sheet_with_too_many_columns_is_refused_whatever_is_installed(rows_of):
    far = f'{HEADER}<row r="3"><c r="ZZ3"><v>1</v></c></row>'
    assert rows_of(workbook({"One": far}), limits=Limits(columns=100))[1] == ["row 3: more than 100 columns"]


def test_a_part_that_unpacks_to_too_much_is_refused(rows_of):
    data = workbook({"One": HEADER + '<row r="3"><c r="B3" t="inlineStr"><is><t>' + "words " * 50_000 + "</t></is></c></row>"})
    _, [reason] = rows_of(data, limits=Limits(document_bytes=100_000))
    assert "unpacks to more than" in reason


AMOUNTS, TEXTS = (
    cells(1, inline("A1", "amount")) + cells(2, number("A2", 3)),
    cells(1, inline("A1", "text")) + cells(2, inline("A2", "roses")),
)


@pytest.mark.parametrize("sheets_of", [{"Sums": AMOUNTS, "Notes": TEXTS}, {"Notes": TEXTS, "Sums": AMOUNTS}])
@pytest.mark.parametrize("named", [None, "text"])
def test_a_sheet_without_text_is_named_and_takes_no_other_with_it(tmp_path, sheets_of, named):
    (tmp_path / "a.xlsx").write_bytes(workbook(sheets_of))
    reading = read(tmp_path / "a.xlsx", text=named)
    assert [(each.id, each.text) for each in reading] == [("a.xlsx/Notes#2", "roses")]
    [skipped] = reading.skipped
    assert skipped.reason.startswith("sheet 'Sums': ")


def test_a_column_that_no_sheet_has_is_an_error(tmp_path):
    (tmp_path / "a.xlsx").write_bytes(workbook({"Sums": AMOUNTS, "Notes": TEXTS}))
    with pytest.raises(BadParameter, match="no column 'body'"):
        list(read(tmp_path / "a.xlsx", text="body"))
