from __future__ import annotations

import csv
import datetime
import io
import json
import sys
from decimal import Decimal
from email.message import EmailMessage
from pathlib import Path

import pytest

from vicinal import read
from vicinal.corpus import Limits
from vicinal.corpus._formats import FORMATS, FileFormat
from vicinal.corpus._formats.extraction import EXTRACTED
from vicinal.corpus._formats.html import visible_text
from vicinal.corpus._formats.json import Refused, first_fault, loads
from vicinal.errors import BadParameter


@pytest.fixture
def reading_of(tmp_path):
    """Write a file of this name and read it: documents, reasons and notes."""

    def made(name, content, **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        reading = read(path, **options)
        documents = list(reading)
        return documents, [skipped.reason for skipped in reading.skipped], reading.notes

    return made


# Text


@pytest.mark.parametrize("name", ["a.txt", "a.py", "a.rst", "a.c", "a.log", "a.unknown", "README"])
def test_any_file_that_is_text_is_one_document_called_after_the_file(reading_of, name):
    [document], skipped, notes = reading_of(name, "<x>words & signs</x>\n")
    assert (document.id, document.text, document.title) == (name, "<x>words & signs</x>\n", Path(name).stem)
    assert (skipped, notes) == ([], [])


def test_an_ending_in_capitals_is_the_same_ending(reading_of):
    [document], _, _ = reading_of("A.HTML", "<p>words</p>")
    assert document.text == "words"


def test_text_of_which_most_would_be_replaced_is_skipped_unless_the_encoding_is_given(reading_of):
    data = ("é".encode() + b"\xff\xfa") * 100
    documents, [reason], notes = reading_of("a.txt", data)
    assert (documents, notes) == ([], [])
    assert reason == "binary, or text in an encoding that is not recognised: give encoding= if you know it"
    assert reading_of("a.txt", data, encoding="latin-1")[0][0].text == data.decode("latin-1")


JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。"
CHINESE = "今天天气很好，我们坐火车去北京旅行。这是一个非常漂亮的城市。"
RUSSIAN = "Сегодня очень хорошая погода, и мы поехали на поезде в город."


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc_jp"),
        (JAPANESE, "utf-16-le"),
        (CHINESE, "gbk"),
        (CHINESE, "utf-16-be"),
        ("今天天氣很好，我們坐火車去台北旅行。這是一個非常漂亮的城市。", "big5"),
        ("오늘은 날씨가 매우 좋아서 우리는 기차를 타고 서울로 여행을 갔다.", "euc_kr"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "cp1251"),
        ("Σήμερα ο καιρός είναι πολύ καλός και πήγαμε με το τρένο στην πόλη.", "iso8859_7"),
    ],
)
def test_older_encodings_are_guessed_in_texts_and_tables_and_said(reading_of, text, encoding):
    [document], _, notes = reading_of("a.txt", text.encode(encoding))
    assert document.text == text
    assert encoding.startswith("utf") or any(f"read as {encoding}" in note for note in notes)
    documents, _, _ = reading_of("a.csv", f'id,text\n1,"{text}"\n2,"{text}"\n'.encode(encoding))
    assert [each.text for each in documents] == [text, text]


def test_western_text_and_random_bytes_are_not_taken_for_older_encodings(reading_of):
    french = "L'été dernier, nous avons été à la plage où il faisait très chaud.\n"
    assert reading_of("a.txt", french.encode("latin-1"))[0][0].text == french
    assert reading_of("b.txt", bytes(range(256)) * 20)[0] == []


def test_an_entity_bomb_in_xml_is_mere_text(reading_of):
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]><x>&b;&c;</x>'
    [document], _, _ = reading_of("bomb.xml", bomb)
    assert document.text == bomb


def test_markdown_is_called_after_its_first_heading(reading_of):
    assert reading_of("a.md", "intro\n\n## The Garden ##\n\ntext\n")[0][0].title == "The Garden"
    assert reading_of("b.md", "no heading #here\n")[0][0].title == "b"


# HTML


