from __future__ import annotations

import copy
import dataclasses
import gc
import io
import json
import os
import pickle
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

import vicinal
from vicinal import Document, Reading, read
from vicinal.corpus import Limits, Skipped
from vicinal.corpus._cage import CAGES
from vicinal.corpus._formats import FORMATS, FileFormat
from vicinal.errors import BadParameter, NoSuchSource


@pytest.fixture
def mixed(tmp_path) -> Path:
    """A folder with something of everything, half of it bad."""
    folder = tmp_path / "mixed"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("plain words")
    (folder / "b.csv").write_text("title,text,year\nT1,from a table,2024\nT2,too,many,cells\nT3,again,2025\n")
    (folder / "c.jsonl").write_text('{"text": "from a line"}\n{"text": NaN}\n')
    (folder / "d.json").write_text("[" * 100_000)
    (folder / "e.bin").write_bytes(bytes(range(256)) * 10)
    (folder / "f.txt").write_text("")
    (folder / "g.pdf").write_bytes(b"%PDF-1.7 nothing more")
    (folder / "sub" / "h.html").write_text("<title>Page</title><p>from a page</p>")
    (folder / "sub" / "i.eml").write_text("Subject: Mail\n\nfrom a letter\n")
    (folder / "sub" / "j.txt").write_bytes(b"caf\xe9")
    return folder


# Documents


def test_metadata_is_a_copy_that_cannot_be_changed_and_is_empty_by_default():
    given = {"year": 2024}
    document = Document("a", "text", metadata=given)
    given["year"] = 1
    assert document.metadata["year"] == 2024
    with pytest.raises(TypeError):
        document.metadata["year"] = 1
    assert dict(Document("a", "text").metadata) == {}


def test_documents_with_metadata_can_be_compared_hashed_copied_and_sent():
    document = Document("a", "text", metadata={"year": 2024, "draft": True, "who": None})
    assert document == Document("a", "text", metadata={"who": None, "draft": True, "year": 2024})
    assert document != Document("a", "text")
    assert len({document, copy.deepcopy(document), pickle.loads(pickle.dumps(document))}) == 1
    assert dataclasses.replace(document, text="other").metadata == document.metadata
    assert dict(dataclasses.asdict(document)["metadata"]) == {"year": 2024, "draft": True, "who": None}


# A folder


def test_a_mixed_folder_goes_through_and_says_what_happened(mixed):
    reading = read(mixed)
    documents = list(reading)
    assert [(d.id, d.title, d.text.strip()) for d in documents] == [
        ("mixed/a.txt", "a", "plain words"),
        ("mixed/b.csv#2", "T1", "from a table"),
        ("mixed/b.csv#4", "T3", "again"),
        ("mixed/c.jsonl#1", "", "from a line"),
        ("mixed/sub/h.html", "Page", "from a page"),
        ("mixed/sub/i.eml", "Mail", "from a letter"),
        ("mixed/sub/j.txt", "j", "café"),
    ]
    assert [Path(skipped.source).name for skipped in reading.skipped] == ["b.csv", "c.jsonl", "d.json", "e.bin", "f.txt", "g.pdf"]
    assert reading.summary() == "7 documents from 6 files, 6 skipped"
    assert repr(reading) == "Reading(7 documents from 6 files, 6 skipped)"
    assert reading.notes == [
        'columns of mixed/b.csv: text from "text", title from "title", metadata: year',
        'columns of mixed/c.jsonl: text from "text"',
        f"{mixed / 'sub' / 'j.txt'}: bytes that are not UTF-8 and were read as Windows-1252: 1",
    ]


def test_two_readings_give_the_same_documents_in_the_same_order(mixed):
    assert list(read(mixed)) == list(read(mixed))


def test_ids_do_not_depend_on_how_the_folder_is_written(mixed, monkeypatch):
    ids = [document.id for document in read(mixed)]
    monkeypatch.chdir(mixed)
    assert [document.id for document in read(".")] == ids
    assert [document.id for document in read(f"{mixed}/sub/..")] == ids


