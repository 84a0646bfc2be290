"""Errors of SQLite and of the operating system: each becomes one of ours, which names the path and what to do."""

from __future__ import annotations

import importlib
import os
import sqlite3
import sys
import weakref
from types import SimpleNamespace

import pytest

from tests.store.samples import documents, fill, made
from tests.store.test_damage import sql
from vicinal._store import (
    Documents,
    Settings,
    Store,
    check,
    connections,
    document_row,
    filesystem,
    schema,
    sqlite_errors,
    writer_note,
)
from vicinal._store.blocks import Header, to_array, to_bytes
from vicinal._store.checksums import checksum, digest
from vicinal._store.journal import what_is_kept
from vicinal.corpus import Document
from vicinal.errors import (
    BadData,
    BadIndex,
    BadParameter,
    DamagedIndex,
    DiskError,
    DiskFull,
    IndexLocked,
    MissingExtra,
    ReadOnlyIndex,
    VicinalError,
)

pytestmark = pytest.mark.damages


def sqlite_error(code):
    error = sqlite3.OperationalError("it went wrong")
    error.sqlite_errorcode = code
    return error


OURS = {
    sqlite3.SQLITE_FULL: DiskFull,
    4874: DiskError,
    sqlite3.SQLITE_BUSY: IndexLocked,
    sqlite3.SQLITE_LOCKED_SHAREDCACHE: IndexLocked,
    sqlite3.SQLITE_READONLY_DBMOVED: ReadOnlyIndex,
    sqlite3.SQLITE_PERM: ReadOnlyIndex,
    sqlite3.SQLITE_CANTOPEN: BadIndex,
    sqlite3.SQLITE_IOERR_WRITE: DiskError,
    sqlite3.SQLITE_IOERR_SHORT_READ: DamagedIndex,
    sqlite3.SQLITE_CORRUPT: DamagedIndex,
    sqlite3.SQLITE_NOTADB: DamagedIndex,
}


@pytest.mark.parametrize("code", OURS)
def test_an_error_of_sqlite_becomes_one_of_ours_with_the_path_and_what_to_do(tmp_path, code):
    path = tmp_path / "news.vic"
    with pytest.raises(VicinalError) as caught, sqlite_errors.in_our_words(path):
        raise sqlite_error(code)
    assert caught.type is OURS[code]
    assert str(path) in str(caught.value)
    assert str(caught.value).count(". ") >= 1


def test_an_error_without_a_number_and_a_text_that_is_none_are_damage(tmp_path):
    for error in (sqlite3.OperationalError("could not decode"), UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no")):
        with pytest.raises(DamagedIndex, match="damaged"), sqlite_errors.in_our_words(tmp_path):
            raise error


def test_shared_memory_that_cannot_grow_on_a_full_disk_is_a_full_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite_errors.shutil, "disk_usage", lambda path: SimpleNamespace(free=100))
    with pytest.raises(DiskFull, match=r"100 bytes are free\. The change"), sqlite_errors.in_our_words(tmp_path / "news.vic"):
        raise sqlite_error(4874)


def test_a_statement_that_the_file_itself_would_run_is_damage(tmp_path):
    with pytest.raises(DamagedIndex, match="statements of its own"), sqlite_errors.in_our_words(tmp_path):
        raise sqlite_error(sqlite3.SQLITE_AUTH)


def test_a_wrong_use_of_sqlite_is_no_damage(store):
    with pytest.raises(VicinalError, match="cannot be used here") as caught:
        store.rows("SELECT ?", (1, 2))
    assert caught.type is VicinalError


def test_a_full_disk_of_unknown_size_is_said_all_the_same(tmp_path):
    with pytest.raises(DiskFull, match="how much is free is not known"), sqlite_errors.in_our_words(tmp_path / "no" / "news.vic"):
        raise sqlite_error(sqlite3.SQLITE_FULL)


def test_a_file_opened_for_reading_alone_is_not_written(tmp_path):
    path = made(tmp_path / "news.vic")
    with Store(path, True, "mode=ro") as store, pytest.raises(ReadOnlyIndex, match="cannot be written"):
        Settings(store).set("a", 1)


def test_an_old_sqlite_is_refused_with_the_version_needed(tmp_path, monkeypatch):
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 36, 9))
    with pytest.raises(MissingExtra, match=r"needs SQLite 3\.37 or later"):
        Store.open(tmp_path / "news.vic", create=True)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 37, 0))
    schema.require_sqlite()


