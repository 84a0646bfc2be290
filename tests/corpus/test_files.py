from __future__ import annotations

import gzip
import json
import os
import re
import socket
import zipfile
from pathlib import Path

import pytest

from vicinal import read
from vicinal.corpus import Limits
from vicinal.corpus._files import Found, existing, open_file, read_whole, walk
from vicinal.corpus._read_report import Unreadable
from vicinal.errors import BadParameter, NoSuchSource

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices as POSIX has them")


@pytest.fixture
def folder(tmp_path) -> Path:
    made = tmp_path / "notes"
    (made / "b").mkdir(parents=True)
    (made / "a.txt").write_text("first")
    (made / "b" / "c.txt").write_text("second")
    (made / "d.txt").write_text("third")
    return made


def texts(*sources, **options) -> list[str]:
    return [document.text for document in read(*sources, **options)]


def reasons(source, **options) -> dict[str, str]:
    reading = read(source, **options)
    list(reading)
    return {Path(skipped.source).name: skipped.reason for skipped in reading.skipped}


def test_a_folder_is_read_with_all_folders_in_it_in_sorted_order(folder):
    found = list(walk(folder, lambda *_: None))
    assert [each.name for each in found] == ["notes/a.txt", "notes/b/c.txt", "notes/d.txt"]
    assert not any(each.by_itself for each in found)


def test_hidden_files_and_folders_are_left_out(folder):
    (folder / ".secret").write_text("hidden")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("hidden too")
    assert texts(folder) == ["first", "second", "third"]
    assert texts(folder / ".secret") == ["hidden"]  # unless it is asked for by name


def test_nothing_outside_the_folder_is_read_through_a_link(folder, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "password.txt").write_text("never read")
    (folder / "file-link.txt").symlink_to(outside / "password.txt")
    (folder / "folder-link").symlink_to(outside)
    (folder / "device-link.txt").symlink_to("/dev/zero")
    assert texts(folder) == ["first", "second", "third"]
    assert set(reasons(folder).values()) == {"a link out of the folder, not followed"}
    assert len(reasons(folder)) == 3


def test_a_link_that_takes_the_place_of_a_listed_file_is_not_followed(folder, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("never read")
    reading = read(folder)
    assert next(reading).text == "first"
    (folder / "d.txt").unlink()
    (folder / "d.txt").symlink_to(secret)
    assert [document.text for document in reading] == ["second"]
    assert [skipped.source for skipped in reading.skipped] == [str(folder / "d.txt")]


def test_links_inside_the_folder_and_circles_are_skipped_with_a_reason(folder):
    (folder / "b" / "up").symlink_to(folder)
    (folder / "again.txt").symlink_to(folder / "a.txt")
    (folder / "round").symlink_to(folder / "round")
    (folder / "nowhere.txt").symlink_to(folder / "gone.txt")
    assert texts(folder) == ["first", "second", "third"]
    assert reasons(folder) == {
        "up": "a link to something else in the folder, not followed",
        "again.txt": "a link to something else in the folder, not followed",
        "round": "a link that leads nowhere or in a circle",
        "nowhere.txt": "a link that leads nowhere or in a circle",
    }


def test_a_link_that_is_named_itself_is_followed(folder, tmp_path):
    (tmp_path / "door").symlink_to(folder)
    assert texts(tmp_path / "door") == ["first", "second", "third"]


def test_pipes_sockets_and_devices_are_skipped_without_waiting(folder):
    os.mkfifo(folder / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as place:
        here = os.getcwd()
        os.chdir(folder)  # the path of a socket may not be long
        try:
            place.bind("plug.txt")
        finally:
            os.chdir(here)
    assert texts(folder) == ["first", "second", "third"]
    assert reasons(folder) == {"pipe.txt": "a named pipe, not a file", "plug.txt": "a socket, not a file"}
    assert reasons("/dev/zero") == {"zero": "a device, not a file"}


def test_a_file_that_vanishes_is_skipped_and_the_rest_is_read(folder):
    reading = read(folder)
    assert next(reading).text == "first"
    (folder / "d.txt").unlink()
    assert [document.text for document in reading] == ["second"]
    assert [str(skipped) for skipped in reading.skipped] == [f"{folder / 'd.txt'}: cannot be read: no such file or directory"]


def test_a_folder_that_vanishes_is_skipped_with_a_line(folder):
    reading = read(folder)
    assert next(reading).text == "first"
    (folder / "b" / "c.txt").unlink()
    (folder / "b").rmdir()
    assert [document.text for document in reading] == ["third"]
    assert [str(skipped) for skipped in reading.skipped] == [f"{folder / 'b/c.txt'}: cannot be read: no such file or directory"]


@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="everything is open to root")
def test_what_may_not_be_read_is_skipped(folder):
    (folder / "a.txt").chmod(0)
    (folder / "b").chmod(0)
    try:
        assert texts(folder) == ["third"]
        assert set(reasons(folder).values()) == {"cannot be read: permission denied"}
    finally:
        (folder / "b").chmod(0o700)


def test_an_error_of_the_disk_is_a_line_not_the_end(folder, monkeypatch):
    real = os.open

    def failing(path, *arguments, **options):
        if str(path).endswith("c.txt"):
            raise OSError(5, "Input/output error")
        return real(path, *arguments, **options)

    monkeypatch.setattr("vicinal.corpus._files.os.open", failing)
    assert texts(folder) == ["first", "third"]
    assert reasons(folder) == {"c.txt": "cannot be read: input/output error"}


def test_empty_blank_and_binary_files_are_skipped_each_with_its_reason(folder):
    (folder / "empty.txt").write_bytes(b"")
    (folder / "blank.txt").write_text(" \n\t\n")
    (folder / "blank.html").write_text("<p> </p>")
    (folder / "program").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(200))
    assert texts(folder) == ["first", "second", "third"]
    assert reasons(folder) == {
        "empty.txt": "empty",
        "blank.txt": "empty",
        "blank.html": "empty",
        "program": "binary, not text",
    }