PAGE = """<!DOCTYPE html><html><head><title>Bread &amp;
 Butter</title><style>p { color: red }</style><SCRIPT>if (a < b) alert("<p>no</p>")</SCRIPT ></head>
<body><!-- <p>not this</p> --><h1>Baking</h1><p>The <b>ov</b>en is <a href="x>y">hot</a>.<p>5 < 6 &eacute;</body></html>"""


def test_a_page_gives_its_words_and_its_title_without_scripts_styles_and_comments(reading_of):
    [document], _, _ = reading_of("a.html", PAGE)
    assert document.title == "Bread & Butter"
    assert document.text.split("\n") == ["Baking", "", "The oven is hot.", "5 < 6 é"]
    assert "alert" not in document.text
    assert "color" not in document.text


def test_elements_that_are_blocks_part_words_and_those_inside_a_line_do_not():
    assert visible_text("<div>a</div>b<td>c</td><td>d</td>e<br>f")[0].split() == ["a", "b", "c", "d", "e", "f"]
    assert visible_text("w<i>or</i>d <custom-tag>x</custom-tag>")[0].split() == ["word", "x"]


def test_a_page_may_name_its_own_encoding(reading_of):
    page = '<html><head><meta charset="koi8-r"></head><body>Привет</body></html>'
    assert reading_of("a.htm", page.encode("koi8-r"))[0][0].text == "Привет"


def test_an_attribute_with_a_stray_quote_swallows_no_text():
    assert visible_text('<a href="x"">text <a href="y">more</a>')[0] == "text more"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<div>" * 100_000 + "deep" + "</div>" * 100_000, "deep"),
        ('<p title="' + "x" * 10_000_000 + '">after</p>', "after"),
        ("before" + '<a "' * 100_000, "before"),
        ("before" + '<a b=">"' * 100_000, "before"),
        ("before" + "<!" * 100_000, "before"),
        ("before<!--" * 1_000, "before"),
        ("before" + "<script>" * 100_000, "before"),
        ("before &#" + "9" * 1_000_000 + "; after", "before \ufffd after"),
        ("before <", "before <"),
        ("", ""),
    ],
    ids=["deep", "attribute", "open tags", "quoted ends", "declarations", "comments", "scripts", "reference", "sign", "empty"],
)
def test_no_page_can_make_the_reader_slow_or_fall(page, text):
    assert visible_text(page)[0].startswith(text)


# JSON


def test_json_may_be_a_list_of_objects_a_list_of_texts_or_one_object(reading_of):
    objects = [{"headline": "A", "body": "first text", "year": 2024}, {"headline": "B", "body": "second text", "year": None}]
    documents, _, notes = reading_of("a.json", json.dumps(objects))
    assert [(d.id, d.text, d.title, dict(d.metadata)) for d in documents] == [
        ("a.json#1", "first text", "A", {"year": 2024}),
        ("a.json#2", "second text", "B", {"year": None}),
    ]
    assert notes == ['columns of a.json: text from "body", title from "headline", metadata: year']
    assert [d.text for d in reading_of("b.json", '["one", "two"]')[0]] == ["one", "two"]
    assert [d.text for d in reading_of("c.json", '{"text": "alone"}')[0]] == ["alone"]
    assert [d.text for d in reading_of("d.json", '{"count": 1, "rows": [{"text": "wrapped"}]}')[0]] == ["wrapped"]


def test_a_json_file_with_one_object_per_line_is_read_as_such_and_noted(reading_of):
    documents, _, notes = reading_of("a.json", '{"text": "one"}\n{"text": "two"}\n')
    assert [d.text for d in documents] == ["one", "two"]
    assert "one JSON value per line" in notes[0]


@pytest.mark.parametrize("value", ["7", "null", '"text"'])
def test_json_that_is_no_table_is_skipped(reading_of, value):
    documents, [reason], _ = reading_of("a.json", value)
    assert documents == []
    assert "neither an object nor a list of objects" in reason