def test_order_and_ids_are_the_same_in_another_process_with_another_hash_seed(mixed):
    code = "import sys, json, vicinal; print(json.dumps([d.id for d in vicinal.read(*sys.argv[1:])]))"
    sources = [str(mixed), str(mixed / "a.txt"), str(mixed)]
    runs = [
        subprocess.run(
            [sys.executable, "-c", code, *sources],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert json.loads(runs[0]) == [document.id for document in read(*sources)]


def test_an_id_that_comes_twice_is_made_unique_and_noted(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\nx,one\n")
    (tmp_path / "b.csv").write_text("id,text\nx,two\nx (2),three\n")
    reading = read(tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "a.csv")
    assert [document.id for document in reading] == ["x", "x (2)", "x (2) (2)", "x (3)"]
    assert sum("occurred before" in note for note in reading.notes) == 3


def test_twenty_thousand_rows_with_one_id_take_no_longer_for_each(tmp_path):
    rows = [{"id": str(i) if i < 200 else "same", "text": "word"} for i in range(20_000)]
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    reading = read(tmp_path / "a.jsonl")
    assert len({document.id for document in reading}) == 20_000
    assert len(reading.notes) == 101
    assert reading.notes[-1].endswith("a.jsonl: and 19,700 more notes")


def test_a_million_bad_rows_do_not_become_a_million_lines(tmp_path):
    (tmp_path / "a.jsonl").write_text("{\n" * 5_000 + '{"text": "good"}\n')
    reading = read(tmp_path, limits=Limits(lines=10))
    assert [document.text for document in reading] == ["good"]
    assert len(reading.skipped) == 11
    assert reading.skipped[-1] == Skipped(str(tmp_path / "a.jsonl"), "and 4,990 more")
    assert reading.summary() == "1 document from 1 file, 5,000 skipped"


# Streaming


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    """The names of files opened so far."""
    names: list[str] = []
    real = vicinal.corpus._files.open_file

    def counted(found):
        names.append(found.path.name)
        return real(found)

    monkeypatch.setattr(sys.modules["vicinal.corpus._file_reader"], "open_file", counted)
    return names


def test_files_are_opened_when_their_turn_comes(mixed, opened, in_this_process):
    reading = read(mixed)
    assert opened == []
    next(reading)
    assert opened == ["a.txt"]
    next(reading)
    next(reading)
    assert opened == ["a.txt", "b.csv"]
    list(reading)
    assert len(opened) == 10


def test_skips_and_the_summary_tell_what_has_happened_so_far(mixed):
    reading = read(mixed)
    assert reading.summary() == "0 documents from 0 files, nothing skipped"
    next(reading)
    assert (reading.skipped, reading.notes) == ([], [])


def test_rows_are_not_read_ahead_of_what_is_needed(tmp_path):
    class Counting(io.BytesIO):
        taken = 0

        def read(self, size=-1):
            data = super().read(size)
            self.taken += len(data)
            return data

    stream = Counting(b"one document of some words per line\n" * 100_000)
    reading = read(stream)
    next(reading)
    assert stream.taken < 400_000


@pytest.mark.parametrize("name", ["rows.csv", "rows.jsonl", "rows.mbox"])
def test_memory_does_not_grow_with_the_number_of_rows(tmp_path, name):
    words = "word " * 400
    row = {
        "rows.csv": f"T,{words}\n",
        "rows.jsonl": json.dumps({"text": words}) + "\n",
        "rows.mbox": f"From a\nSubject: x\n\n{words}\n\n",
    }[name]
    with (tmp_path / name).open("w") as file:
        file.write("title,text\n" if name.endswith("csv") else "")
        file.writelines(row for _ in range(3_000))
    tracemalloc.start()
    try:
        count = sum(1 for _ in read(tmp_path / name))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 3_000
    assert peak < 3_000_000 < (tmp_path / name).stat().st_size


def test_a_line_of_a_hundred_megabytes_is_skipped_in_the_memory_of_the_limit(tmp_path):
    path = tmp_path / "line.jsonl"
    with path.open("w") as file:
        file.write('{"text": "')
        for _ in range(100):
            file.write("x" * 1_000_000)
        file.write('"}\n{"text": "after"}\n')
    tracemalloc.start()
    try:
        reading = read(path, limits=Limits(document_bytes=5_000_000))
        documents = list(reading)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [document.text for document in documents] == ["after"]
    assert [skipped.reason for skipped in reading.skipped] == ["line 1: longer than 5,000,000 characters"]
    assert peak < 25_000_000


def test_a_text_of_one_line_of_many_megabytes_is_one_document(tmp_path):
    (tmp_path / "line.txt").write_bytes(b"x" * 20_000_000)
    [document] = read(tmp_path)
    assert len(document.text) == 20_000_000


def test_closing_a_reading_closes_the_file_at_hand(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "one"}\n' * 1_000)
    (tmp_path / "b.mbox").write_text("From a\nSubject: one\n\nwords\n\n" * 1_000)
    CAGES.end()
    gc.collect()  # what tests before this one have left open
    before = len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0
    for name in ("a.jsonl", "b.mbox"):
        with read(tmp_path / name) as reading:
            next(reading)
        assert list(reading) == []
    if before:
        CAGES.end()
        assert len(os.listdir("/proc/self/fd")) <= before


# Streams


def test_a_stream_has_one_document_per_line_that_is_not_blank():
    reading = read(io.BytesIO("one\r\n\n  two wörds \nthree".encode()))
    assert [(d.id, d.text, d.source) for d in reading] == [
        ("stream#1", "one", "stream"),
        ("stream#3", "two wörds", "stream"),
        ("stream#4", "three", "stream"),
    ]


def test_a_stream_that_begins_with_an_object_is_jsonl():
    reading = read(io.BytesIO(b'\n{"body": "one", "n": 1}\n{"body": NaN}\n{"body": "two", "n": 2}\n'))
    assert [(d.id, d.text, dict(d.metadata)) for d in reading] == [("stream#2", "one", {"n": 1}), ("stream#4", "two", {"n": 2})]
    assert reading.skipped == [Skipped("stream", "line 3: NaN is not a number")]


def test_a_line_that_only_begins_like_an_object_is_text():
    assert [d.text for d in read(io.BytesIO(b"{this} is a template\nand more\n"))] == ["{this} is a template", "and more"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "cp1252", "utf-8-sig"])
def test_a_stream_may_be_in_any_encoding(encoding):
    text = "a naïve line of words\nand another one\n"
    assert [d.text for d in read(io.BytesIO(text.encode(encoding)))] == text.splitlines()


def test_a_dash_is_standard_input():
    code = "import vicinal; r = vicinal.read('-'); print([(d.id, d.text) for d in r], r.summary())"
    done = subprocess.run([sys.executable, "-c", code], input=b"one\ntwo\n", capture_output=True, check=True, timeout=60)
    assert done.stdout.decode().strip() == "[('stdin#1', 'one'), ('stdin#2', 'two')] 2 documents from 1 file, nothing skipped"


def test_a_stream_is_left_open_and_an_empty_or_binary_one_is_skipped():
    stream = io.BytesIO(b"words\n")
    assert len(list(read(stream))) == 1
    assert not stream.closed
    for data, reason in ((b"", "no documents in it"), (bytes(1000), "binary, not text")):
        reading = read(io.BytesIO(data))
        assert list(reading) == []
        assert reading.skipped == [Skipped("stream", reason)]


def test_a_stream_that_fails_in_the_middle_is_a_skip(mixed):
    class Failing(io.RawIOBase):
        def __init__(self):
            self.parts = [b"one\n" * 30_000]

        def readable(self):
            return True

        def read(self, size=-1):
            if self.parts:
                return self.parts.pop()
            raise OSError(5, "Input/output error")

    reading = read(Failing(), mixed / "a.txt")
    assert [document.text for document in reading][-1] == "plain words"
    assert "Input/output error" in reading.skipped[0].reason


# What is asked for


def test_a_source_that_does_not_exist_raises_at_once(tmp_path):
    with pytest.raises(NoSuchSource, match="nothing to read at"):
        read(tmp_path / "gone")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: read(), "nothing to read was named"),
        (lambda: read(7), "sources must be paths, '-' or streams opened as binary, got int"),
        (lambda: read(io.StringIO("text")), "opened as binary, got StringIO"),
        (lambda: read(".", text=3), "text must be the name of a column, got 3"),
        (lambda: read(".", metadata=[None]), "metadata must be the name of a column, got None"),
        (lambda: read(".", encoding="no-such"), "encoding must name an encoding of text, got 'no-such'"),
    ],
)
def test_what_no_corpus_could_make_right_is_refused_before_reading(call, message):
    with pytest.raises(BadParameter, match=message):
        call()


