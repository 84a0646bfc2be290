"""Compressed files and archives: read as what is in them, within limits, and every member that is left out is reported."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pytest

import vicinal
from vicinal import read
from vicinal.corpus import Limits, _unpack

CSV = b"id,text\n7,red roses\n8,white wine\n"


def packed(ending, data):
    if ending == ".zst":
        return pytest.importorskip("zstandard").ZstdCompressor().compress(data)
    return {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}[ending](data)


def zipped(members, kind=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def tarred(members, extra=()):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for info in extra:
            archive.addfile(info)
    return stream.getvalue()


@pytest.fixture
def reading_of(tmp_path):
    """Write a file of this name and read it: documents, and what was skipped."""

    def made(name, data, **options):
        path = tmp_path / name
        path.write_bytes(data)
        reading = read(path, **options)
        documents = list(reading)
        return documents, [(each.source.removeprefix(str(tmp_path) + "/"), each.reason) for each in reading.skipped]

    return made


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize(
    ("name", "data", "found"),
    [
        ("a.csv", CSV, [("7", "red roses"), ("8", "white wine")]),
        ("a.jsonl", b'{"text": "one"}\n{"text": "two"}\n', [("a.jsonl{}#1", "one"), ("a.jsonl{}#2", "two")]),
        ("a.json", b'[{"text": "one"}]', [("a.json{}#1", "one")]),
        ("a.txt", b"some words\n", [("a.txt{}", "some words\n")]),
        ("a", b"some words\n", [("a{}", "some words\n")]),
    ],
)
def test_a_compressed_file_is_read_as_what_it_was(reading_of, ending, name, data, found):
    documents, skipped = reading_of(name + ending, packed(ending, data))
    assert [(each.id, each.text) for each in documents] == [(id.format(ending), text) for id, text in found]
    assert skipped == []


def test_a_compressed_parquet_file_is_unpacked_in_memory(reading_of):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    stream = io.BytesIO()
    parquet.write_table(pyarrow.table({"text": ["red roses"]}), stream)
    assert [each.text for each in reading_of("a.parquet.gz", gzip.compress(stream.getvalue()))[0]] == ["red roses"]


MEMBERS = {"notes/rose.txt": b"red roses", "table.csv": CSV, "more.jsonl.gz": gzip.compress(b'{"text": "packed twice"}\n')}


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("all.zip", zipped(MEMBERS)),
        ("all.tar", tarred(MEMBERS)),
        ("all.tar.gz", gzip.compress(tarred(MEMBERS))),
        ("all.tgz", gzip.compress(tarred(MEMBERS))),
        ("all.tar.xz", lzma.compress(tarred(MEMBERS))),
        ("all.zip.gz", gzip.compress(zipped(MEMBERS))),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_members_of_an_archive_are_read_as_files_of_a_folder(reading_of, name, data):
    documents, skipped = reading_of(name, data)
    assert {(each.id, each.text) for each in documents} == {
        (f"{name}/notes/rose.txt", "red roses"),
        ("7", "red roses"),
        ("8", "white wine"),
        (f"{name}/more.jsonl.gz#1", "packed twice"),
    }
    assert next(each for each in documents if "rose.txt" in each.id).metadata["folder"] == "notes"
    assert skipped == []


def test_members_that_cannot_be_read_are_reported_one_by_one(reading_of):
    members = {
        "a.txt": b"words",
        "b.png": b"\x89PNG\0\0\0\x01" * 9,
        "../../out.txt": b"x",
        "/etc/x.txt": b"y",
        ".hidden": b"z",
        "c.txt": b"",
    }
    documents, skipped = reading_of("a.zip", zipped(members))
    assert [each.text for each in documents] == ["words"]
    reasons = dict(skipped)
    assert reasons["a.zip/b.png"] == "binary, not text"
    assert reasons["a.zip/c.txt"] == "empty"
    assert reasons["a.zip/../../out.txt"] == reasons["a.zip//etc/x.txt"] == "its path leads out of the archive, or is none"
    assert len(skipped) == 4


def test_links_and_devices_in_a_tar_archive_are_not_followed(reading_of):
    link, device = tarfile.TarInfo("link.txt"), tarfile.TarInfo("device")
    link.type, link.linkname, device.type = tarfile.SYMTYPE, "/etc/passwd", tarfile.CHRTYPE
    documents, skipped = reading_of("a.tar", tarred({"a.txt": b"words"}, [link, device]))
    assert [each.text for each in documents] == ["words"]
    assert skipped == [("a.tar/link.txt", "a link or a device, not a file"), ("a.tar/device", "a link or a device, not a file")]


def test_a_file_that_unpacks_to_far_more_than_its_size_is_stopped(reading_of, monkeypatch, in_this_process):
    monkeypatch.setattr(_unpack, "_LEAST", 100_000)
    bomb = b"text\n" + b"red roses\n" * 100_000
    for name, data in (("a.csv.gz", gzip.compress(bomb)), ("a.zip", zipped({"a.csv": bomb, "b.txt": b"words"}))):
        documents, skipped = reading_of(name, data, limits=Limits(unpacked_ratio=2))
        assert len(documents) < 20_000
        assert {reason for _, reason in skipped} == {"it unpacks to more than 2 times its size; nothing from there on was read"}
        assert len(reading_of(name, data, limits=Limits(unpacked_ratio=1_000))[0]) >= 100_000


def test_archives_inside_archives_end_somewhere(reading_of):
    data = b"words"
    for depth in range(5):
        data = zipped({f"{depth}.zip" if depth else "a.txt": data})
    documents, [(_, reason)] = reading_of("a.zip", data)
    assert (documents, reason) == ([], "archives inside archives more than 3 deep")
    assert len(reading_of("a.zip", data, limits=Limits(nested=5))[0]) == 1


def test_an_archive_of_too_many_files_is_read_up_to_the_limit(reading_of):
    documents, [(_, reason)] = reading_of("a.zip", zipped({f"{i}.txt": b"words" for i in range(9)}), limits=Limits(members=4))
    assert len(documents) == 4
    assert "more than 4 files in it" in reason


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.zip", zipped(MEMBERS)[:-40]),
        ("a.tar", b"not a tar archive" * 50),
        ("a.csv.gz", gzip.compress(CSV * 50)[:-20]),
        ("a.csv.gz", CSV),
        ("a.txt.xz", b"\xfd7zXZ\0 broken"),
        ("a.txt.bz2", b"BZh9 broken"),
    ],
    ids=["zip", "tar", "cut gz", "no gz", "xz", "bz2"],
)
def test_damaged_packed_files_are_reported_and_reading_goes_on(reading_of, tmp_path, name, data):
    (tmp_path / "z.txt").write_text("words")
    (tmp_path / name).write_bytes(data)
    reading = read(tmp_path)
    assert any(each.text == "words" for each in reading)
    [skipped] = reading.skipped
    assert "damaged" in skipped.reason or "not a" in skipped.reason


def test_an_encrypted_member_and_an_empty_archive_are_reported(reading_of):
    data = bytearray(zipped({"a.txt": b"words"}, zipfile.ZIP_STORED))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert reading_of("a.zip", bytes(data)) == ([], [("a.zip/a.txt", "it is encrypted")])
    assert reading_of("b.zip", zipped({})) == ([], [("b.zip", "no documents in it")])


def test_a_large_table_in_an_archive_is_read_in_parts_and_a_large_text_is_not(reading_of):
    rows = b"text\n" + b"red roses\n" * 2_000
    documents, skipped = reading_of("a.zip", zipped({"a.csv": rows, "b.txt": rows}), limits=Limits(document_bytes=5_000))
    assert len(documents) == 2_000
    assert [source for source, _ in skipped] == ["a.zip/b.txt"]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("ending", [".zip", ".tar"])
def test_members_of_one_name_are_all_kept_in_an_index(tmp_path, ending):
    stream = io.BytesIO()
    if ending == ".zip":
        with zipfile.ZipFile(stream, "w") as archive:
            for text in ("first", "second", "third"):
                archive.writestr("notes/a.b.txt", text)
    else:
        with tarfile.open(fileobj=stream, mode="w") as tar:
            for text in ("first", "second", "third"):
                info = tarfile.TarInfo("notes/a.b.txt")
                info.size = len(text)
                tar.addfile(info, io.BytesIO(text.encode()))
    (tmp_path / f"x{ending}").write_bytes(stream.getvalue())
    with vicinal.open(tmp_path / "x.vic", create=True) as index:
        for _ in range(2):
            index.add(tmp_path / f"x{ending}")
            texts = {id.removeprefix(f"x{ending}/"): index[id].text for id in index}
            assert texts == {"notes/a.b.txt": "first", "notes/a (2).b.txt": "second", "notes/a (3).b.txt": "third"}