DEEP = 100_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[\n{"text": NaN}]', "line 2: NaN is not a number"),
        ('[\n\n{"text": "a", "x": -Infinity}]', "line 3: -Infinity is not a number"),
        ('{"text":\n1e400}', "line 2: the number 1e400 is too large"),
        ('{"text":\n\n1' + "0" * 400 + "}", "line 3: the number 10000000000000000000… is too large"),
        ('{"text":\n' + "[" * DEEP + "]" * DEEP + "}", "line 2: nested more than 200 deep"),
        ('[{"text": "a"},\n{"text": "b",\n"text": "c"}]', 'line 3: the key "text" twice in one object'),
        ('[{"text": "a"},\n{"text" "b"}]', "line 2: Expecting ':' delimiter at column 9"),
        ('[{"text": "a"', "line 1: Expecting ',' delimiter at column 14"),
    ],
    ids=["NaN", "infinity", "1e400", "10^400", "deep", "twice", "syntax", "cut short"],
)
def test_json_that_two_readers_could_read_in_two_ways_is_refused_with_its_line(reading_of, text, reason):
    assert reading_of("a.json", text)[:2] == ([], [reason])


def test_signs_inside_strings_are_no_faults():
    text = '{"a": "NaN [[[ 1e999 \\" {", "b": {"a": 1}, "c": ["NaN"], "d": 1.5e300}'
    assert loads(text)["d"] == 1.5e300
    assert first_fault(text) is None
    with pytest.raises(Refused, match="twice"):
        loads('{"a": {"b": 1, "b": 2}}')


def test_jsonl_skips_bad_lines_with_their_numbers_and_reads_the_others(reading_of):
    lines = [
        '{"text": "one"}',
        "",
        '{"text": NaN}',
        "[1]",
        '{"text": ',
        '{"text": 1, "text": 2}',
        '{"text": ""}',
        '{"text": "two"}',
    ]
    documents, skipped, _ = reading_of("a.jsonl", "\n".join(lines))
    assert [(d.id, d.text) for d in documents] == [("a.jsonl#1", "one"), ("a.jsonl#8", "two")]
    assert skipped == [
        "line 3: NaN is not a number",
        "line 4: a list, neither an object nor a text",
        "line 5: Expecting value at column 9",
        'line 6: the key "text" twice in one object',
        "line 7: no text",
    ]


def test_a_deep_line_of_jsonl_is_refused_and_the_next_is_read(reading_of):
    documents, skipped, _ = reading_of("a.ndjson", '{"text": ' + "[" * DEEP + "\n" + '{"text": "next"}\n')
    assert [d.text for d in documents] == ["next"]
    assert skipped == ["line 1: nested more than 200 deep"]


def test_values_that_are_not_plain_are_left_out_of_metadata_and_this_is_said(reading_of):
    [document], _, notes = reading_of(
        "a.jsonl", '{"text": ["two", "lines"], "who": {"a": 1}, "big": 99999999999999999999, "ok": true}'
    )
    assert document.text == "two\nlines"
    assert dict(document.metadata) == {"big": "99999999999999999999", "ok": True}
    assert notes == ['columns of a.jsonl: text from "text", metadata: big, ok, left out, not plain values: who']


def test_half_a_character_in_json_is_replaced_and_counted(reading_of):
    [document], _, notes = reading_of("a.jsonl", '{"text": "x \\ud800 \\u0000 y"}')
    assert document.text == "x \ufffd   y"
    assert notes[-1].endswith("cannot be text and were replaced: 2")


def test_a_line_longer_than_the_limit_is_skipped_and_the_next_is_read(reading_of):
    lines = json.dumps({"text": "x" * 5_000}) + "\n" + '{"text": "short"}\n'
    documents, skipped, _ = reading_of("a.jsonl", lines, limits=Limits(document_bytes=1_000))
    assert [(d.id, d.text) for d in documents] == [("a.jsonl#2", "short")]
    assert skipped == ["line 1: longer than 1,000 characters"]


# Tables


