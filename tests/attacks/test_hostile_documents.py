"""Hostile documents, a test for each row of the table of attacks: each is one line, within the limits, and the batch goes on."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from tools import hostile
from vicinal import read
from vicinal.corpus import Limits, _caged
from vicinal.corpus._formats.mail import SMALL_MAIL

GOOD = {"0 good.txt": "first good words", "z good.txt": "last good words"}


@pytest.fixture(name="batch")
def batch_of_files(tmp_path):
    """Reads a hostile file between two good ones; texts of the hostile one, reasons, notes."""

    def read_between(name, data, **options):
        for each, text in GOOD.items():
            (tmp_path / each).write_text(text)
        (tmp_path / name).write_bytes(data.encode() if isinstance(data, str) else data)
        reading = read(tmp_path, **options)
        first, *inside, last = [document.text for document in reading]
        assert (first, last) == tuple(GOOD.values())
        return inside, [skipped.reason for skipped in reading.skipped], reading.notes

    return read_between


def zipped(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"caf\xe9 and \xff words", "café and ÿ words"),
        ("naïve ".encode() + b"\xff words", "naïve \ufffd words"),
        (b"half \xed\xa0\x80 words", "half \ufffd words"),
        ("wheat prices rose".encode("utf-16-le"), "wheat prices rose"),
        (b"grain \0 one and corn", "grain   one and corn"),
    ],
    ids=["invalid", "mixed", "surrogate", "utf-16", "zeros"],
)
def test_text_in_no_encoding_is_read_with_replacement_and_counted(batch, data, text):
    inside, reasons, notes = batch("a.txt", data)
    assert (inside, reasons) == ([text], [])
    assert len(notes) == (not data.startswith(b"w"))


def test_binary_data_is_one_line(batch):
    assert batch("a.txt", bytes(range(256)) * 10)[:2] == ([], ["binary, not text"])


def test_a_line_beyond_the_limit_and_a_word_of_megabytes(batch):
    assert batch("a.txt", b"x" * 5_000_000, limits=Limits(document_bytes=1_000_000))[0] == []
    assert [len(text) for text in batch("a.txt", b"x" * 5_000_000)[0]] == [5_000_000]


@pytest.mark.parametrize(("data", "kept"), [(b"   \n\t ", 0), (b"the and of", 1), ("😀🎉".encode(), 1)])
def test_blanks_are_skipped_and_stop_words_and_emoji_kept(batch, data, kept):
    inside, reasons, _ = batch("a.txt", data)
    assert (len(inside), len(reasons)) == (kept, 1 - kept)


@pytest.mark.parametrize("name", ["a.zip", "a.odt", "a.xlsx", "a.epub", "a.pptx"])
def test_a_zip_bomb_is_one_line(batch, name):
    inside, reasons, _ = batch(name, zipped({"bomb.txt": b"x " * 60_000_000, "content.xml": b"<a>" + b"x " * 60_000_000}))
    assert inside == []
    assert reasons


@pytest.mark.parametrize("name", ["a.xml", "a.odt"])
def test_entities_of_xml_are_not_expanded(batch, name):
    bomb = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c SYSTEM "file:///etc/passwd">]><a><p>&b;&c;</p></a>'
    inside, reasons, _ = batch(name, zipped({"content.xml": bomb}) if name == "a.odt" else bomb)
    assert inside == ([] if name == "a.odt" else [bomb])
    assert ["entities" in reason for reason in reasons] == [True] * (name == "a.odt")


def test_a_page_nested_without_end_and_an_attribute_of_megabytes(batch):
    page = "<div>" * 100_000 + "inside words" + f"<p title='{'x' * 3_000_000}'>end</p>" + "<script>alert(1)</script>"
    [text], reasons, _ = batch("a.html", page)
    assert reasons == []
    assert "inside words" in text
    assert "alert" not in text


def test_tables_with_too_many_columns_and_open_quotes_are_refused_with_the_row(batch):
    assert "row 1: 100,000 columns" in batch("a.csv", ",".join(f"c{n}" for n in range(100_000)) + "\nx\n")[1][0]
    inside, [reason], _ = batch("a.csv", 'text\ngood\n"never closed\n' + "x\n" * 50)
    assert inside == ["good"]
    assert "row 3" in reason
    assert batch("a.csv", "text,n\n=1+1 words,=2\n")[0] == ["=1+1 words"]


@pytest.mark.parametrize(
    "data", ["[" * 100_000, '{"text": "a", "text": "b"}', '[{"text": "a", "n": 1' + "0" * 400 + "}]", '[{"text": "a", "n": NaN}]']
)
def test_json_that_two_readers_would_understand_differently_is_refused_with_its_line(batch, data):
    inside, [reason], _ = batch("a.json", data)
    assert inside == []
    assert reason.startswith("line 1: ")


def test_a_long_list_in_json_is_read_item_by_item_and_a_broken_one_not_at_all(batch):
    items = [{"text": f"item {n}", "more": "x" * 200} for n in range(20_000)]
    whole = json.dumps(items)
    assert len(whole) > 4_000_000
    assert batch("a.json", whole)[0] == [item["text"] for item in items]
    for broken in (whole[:-1], whole + "x", whole[:-1] + ",]", whole.replace('"item 9999",', '"item 9999"')):
        inside, [reason], _ = batch("a.json", broken)
        assert inside == []
        assert reason.startswith("line 1: ")


def test_marks_without_end_and_turned_writing_are_counted(batch):
    [text], _, notes = batch("a.txt", "e" + "\u0301" * 5_000 + " \u202eturned\u200b words")
    assert len(text) < 100
    assert any("combining" in note for note in notes)
    assert any("invisible" in note for note in notes)


@pytest.mark.parametrize(
    "mail",
    [
        "From: a@b\nSubject: s\nContent-Type: text/plain; " + "".join(f"a{n}=b; " for n in range(60_000)) + "\n\nbody\n",
        "From: a@b\nSubject: s\nContent-Type: text/plain;\n" + "".join(f" name*{n}=b;\n" for n in range(60_000)) + "\n\nbody\n",
        "From: a@b\nSubject: s\nContent-Type: multipart/mixed; boundary=B\n\n" + "--B\n\nx\n" * 200_000 + "--B--\n",
        "From: a@b\nSubject: s\n" + "".join(f"Content-Type: multipart/mixed; boundary=B{n}\n\n--B{n}\n" for n in range(20_000)),
    ],
    ids=["parameters", "continuations", "parts", "nested"],
)
@pytest.mark.parametrize("name", ["a.eml", "a"])
def test_mail_that_takes_for_ever_is_one_line(batch, mail, name):
    inside, reasons, _ = batch(name, mail, limits=Limits(extract_seconds=1))
    assert len(inside) + len(reasons) == 1


@pytest.mark.parametrize(
    "mail",
    [
        "Content-Type: text/plain; a=" + "> " * 31_000 + "\nFrom: a\nSubject: s\n\nbody\n",
        "From: a\rSubject: s\rcontent-disposition: attachment; a=" + "\\\r " * 20_000 + "\r\rbody\r",
        "From: a\nSubject: s\nContent-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: a;\n"
        + " b=\\\n" * 11_000
        + "\nx\n--B--\n",
    ],
    ids=["a line", "folded", "of a part"],
)
def test_a_small_mail_with_a_header_that_takes_for_ever_is_one_line(batch, mail):
    """Half a minute was taken by 63 KB, which were read without limits."""
    assert len(mail) < SMALL_MAIL
    inside, reasons, _ = batch("a.eml", mail, limits=Limits(extract_seconds=1))
    assert inside == []
    assert any("took too long" in reason for reason in reasons)


def test_a_mailbox_ends_at_a_message_that_takes_for_ever(batch):
    mail = "From a\nFrom: a\n\nwords\n\nFrom a\nFrom: a\nContent-Type: text/plain; " + "> " * 100_000 + "\n\nbody\n"
    inside, [reason], _ = batch("a.mbox", mail, limits=Limits(extract_seconds=1))
    assert [each.strip() for each in inside] == ["words"]
    assert reason.startswith("reading it took too long")


def test_a_parquet_of_bytes_that_unpacks_to_gigabytes_is_stopped(batch, tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 6_000, pa.int32()), pa.array(["word " * 200_000]))
    parquet.write_table(pa.table({"text": column}), tmp_path / "one", compression="zstd")
    data = (tmp_path / "one").read_bytes()
    (tmp_path / "one").unlink()
    assert len(data) < 3_000
    inside, [reason], _ = batch("a.parquet", data)
    assert sum(map(len, inside)) <= 100_000_000
    assert "unpacks to more than 200 times its size" in reason or "exceeded its memory" in reason


def test_a_table_of_many_empty_columns_is_stopped_where_it_gets_too_long(batch):
    table = "text," + ",".join(f"c{n}" for n in range(990)) + "\n" + "word\n" * 300_000
    inside, [reason], _ = batch("a.csv", table, limits=Limits(extract_seconds=1))
    assert 0 < len(inside) < 300_000
    assert "took too long" in reason


def test_a_file_of_very_many_rows_is_ended_by_its_time_and_what_was_read_is_kept(batch):
    """A row of few bytes may not buy the time of a row: of a file up to 50 MB all rows together have twice the limit."""
    inside, [reason], _ = batch("a.csv", "text\n" + "a\n" * 2_000_000, limits=Limits(extract_seconds=1))
    assert 0 < len(inside) < 2_000_000
    assert "took too long" in reason


def test_a_large_table_has_time_by_its_size_and_as_much_again_for_its_rows(monkeypatch):
    monkeypatch.setattr(_caged.TimeWatch, "_arm", lambda self, now: None)
    now = [0.0]
    monkeypatch.setattr(_caged.time, "process_time", lambda: now[0])
    watch = _caged.TimeWatch()

    def seconds(size, n_documents=10_000_000):
        """How long a file may take whose documents come for nothing."""
        now[0] = 0.0
        watch.begin(Limits(), size)
        for now[0] in (20.1, 39.9, 40.1, 59.9, 60.1, 400.0):
            try:
                for _ in range(n_documents if now[0] == 20.1 and size > 50_000_000 else 1):
                    watch.document()
            except _caged.TimeUp:
                return now[0]
        return None

    assert seconds(1_000_000) == 20.1
    assert seconds(100_000_000, 1) == 40.1
    assert seconds(100_000_000, 300_000) == 60.1


def test_a_member_of_an_archive_whose_header_is_damaged_is_one_line_and_the_others_are_read(batch):
    data = bytearray(zipped({"a.txt": "first words", "b.txt": "last words"}))
    data[:4] = b"XXXX"
    inside, reasons, _ = batch("a.zip", bytes(data))
    assert inside == ["last words"]
    assert reasons == ["it is damaged: Bad magic number for file header"]


def test_a_hostile_document_is_measured_between_two_good_ones_and_one_beyond_the_limits_is_seen(monkeypatch, capsys):
    monkeypatch.setitem(hostile.DOCUMENTS, "a small table", ("a.csv", lambda: b"text\nwords\n"))
    monkeypatch.setattr(hostile, "MOST_MEGABYTES", 1 << 20)
    assert hostile.main(["a small table"]) == 0
    assert "3 added; 2 good" in capsys.readouterr().out
    monkeypatch.setattr(hostile, "MOST_MEGABYTES", 1)
    assert hostile.main(["a small table"]) == 1
    assert capsys.readouterr().out.startswith("! a small table")