def test_a_file_of_nothing_but_emoji_is_kept(folder):
    (folder / "e.txt").write_text("🌹🌹", encoding="utf-8")
    assert "🌹🌹" in texts(folder)


def test_a_file_over_the_limit_is_skipped_and_one_at_the_limit_is_read(folder):
    assert texts(folder, limits=Limits(document_bytes=5)) == ["first", "third"]
    assert reasons(folder, limits=Limits(document_bytes=5)) == {
        "c.txt": "too large: 6 bytes where 5 are allowed; Limits(document_bytes=6) allows it"
    }


def test_a_sparse_file_of_a_terabyte_is_refused_by_its_size(tmp_path):
    with (tmp_path / "huge.txt").open("wb") as file:
        file.write(b"words\n" * 20_000)
        file.truncate(10**12)
    assert reasons(tmp_path)["huge.txt"].startswith("too large: 1,000,000,000,000 bytes where 50,000,000 are allowed")


def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path):
    path = tmp_path / "log.txt"
    path.write_text("one")
    with open_file(Found(path, "log.txt", by_itself=True)) as stream:

        class Growing:
            fileno = stream.fileno

            def read(self, size):
                with path.open("a") as file:
                    file.write("more")
                return stream.read(size)

        with pytest.raises(Unreadable, match="changed while it was read"):
            read_whole(Growing(), 1000)


def test_a_table_that_grows_while_it_is_read_is_noted(tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text('{"text": "one"}\n' * 300)
    reading = read(path)
    next(reading)
    with path.open("a") as file:
        file.write('{"text": "late"}\n')
    list(reading)
    assert f"{path}: it changed while it was read" in reading.notes


def test_names_that_are_no_utf_8_or_no_line_do_not_break_anything(tmp_path):
    (tmp_path / "two\nlines\x1b[31m.txt").write_text("odd")
    (tmp_path / "empty\n.txt").write_text("")
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_text("older")
    except OSError:
        pytest.skip("this file system takes UTF-8 names alone")
    reading = read(tmp_path)
    documents = list(reading)
    assert {document.text for document in documents} == {"odd", "older"}
    assert all(document.id.encode("utf-8") for document in documents)
    assert all("\n" not in str(skipped) for skipped in reading.skipped)
    assert any(document.id.endswith("caf\\xe9.txt") for document in documents)


def test_a_folder_of_four_hundred_levels_is_walked(tmp_path):
    path = tmp_path / "deep"
    depth = 400  # as deep as one path may be long
    path.mkdir()
    for _ in range(depth):
        path = path / "d"
        path.mkdir()
    (path / "x.txt").write_text("found")
    assert texts(tmp_path / "deep") == ["found"]


@pytest.mark.parametrize("path", ["no/such", "a\0b", "x" * 5000])
def test_a_path_where_nothing_is_raises_before_anything_is_read(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoSuchSource, match="no file or folder has that path"):
        existing(path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path, path)


@pytest.mark.parametrize(
    "limits",
    [
        *({"document_bytes": 0}, {"columns": -1}, {"lines": True}, {"extract_seconds": 1.5}),
        *({"document_bytes": 10**20}, {"extract_bytes": 10**20}, {"extract_seconds": 10**20}, {"extract_seconds": 10**10}),
    ],
)
def test_limits_that_let_nothing_through_or_that_no_system_can_keep_are_refused(limits):
    with pytest.raises(BadParameter, match=rf"limits: {next(iter(limits))} must be a whole number from 1 to 1"):
        Limits(**limits)


def test_names_that_begin_with_a_dot_are_counted_in_one_note(tmp_path):
    for name in (".git/config", "news/.DS_Store", "news/a.txt", ".hidden"):
        (tmp_path / "all" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "all" / name).write_text("wheat and corn", encoding="utf-8")
    reading = read(tmp_path / "all")
    assert [document.id for document in reading] == ["all/news/a.txt"]
    assert list(reading.skipped) == []
    [note] = reading.notes
    assert re.fullmatch(r"names that begin with a dot, left out with what is in them: 3, such as .*\.git", note)


@pytest.mark.parametrize("largest", [600_000_000, 2**50])
def test_a_large_limit_takes_no_memory_of_a_file_that_is_small(tmp_path, largest):
    data = json.dumps({"text": "word " * 20_000}).encode()
    (tmp_path / "a.json").write_bytes(data)
    (tmp_path / "b.json.gz").write_bytes(gzip.compress(data))
    with zipfile.ZipFile(tmp_path / "c.zip", "w") as archive:
        archive.writestr("d.json", data)
    reading = read(tmp_path, limits=Limits(document_bytes=largest, extract_seconds=1_000_000))
    assert len(list(reading)) == 3, reading.skipped
    assert len(list(read(tmp_path, limits=Limits(extract_bytes=2**50)))) == 3