def test_an_encoding_holds_for_all_sources_and_binary_is_still_told_apart(tmp_path):
    (tmp_path / "a.txt").write_bytes("мир".encode("koi8-r"))
    (tmp_path / "b.csv").write_bytes("text\nмир\n".encode("koi8-r"))
    (tmp_path / "c.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\r")
    reading = read(tmp_path, encoding="koi8-r")
    assert [document.text for document in reading] == ["мир", "мир"]
    assert len(reading.skipped) == 1


def test_a_reader_that_fails_in_an_unforeseen_way_is_a_line_not_the_end(mixed, monkeypatch, in_this_process):
    def broken(file):
        raise ZeroDivisionError("unforeseen\nin two lines")
        yield

    monkeypatch.setitem(FORMATS, ".csv", FileFormat(broken))
    reading = read(mixed)
    assert len(list(reading)) == 5
    assert reading.skipped[0].reason == "cannot be read: ZeroDivisionError: unforeseen\\nin two lines"


def test_documents_keep_escapes_and_turned_writing_as_they_are_and_reports_write_them_out(tmp_path):
    (tmp_path / "a.csv").write_text('text,"x\x1b[31m"\n"\x1b[31mred \u202e",1\n', encoding="utf-8")
    reading = read(tmp_path)
    [document] = reading
    assert document.text == "\x1b[31mred \u202e"
    assert "\\x1b" in reading.notes[0]
    assert all(note.isprintable() for note in reading.notes)