def test_csv_has_quotes_commas_and_lines_in_cells_and_numbers_where_a_column_has_them(reading_of):
    table = 'headline,body,year,price,code,date\nA,"one, ""two""\nthree",2024,1.5,007,2024-01-02\nB,four,,2,008,\n'
    documents, _, notes = reading_of("a.csv", table)
    assert [(d.id, d.title, d.text) for d in documents] == [("a.csv#2", "A", 'one, "two"\nthree'), ("a.csv#3", "B", "four")]
    assert dict(documents[0].metadata) == {"year": 2024, "price": 1.5, "code": "007", "date": "2024-01-02"}
    assert dict(documents[1].metadata) == {"year": None, "price": 2.0, "code": "008", "date": None}
    assert notes == ['columns of a.csv: text from "body", title from "headline", metadata: year, price, code, date']


@pytest.mark.parametrize("sign", [";", "|", "\t"])
def test_other_signs_between_cells_are_found_and_noted(reading_of, sign):
    documents, _, notes = reading_of("a.csv", f'title{sign}text\nA{sign}"one, two, three"\n')
    assert [(d.title, d.text) for d in documents] == [("A", "one, two, three")]
    assert notes[0] == f"a.csv: cells separated by {sign!r}"


def test_a_table_without_a_header_gets_names_for_its_columns_and_says_so(reading_of):
    documents, _, notes = reading_of("a.csv", "1,the first text\n2,the second text\n")
    assert [(d.id, d.text, dict(d.metadata)) for d in documents] == [
        ("a.csv#1", "the first text", {"column 1": 1}),
        ("a.csv#2", "the second text", {"column 1": 2}),
    ]
    assert "the first row is not a header" in notes[0]


def test_quotes_in_a_tsv_are_signs_unless_they_enclose_cells(reading_of):
    bare = 'title\ttext\nA\t"quoted" he said\nB\t"open\nC\tlast\n'
    assert [d.text for d in reading_of("a.tsv", bare)[0]] == ['"quoted" he said', '"open', "last"]
    enclosed = 'title\ttext\nA\t"a\tb"\n'.replace("a\tb", "a b")
    assert [d.text for d in reading_of("b.tsv", enclosed)[0]] == ["a b"]


def test_formulas_stay_text(reading_of):
    documents, _, _ = reading_of("a.csv", 'text,note\n"=HYPERLINK(""x"")",@sum\n+1 is more,-x\n')
    assert [(d.text, d.metadata["note"]) for d in documents] == [('=HYPERLINK("x")', "@sum"), ("+1 is more", "-x")]


def test_rows_with_too_many_cells_are_skipped_and_short_ones_filled(reading_of):
    documents, skipped, _ = reading_of("a.csv", "text,year\none,1,2\ntwo\n\nthree,3\n")
    assert [(d.id, d.text, d.metadata["year"]) for d in documents] == [("a.csv#3", "two", None), ("a.csv#5", "three", 3)]
    assert skipped == ["row 2: 3 cells where the header has 2"]


def test_a_hundred_thousand_columns_are_refused_with_the_row(reading_of):
    wide = ",".join(f"c{i}" for i in range(100_000))
    assert reading_of("a.csv", wide + "\n" + wide + "\n")[:2] == ([], ["row 1: 100,000 columns where 1,000 are allowed"])
    documents, skipped, _ = reading_of("b.csv", "text\n" + "," * 100_000 + "x\nfine\n")
    assert [d.text for d in documents] == ["fine"]
    assert skipped == ["row 2: 100,001 cells where the header has 1"]


def test_an_unclosed_quote_is_told_with_its_row_and_what_came_before_is_kept(reading_of):
    documents, [reason], _ = reading_of("a.csv", 'title,text\nA,one\nB,"never closed\nC,three\n')
    assert [d.text for d in documents] == ["one"]
    assert reason == "row 3: a quote opened on line 3 or after is never closed; nothing from there on was read"


def test_an_unclosed_quote_over_the_limit_is_told_too(reading_of):
    table = 'title,text\nA,one\nB,"never closed\n' + "C,three\n" * 1_000
    documents, [reason], _ = reading_of("a.csv", table, limits=Limits(document_bytes=500))
    assert [d.text for d in documents] == ["one"]
    assert "is never closed" in reason