def test_a_path_through_a_file_cannot_be_read(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(BadIndex, match=r"cannot be read: Not a directory\. Check the path"):
        Store.open(tmp_path / "file" / "news.vic", create=True)


# Where nothing can be written. Root may write everywhere, so the question itself is answered for it.


@pytest.fixture
def protected(tmp_path, monkeypatch):
    path = made(tmp_path / "news.vic")
    monkeypatch.setattr(connections, "may_write", lambda path: False)
    return path


def test_a_protected_index_is_read(protected):
    with Store.open(protected) as store:
        assert not store.writable
        assert Documents(store).count() == 30


def test_a_disk_that_is_nearly_full_is_written_where_there_is_room_and_read_where_there_is_none(tmp_path, monkeypatch):
    path = made(tmp_path / "news.vic")
    monkeypatch.setattr(connections, "free_bytes", lambda path: 100)
    with Store.open(path) as store:
        assert store.writable
        Settings(store).set("a", 1)
    monkeypatch.setattr(connections, "_error", lambda path, query: DiskFull("no room"))
    monkeypatch.setattr("vicinal._store.store.free_bytes", lambda path: 100)
    with Store.open(path) as store:
        assert not store.writable
        assert Documents(store).count() == 30
        with pytest.raises(DiskFull, match="Make room"):
            Settings(store).set("a", 1)


def test_what_is_kept_is_not_said_where_it_cannot_be_counted(tmp_path):
    store = Store.open(tmp_path / "news.vic", create=True)
    assert what_is_kept(store) == " The index has 0 documents, all that was committed before."
    store.close()
    assert what_is_kept(store) == ""


def test_a_protected_index_is_not_made(tmp_path, monkeypatch):
    monkeypatch.setattr(connections, "may_write", lambda path: False)
    (tmp_path / "news.vic").touch()
    with pytest.raises(BadIndex):
        Store.open(tmp_path / "news.vic", create=True)


def test_a_protected_index_is_read_alone_where_nothing_can_be_made_beside_it(protected):
    protected.with_name("news.vic-shm").mkdir()
    with Store.open(protected) as store:
        assert Documents(store).count() == 30


def test_a_protected_index_with_a_journal_that_cannot_be_applied_is_refused(protected):
    protected.with_name("news.vic-wal").write_bytes(b"")
    assert "immutable" in filesystem.as_unchanging(protected)
    protected.with_name("news.vic-wal").write_bytes(b"changes")
    with pytest.raises(ReadOnlyIndex, match="a journal beside it"):
        filesystem.as_unchanging(protected)


def hurt_schema(path):
    """Overwrite the list of tables, behind the header of the file."""
    data = path.read_bytes()
    path.write_bytes(data[:100] + b"\xff" * 3000 + data[3100:])


def test_a_protected_index_without_its_list_of_tables_is_damaged(protected):
    hurt_schema(protected)
    with pytest.raises(DamagedIndex):
        Store.open(protected)


def test_a_list_of_tables_that_cannot_be_read_is_damage_of_the_file(tmp_path):
    path = made(tmp_path / "news.vic")
    hurt_schema(path)
    found = check(path)
    assert "file" in {damage.table for damage in found}
    assert "malformed" in " ".join(map(str, found))


def test_damage_of_the_full_text_is_found_where_nothing_can_be_written(protected):
    sql(protected, "INSERT INTO words (words, rowid, title, text) VALUES ('delete', 3, 'Title 2', 'another text')")
    assert [damage.table for damage in check(protected)] == ["words"]


def test_the_full_text_is_checked_while_another_writes(store):
    fill(store)
    with Store.open(store.path) as other, other.writing():
        assert check(store) == []


def test_two_that_make_an_index_at_the_same_moment_make_one(tmp_path, monkeypatch):
    path, asked = tmp_path / "news.vic", []

    def is_empty(connection, real=schema.is_empty):
        asked.append(real(connection))
        if len(asked) == 1:  # between the look and the lock another process makes the tables
            monkeypatch.setattr(schema, "is_empty", real)
            Store.open(path, create=True).close()
            monkeypatch.setattr(schema, "is_empty", is_empty)
        return asked[-1]

    monkeypatch.setattr(schema, "is_empty", is_empty)
    Store.open(path, create=True).close()
    assert asked == [True, False]
    assert check(path) == []


def test_a_forked_process_is_refused_what_was_open(store, monkeypatch):
    """What happens in the child of a fork, seen without one."""
    monkeypatch.setattr(connections, "_INHERITED", set())
    monkeypatch.setattr(connections, "_OPEN", weakref.WeakSet(connections._OPEN))
    connections._after_fork()
    with pytest.raises(VicinalError, match=r"was open when this process was forked.*start processes by spawn"):
        store.commits()
    store._mine.opened.close()  # which leaves the connection of the parent alone
    monkeypatch.undo()
    assert store.commits() == 0


# Values that cannot be kept, and values that cannot have been written.


def test_a_document_of_too_many_bytes_is_refused(store, monkeypatch):
    monkeypatch.setattr(document_row, "LONGEST_TEXT", 40)
    Documents(store).add([Document("fits", "a" * 40)])
    with pytest.raises(BadData, match=r"the text of document 'long' is too long: more than 40 bytes\. Split it"):
        Documents(store).add([Document("long", "é" * 21)])


@pytest.mark.parametrize("metadata", ["[]", "{", '{"a":[1]}', "[" * 100_000, '"' + "x" * (1 << 20) + '"'])
def test_metadata_that_are_no_names_and_values_are_damage_whatever_their_checksum(store, metadata):
    texts = ("forged", "", "a text", "", "", metadata)
    content = digest(*texts)
    with pytest.raises(DamagedIndex, match="document 1 is damaged: its metadata"):
        document_row.from_row((1, 0, checksum(1, 0, content), content, *texts))


@pytest.mark.parametrize(("id", "title", "name"), [("news/1", None, "news/1"), (None, "a title", ""), (b"x", "a title", "")])
def test_a_damaged_document_is_collected_by_its_id_where_that_can_be_read(id, title, name):
    unreadable = {}
    stood_in = document_row.readable_row((7, 0, 0, b"", id, title, "a text", "", "", "{}"), unreadable)
    assert unreadable == {7: document_row.Lost(7, name)}
    assert (stood_in.number, stood_in.document.text) == (7, "")


def test_a_block_is_refused_beyond_what_a_row_can_hold_and_read_only_as_bytes_of_its_length():
    with pytest.raises(BadData, match=r"500,000,001 bytes, and 500,000,000 can be stored in one row\. Split its rows"):
        to_bytes(Header("x", "rows", 0, 1, "uint8", (1, 500_000_001)), None)
    header = Header("x", "rows", 0, 1, "uint8", (1, 3))
    for data, got in ((b"ab", "2"), ("abc", "str")):
        with pytest.raises(DamagedIndex, match=f"3 bytes must be there, got {got}"):
            to_array(header, data, header.checksum(b"abc"))


@pytest.mark.parametrize("name", ["", "x" * 201, None, "\ud800"])
def test_a_setting_must_have_a_name(store, name):
    with pytest.raises(BadParameter, match="must have a name"):
        Settings(store).set(name, 1)


def test_no_documents_are_none_added_and_some_of_many_are_asked_for(store):
    assert Documents(store).add([]).seen == 0
    assert Documents(store).add(documents(5)).seen == 5
    assert Documents(store).where([("year", ">=", 1992)], among=[1, 3, 4]).tolist() == [3, 4]


# The note of the writer.


def test_a_note_that_another_holds_is_done_without(store, monkeypatch):
    monkeypatch.setattr(writer_note, "_ATTEMPTS", 2)
    with writer_note.note(store.path):
        before = writer_note.note_path(store.path).read_text()
        with writer_note.note(store.path):
            assert writer_note.note_path(store.path).read_text() == before
        assert writer_note.note_path(store.path).exists()


def test_a_note_that_was_taken_away_before_it_was_locked_is_written_anew(store, monkeypatch):
    where, real, taken = writer_note.note_path(store.path), writer_note.fcntl.flock, []

    def flock(descriptor, operation):
        if not taken:
            taken.append(where.unlink())
        real(descriptor, operation)

    monkeypatch.setattr(writer_note.fcntl, "flock", flock)
    with writer_note.note(store.path):
        assert where.exists()
        assert writer_note.describe_writer(store.path).startswith(f"by process {os.getpid()} ")


def test_without_locks_of_the_operating_system_a_note_is_believed(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    without = importlib.reload(writer_note)
    assert without.fcntl is None
    with without.note(store.path):
        assert without.describe_writer(store.path).startswith(f"by process {os.getpid()} ")
    monkeypatch.undo()
    importlib.reload(writer_note)


def test_where_no_file_is_there_is_no_key(tmp_path):
    assert filesystem.file_key(tmp_path / "none") == (0, 0)