def test_the_names_are_at_the_front_door():
    assert isinstance(read(io.BytesIO(b"")), Reading)
    assert {"read", "Reading", "Document"} <= set(vicinal.__all__)


class TestProgress:
    @pytest.fixture
    def heard(self) -> list[tuple[str, int, int]]:
        return []

    def test_it_rises_to_all_bytes_of_all_files(self, tmp_path, heard):
        for name, size in (("a", 100), ("b", 300), ("c", 600)):
            (tmp_path / f"{name}.txt").write_text("x " * (size // 2))
        reading = read(tmp_path, progress=lambda *step: heard.append(step))
        assert heard == []
        assert [heard[-1] for _ in reading] == [("read", 100, 1000), ("read", 400, 1000), ("read", 1000, 1000)]
        assert heard[-1] == ("read", 1000, 1000)
        assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)

    def test_inside_a_table_it_is_where_the_file_is_read(self, tmp_path, heard):
        (tmp_path / "t.csv").write_text("text\n" + "\n".join(f"row number {i} of many" for i in range(200_000)))
        reading = read(tmp_path / "t.csv", progress=lambda *step: heard.append(step))
        for _ in range(100_000):
            next(reading)
        _, done, total = heard[-1]
        assert 0.45 < done / total < 0.6

    def test_of_a_stream_the_total_is_not_known(self, heard):
        list(read(io.BytesIO(b"one line\nanother"), progress=lambda *step: heard.append(step)))
        assert heard == [("read", 0, 0)]

    def test_a_file_that_goes_away_and_an_empty_folder_do_not_matter(self, tmp_path, heard):
        (tmp_path / "empty").mkdir()
        assert list(read(tmp_path / "empty", progress=lambda *step: heard.append(step))) == []
        (tmp_path / "a.txt").write_text("some words")
        reading = read(tmp_path, progress=lambda *step: heard.append(step))
        (tmp_path / "a.txt").unlink()
        assert list(reading) == []
        assert heard == []

    def test_without_a_listener_no_file_is_measured(self, tmp_path, monkeypatch):
        (tmp_path / "a.txt").write_text("some words")
        monkeypatch.setattr("vicinal.corpus._files._total_bytes", lambda sources: pytest.fail("measured"))
        assert len(list(read(tmp_path))) == 1


def test_a_file_further_down_says_in_which_folder_it_is(tmp_path):
    for way in ("sport/a.txt", "sport/1998/b.txt", "c.txt"):
        (tmp_path / "news" / way).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "news" / way).write_text("some words")
    (tmp_path / "news" / "sport" / "table.csv").write_text("text,folder\nown words,mine\n")
    found = {document.id: document.metadata.get("folder") for document in read(tmp_path / "news")}
    assert found == {
        "news/sport/a.txt": "sport",
        "news/sport/1998/b.txt": "sport/1998",
        "news/c.txt": None,
        "news/sport/table.csv#2": "mine",
    }
    assert "folder" not in next(read(tmp_path / "news" / "sport" / "a.txt")).metadata


def test_a_row_whose_metadata_no_index_could_store_is_skipped_and_the_next_is_read(tmp_path):
    (tmp_path / "a.jsonl").write_text(
        f'{{"text": "first", "notes": "{"é" * (1 << 20)}"}}\n{{"text": "second", "notes": "short"}}\n'
    )
    reading = read(tmp_path / "a.jsonl")
    assert [document.text for document in reading] == ["second"]
    assert [skipped.reason for skipped in reading.skipped] == [
        "the metadata of 'a.jsonl#1' are too long: more than 1,048,576 characters"
    ]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.csv", "text,b,c\nword,1,2\n", "row 1: 3 columns where 2 are allowed"),
        ("a.jsonl", '{"text": "word", "b": 1, "c": 2}\n', "line 1: more than 2 columns"),
        ("a.json", '[{"text": "word", "b": 1, "c": 2}]', "item 1: more than 2 columns"),
        ("a.json", "17", "a number, neither an object nor a list of objects"),
    ],
)
def test_tables_with_too_many_columns_and_what_is_no_table_are_skipped(tmp_path, name, content, reason):
    (tmp_path / name).write_text(content)
    reading = read(tmp_path / name, limits=Limits(columns=2))
    assert list(reading) == []
    assert [skipped.reason for skipped in reading.skipped] == [reason]


def test_inside_a_parquet_file_progress_is_by_rows(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    heard: list[tuple[str, int, int]] = []
    parquet.write_table(pyarrow.table({"text": [f"row number {i}" for i in range(1000)]}), tmp_path / "t.parquet")
    reading = read(tmp_path / "t.parquet", progress=lambda *step: heard.append(step))
    for _ in range(500):
        next(reading)
    _, done, total = heard[-1]
    assert 0.49 < done / total < 0.51
    list(reading)
    assert heard[-1][1:] == (total, total)