@pytest.mark.parametrize("breaks", ["", "\n"])
def test_a_huge_cell_is_skipped_with_its_row_and_the_next_row_is_read(reading_of, breaks):
    huge = ("x" * 99 + breaks) * 100
    table = f'title,text\nA,"{huge}"\nB,"two"\n'
    documents, skipped, _ = reading_of("a.csv", table, limits=Limits(document_bytes=1_000))
    assert [(d.id, d.text) for d in documents] == [("a.csv#3", "two")]
    assert len(skipped) == 1
    assert skipped[0].startswith("row 2 (line 2): ")
    assert [len(d.text) for d in reading_of("b.csv", table)[0]] == [len(huge), 3]


def test_a_cell_larger_than_the_csv_module_likes_is_read_and_its_setting_stays(reading_of):
    before = csv.field_size_limit()
    [document], _, _ = reading_of("a.csv", "text\n" + "word " * 100_000 + "\n")
    assert len(document.text) == 500_000
    assert csv.field_size_limit() == before


def test_a_table_in_utf_16_or_with_bad_bytes_is_read(reading_of):
    assert [d.text for d in reading_of("a.csv", "text\nné à\n".encode("utf-16"))[0]] == ["né à"]
    documents, _, notes = reading_of("b.csv", b"text\ncaf\xe9\n" + "café ".encode() + b"\xff\n")
    assert [d.text for d in documents] == ["café", "café \ufffd"]
    assert [note.partition("b.csv: ")[2] for note in notes[1:]] == [
        "bytes that are not UTF-8 and were read as Windows-1252: 1",
        "bytes or characters that cannot be text and were replaced: 1",
    ]


def test_old_line_ends_are_line_ends(reading_of):
    assert [d.text for d in reading_of("a.csv", "text\rone\rtwo\r")[0]] == ["one", "two"]


def test_a_header_alone_has_no_documents(reading_of):
    assert reading_of("a.csv", "title,text\n")[:2] == ([], ["no documents in it"])


def test_no_line_is_lost_between_a_look_at_the_first_lines_and_the_rest(reading_of):
    for name, sign in (("a.csv", ","), ("a.tsv", "\t")):
        documents, _, _ = reading_of(name, f"title{sign}text\n" + "".join(f"T{i}{sign}text {i}\n" for i in range(2, 500)))
        assert [d.id for d in documents] == [f"{name}#{i}" for i in range(2, 500)]
        assert [d.text for d in documents] == [f"text {i}" for i in range(2, 500)]


# Columns


def test_the_text_is_the_column_with_the_longest_strings_if_no_name_is_known(reading_of):
    documents, _, notes = reading_of("a.csv", "kind,words,number\nx,a longer sentence,123456789012345678\ny,another one,1\n")
    assert [d.text for d in documents] == ["a longer sentence", "another one"]
    assert notes == ['columns of a.csv: text from "words", metadata: kind, number']


def test_a_usual_name_with_no_words_under_it_is_not_the_text(reading_of):
    documents, _, _ = reading_of("a.csv", "text,story\n1,once upon a time\n2,there was\n")
    assert [d.text for d in documents] == ["once upon a time", "there was"]


@pytest.mark.parametrize("name", ["id", "Key", "URL", "doi"])
def test_an_id_column_names_the_documents_if_no_two_rows_share_it(reading_of, name):
    assert [d.id for d in reading_of("a.csv", f"{name},text\nx1,one\nx2,two\n")[0]] == ["x1", "x2"]
    documents, _, _ = reading_of("b.csv", f"{name},text\nx1,one\nx1,two\n")
    assert [(d.id, d.metadata[name]) for d in documents] == [("b.csv#2", "x1"), ("b.csv#3", "x1")]


def test_columns_that_are_named_win_over_guesses(reading_of):
    table = "id,title,text,other,topic\n1,T,guess,asked for,garden\n"
    [document], _, notes = reading_of("a.csv", table, text="other", title="topic", id="text", label="title", metadata=["id"])
    assert (document.id, document.text, document.title, document.label) == ("guess", "asked for", "garden", "T")
    assert dict(document.metadata) == {"id": 1}
    assert notes == ['columns of a.csv: text from "other", title from "topic", id from "text", label from "title", metadata: id']


@pytest.mark.parametrize("parameter", ["text", "title", "id", "label", "metadata"])
@pytest.mark.parametrize(("name", "content"), [("a.csv", "x,y\none,two\n"), ("a.jsonl", '{"x": "one", "y": "two"}')])
def test_an_unknown_column_raises_and_names_those_that_exist(reading_of, parameter, name, content):
    with pytest.raises(BadParameter, match=rf"{parameter}: there is no column 'z'; the columns are 'x', 'y' \(in .*{name}\)"):
        reading_of(name, content, **{parameter: "z"})


def test_an_unknown_column_of_one_table_in_a_folder_is_a_skip(tmp_path):
    (tmp_path / "a.csv").write_text("x,y\none,two\n")
    (tmp_path / "b.csv").write_text("x,z\nthree,four\n")
    reading = read(tmp_path, text="z")
    assert [document.text for document in reading] == ["four"]
    assert [skipped.reason for skipped in reading.skipped] == ["text: there is no column 'z'; the columns are 'x', 'y'"]


def test_a_table_of_numbers_has_no_text(reading_of):
    assert reading_of("a.csv", "a,b\n1,2\n3,4\n")[:2] == ([], ["no column holds text"])


# Parquet


def parquet_bytes(columns) -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), out)
    return out.getvalue()


def test_parquet_has_typed_columns(reading_of):
    data = parquet_bytes(
        {
            "title": ["A", "B"],
            "body": ["one", None],
            "day": [datetime.date(2024, 1, 2), None],
            "price": [Decimal("1.50"), None],
            "n": [1, 2],
            "score": [float("nan"), 0.5],
            "tags": [["x"], ["y"]],
        }
    )
    documents, _, notes = reading_of("a.parquet", data)
    assert [(d.id, d.text, d.title) for d in documents] == [("a.parquet#1", "one", "A"), ("a.parquet#2", "", "B")]
    assert dict(documents[0].metadata) == {"day": "2024-01-02", "price": "1.50", "n": 1, "score": None}
    [note] = notes
    assert note.startswith('columns of a.parquet: text from "body", title from "title", metadata: day, price, n, score, ')
    assert note.endswith("left out, not plain values: tags")


def test_parquet_without_pyarrow_is_skipped_with_what_to_install(reading_of, monkeypatch, in_this_process):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert reading_of("a.parquet", b"PAR1")[:2] == (
        [],
        ["parquet files need pyarrow, which is not installed: pip install vicinal[read]"],
    )


def test_a_damaged_parquet_file_is_skipped(reading_of):
    data = parquet_bytes({"text": ["one"] * 1000})
    for damaged in (b"PAR1 no table", data[: len(data) // 2], data[:4] + bytes(60) + data[64:]):
        documents, skipped, _ = reading_of("a.parquet", damaged)
        assert documents == []
        assert len(skipped) == 1


# Mail


def letter(subject="Bread", plain=None, page=None, attachment=None) -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["Date"] = subject, "Baker <baker@example.org>", "Tue, 02 Jan 2024 10:00:00 +0100"
    if plain is not None:
        mail.set_content(plain)
    if page is not None:
        mail.add_alternative(page, subtype="html") if plain is not None else mail.set_content(page, subtype="html")
    if attachment is not None:
        mail.add_attachment(attachment, filename="notes.txt")
    return mail


def test_a_letter_has_its_subject_as_title_and_plain_text_before_the_page(reading_of):
    mail = letter("Brød på vej", "Plain wörds.\n", "<p>Page words.</p>", attachment="Attached words.")
    [document, attached], _, _ = reading_of("a.eml", bytes(mail))
    assert (document.id, document.title, document.text) == ("a.eml", "Brød på vej", "Plain wörds.\n")
    assert attached.text.strip() == "Attached words."
    assert attached.id.startswith("a.eml/")
    assert attached.metadata["parent"] == "a.eml"
    assert dict(document.metadata) == {"from": "Baker <baker@example.org>", "date": "2024-01-02T10:00:00+01:00"}


def test_a_letter_with_a_page_alone_gives_the_words_of_the_page(reading_of):
    [document], _, _ = reading_of("a.eml", bytes(letter(page="<style>x</style><p>Page <b>words</b>.</p>")))
    assert document.text == "Page words."


def test_a_letter_in_an_unknown_or_wrong_encoding_is_read(reading_of):
    head = b"Subject: x\nContent-Type: text/plain; charset=%s\n\ncaf\xe9\n"
    for charset in (b"no-such", b"utf-8", b"us-ascii", b"latin-1"):
        assert reading_of("a.eml", head % charset)[0][0].text == "café\n"


def test_a_letter_with_broken_headers_is_read(reading_of):
    broken = b"Subject: =?utf-8?b?//?= \xff\nFrom: <<<@@\nDate: yesterday\nMessage-ID: <\nTo: " + b"a@b," * 5_000 + b"\n\nwords\n"
    [document], _, _ = reading_of("a.eml", broken)
    assert document.text == "words\n"
    assert document.metadata["date"] == "yesterday"


def test_a_letter_inside_a_letter_a_thousand_times_is_skipped_or_read_but_never_the_end(reading_of):
    nested = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (i, i) for i in range(3_000))
    documents, skipped, _ = reading_of("a.eml", b"Subject: x\n" + nested + b"\nwords\n")
    assert len(documents) + len(skipped) == 1


def test_a_mailbox_has_one_document_per_message_named_by_message_id_or_number(reading_of):
    first = b"From a@b Tue Jan  2\nSubject: One\nMessage-ID: <1@x>\n\nFrom the start\n>From here\nFrom there\n\n"
    second = b"From c@d Tue Jan  2\nSubject: Two\n\ntwo\n\n"
    third = b"From e@f Tue Jan  2\nX: empty\n\n\n"
    documents, skipped, _ = reading_of("a.mbox", first + second + third)
    assert [(d.id, d.title) for d in documents] == [("1@x", "One"), ("a.mbox#2", "Two")]
    assert documents[1].text.strip() == "two"
    assert "From here\nFrom there" in documents[0].text
    assert skipped == ["message 3: no text"]


def test_a_message_over_the_limit_is_skipped_and_the_next_is_read(reading_of):
    box = b"From a\nSubject: One\n\n" + b"x" * 5_000 + b"\n" * 2 + b"From b\nSubject: Two\n\ntwo\n"
    documents, skipped, _ = reading_of("a.mbox", box, limits=Limits(document_bytes=1_000))
    assert [d.title for d in documents] == ["Two"]
    assert skipped == ["message 1: larger than 1,000 bytes"]


def test_a_message_in_a_file_without_an_ending_is_read_as_mail(reading_of):
    """As folders of mail (Maildir) and news spools keep them."""
    message = b"From: a@b.c\r\nSubject: Roses\r\n  in winter\r\nLines: 1\r\n\r\nPrune them.\r\n"
    for name in ("101596", "1204680122.27c448.host:2,S"):
        [document], reasons, _ = reading_of(name, message)
        assert (document.title, document.text.strip(), document.metadata["from"]) == ("Roses in winter", "Prune them.", "a@b.c")
        assert reasons == []


@pytest.mark.parametrize(
    "text",
    [
        "From: me\n\nDear all, thank you for the roses.",  # one header alone
        "From: a\nTo: b\nthis line is no header\n\ntext",
        "Subject and date: none\nDate: never\n\ntext",
        " From: a\nSubject: b\n\ntext",
        "To: a\nDate: b\n\nneither author nor subject",
    ],
)
def test_a_text_that_only_resembles_mail_stays_whole(reading_of, text):
    [document], _, _ = reading_of("letter", text)
    assert document.text.strip() == text.strip()


def test_a_message_with_the_ending_of_a_text_is_text(reading_of):
    text = "From: a@b.c\nSubject: Roses\n\nPrune them."
    [document], _, _ = reading_of("a.txt", text)
    assert document.text == text


def test_text_that_is_no_mail_is_skipped(reading_of):
    assert reading_of("a.mbox", "just words\n")[1] == ["not a mailbox: it does not begin with a line 'From …'"]
    assert reading_of("a.eml", "\njust words\n")[1] == ["not a mail message: it has no headers"]


# PDF and Word


@pytest.mark.parametrize(("name", "package"), [("a.pdf", "pypdfium2"), ("a.docx", "python-docx")])
def test_pdf_and_docx_without_their_package_are_skipped_with_what_to_install(reading_of, monkeypatch, name, package):
    monkeypatch.setattr("vicinal.corpus._formats.extraction.find_spec", lambda wanted: None)
    documents, [reason], _ = reading_of(name, b"%PDF-1.7 whatever")
    assert documents == []
    assert reason == f"this type of file needs {package}, which is not installed: pip install vicinal[read]"


STAND_IN = """
class PdfReader:
    metadata = type("Metadata", (), {{"title": "A\\nTitle"}})
    def __init__(self, stream):
        self.data = stream.read().decode()
    @property
    def pages(self):
        return [self, self]
    def extract_text(self):
        {act}
"""


@pytest.fixture
def stand_in(tmp_path, monkeypatch):
    """A package called pypdf that does as told; what matters here is the process that it runs in."""

    def made(act):
        folder = tmp_path / "packages"
        folder.mkdir()
        (folder / "pypdf.py").write_text(STAND_IN.format(act=act))
        monkeypatch.setenv("PYTHONPATH", str(folder))
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setitem(EXTRACTED, ".pdf", {"pypdf": "pypdf"})

    return made


def test_a_pdf_is_read_page_by_page(reading_of, stand_in):
    stand_in("return self.data")
    [document], skipped, _ = reading_of("a.pdf", "wörds")
    assert (document.id, document.title, document.text) == ("a.pdf", "A Title", "wörds\n\fwörds\n")
    assert skipped == []


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("raise KeyError('/Root')", "KeyError: '/Root'"),
        ("return 'x' * 600_000", "TooMuch: more text than 1,000,000 bytes"),
        ("return bytearray(10**9)", "it exceeded its memory: Limits(extract_bytes="),
        ("while True: pass", "it exceeded its time: Limits(extract_seconds=6)"),
        ("import os; os.abort()", "its reader crashed, or exceeded its time or memory: Limits(extract_bytes="),
        ("import socket; socket.create_connection(('127.0.0.1', 9))", "PermissionError: socket"),
        ("import subprocess; subprocess.run(['true'])", "PermissionError: subprocess.Popen is not allowed"),
    ],
    ids=["error", "bomb", "memory", "time", "crash", "network", "program"],
)
def test_a_pdf_that_does_harm_is_one_line_and_the_next_file_is_read(reading_of, stand_in, act, reason):
    stand_in(act)
    documents, [said], _ = reading_of("a.pdf", "x", limits=Limits(extract_seconds=1))
    assert documents == []
    assert said.startswith("its text could not be extracted: ")
    assert reason in said


@pytest.mark.parametrize("name", ["a.pdf", "a.docx"])
def test_a_file_that_is_no_pdf_or_docx_is_a_skip_if_the_package_is_there(reading_of, name):
    pytest.importorskip({"a.pdf": "pypdf", "a.docx": "docx"}[name])
    documents, skipped, _ = reading_of(name, b"%PDF-1.7 but no more")
    assert documents == []
    assert len(skipped) == 1


def test_a_new_format_is_one_row(reading_of, monkeypatch, in_this_process):
    monkeypatch.setitem(FORMATS, ".shout", FileFormat(lambda file: iter([file.document(file.text(), "LOUD")])))
    assert reading_of("a.shout", "hey")[0][0].title == "LOUD"


@pytest.mark.parametrize(
    ("title", "text"),
    [("Titel", "Inhalt"), ("titre", "texte"), ("título", "contenido"), ("заголовок", "текст"), ("标题", "正文"), ("제목", "본문")],
)
def test_columns_are_known_in_other_languages(reading_of, title, text):
    [document], _, _ = reading_of("a.csv", f"{text},longer,{title}\nshort,a longer text than the other one,A heading\n".encode())
    assert (document.title, document.text) == ("A heading", "short")
