"""Opening: an index is told from every other file, and no other file is changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from tests.store.samples import contents, documents, fill, made, raw
from vicinal._store import Documents, Settings, Store, check, schema
from vicinal.errors import BadIndex, BadParameter, DamagedIndex, NewerIndex, NotAnIndex, VicinalError

pytestmark = pytest.mark.damages


def test_an_index_is_one_file_once_it_is_closed(tmp_path):
    path = made(tmp_path / "news.vic")
    assert [each.name for each in tmp_path.iterdir()] == ["news.vic"]
    with Store.open(path) as store:
        assert Documents(store).count() == 30
    assert [each.name for each in tmp_path.iterdir()] == ["news.vic"]


def test_a_missing_file_is_made_only_if_asked(tmp_path):
    with pytest.raises(BadIndex, match=r"there is no index at .*create=True") as caught:
        Store.open(tmp_path / "news.vic")
    assert caught.type is BadIndex
    assert list(tmp_path.iterdir()) == []
    Store.open(tmp_path / "news.vic", create=True).close()
    Store.open(str(tmp_path / "news.vic")).close()
    with pytest.raises(BadIndex):
        Store.open(tmp_path / "no folder" / "news.vic", create=True)


FOREIGN = {
    "text": b"Dear reader, this is a letter and no index at all. " * 50,
    "npy": b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "pickled": b"\x80\x04\x95\x1a\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x94\x8c\x06system\x94\x93\x94\x8c\x01x\x94.",
    "zip": b"PK\x03\x04" + bytes(500),
    "almost": b"SQLite format 2\0" + bytes(500),
    "one byte": b"S",
}


@pytest.mark.parametrize("kind", FOREIGN)
@pytest.mark.parametrize("create", [False, True])
def test_a_file_of_something_else_is_refused_and_not_changed(tmp_path, kind, create):
    path = tmp_path / "x.vic"
    path.write_bytes(FOREIGN[kind])
    with pytest.raises(NotAnIndex):
        Store.open(path, create=create)
    assert path.read_bytes() == FOREIGN[kind]
    assert [damage.table for damage in check(path)] == ["file"]


@pytest.mark.parametrize("create", [False, True])
def test_an_sqlite_file_of_another_program_is_refused_and_not_changed(tmp_path, create):
    path = tmp_path / "x.vic"
    raw(path).execute("CREATE TABLE documents (number)").connection.close()
    before = path.read_bytes()
    with pytest.raises(NotAnIndex, match="belongs to application 0"):
        Store.open(path, create=create)
    assert path.read_bytes() == before
    assert "not an index" in check(path)[0].what


def test_an_empty_file_is_no_index_but_may_become_one(tmp_path):
    path = tmp_path / "x.vic"
    path.touch()
    with pytest.raises(NotAnIndex, match="an empty file"):
        Store.open(path)
    with Store.open(path, create=True) as store:
        fill(store)
    assert check(path) == []


def test_folders_and_devices_and_what_is_no_path_are_refused(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path, tmp_path / "fifo", "/dev/zero"):
        for create in (False, True):
            with pytest.raises(NotAnIndex, match="folder or a device"):
                Store.open(path, create=create)
    for path in ("", "a\0b", b"bytes"):
        with pytest.raises(BadParameter, match="path must be"):
            Store.open(path, create=True)


@pytest.mark.parametrize(
    "name", ["a?mode=memory.vic", "a#b.vic", "a%20b.vic", "née 漢字.vic", "file:x.vic", "a'b\".vic", "-x.vic", ":memory:"]
)
def test_no_character_of_a_path_is_an_option(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    made(name)
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_a_newer_version_is_refused_and_not_changed(tmp_path):
    path = made(tmp_path / "x.vic")
    raw(path).execute("PRAGMA user_version = 3").connection.close()
    before = path.read_bytes()
    with pytest.raises(NewerIndex, match=r"has format 3, .* formats up to 2"):
        Store.open(path)
    assert path.read_bytes() == before
    raw(path).execute("PRAGMA user_version = 0").connection.close()
    with pytest.raises(DamagedIndex, match="format 0"):
        Store.open(path)


def test_an_older_version_is_migrated_whole_by_the_first_change_or_refused(tmp_path, monkeypatch):
    path = made(tmp_path / "x.vic")
    monkeypatch.setattr(schema, "FORMAT", 4)
    with pytest.raises(BadIndex, match="format 2, which is too old"):
        Store.open(path)
    steps = {2: lambda connection: connection.execute("DELETE FROM settings WHERE name = 'seed'")}
    monkeypatch.setattr(schema, "MIGRATIONS", steps)
    with pytest.raises(BadIndex, match="format 3, which is too old"):
        Store.open(path)
    steps[3] = lambda connection: connection.execute("SELECT 1 / json('no')")
    with Store.open(path) as store:
        with pytest.raises(VicinalError), store.writing():  # the first step is taken back with the second
            pass
        assert (Settings(store).names(), store.format) == (["recipe", "seed"], 2)
    steps[3] = lambda connection: connection.execute("UPDATE tallies SET n_rows = n_rows - 1 WHERE name = 'settings'")
    with Store.open(path) as store:
        assert (Settings(store).names(), store.format) == (["recipe", "seed"], 2)  # reading changes nothing
        with store.writing():
            assert (Settings(store).names(), store.format) == (["recipe"], 4)
        assert (Settings(store).names(), store.format) == (["recipe"], 4)
    monkeypatch.setattr(schema, "FORMAT", 2)
    with pytest.raises(NewerIndex):
        Store.open(path)


def test_two_that_make_an_index_at_once_make_one(tmp_path):
    code = "import sys; from vicinal._store import Store; Store.open(sys.argv[1], create=True).close()"
    made_by = [subprocess.Popen([sys.executable, "-c", code, tmp_path / "x.vic"]) for _ in range(4)]
    assert [each.wait(60) for each in made_by] == [0] * 4
    assert check(tmp_path / "x.vic") == []


def test_opening_what_is_there_with_create_keeps_it(tmp_path):
    path = made(tmp_path / "x.vic")
    with Store.open(path) as store:
        before = contents(store)
    with Store.open(path, create=True) as store:
        assert contents(store) == before


def test_durability_is_as_promised(store):
    asked = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "trusted_schema": 0, "cell_size_check": 1}
    assert {name: store.rows(f"PRAGMA {name}")[0][0] for name in asked} == asked
    assert store.rows("PRAGMA busy_timeout")[0][0] > 0


def test_no_other_file_can_be_attached(store, tmp_path):
    with pytest.raises(VicinalError, match="too many attached databases"):
        store.rows("ATTACH ? AS other", (str(tmp_path / "other"),))
    assert not (tmp_path / "other").exists()


def test_a_closed_store_says_so(tmp_path):
    store = Store.open(tmp_path / "x.vic", create=True)
    store.close()
    store.close()
    for use in (Documents(store).count, lambda: Documents(store).add(documents(1)), store.commits):
        with pytest.raises(VicinalError, match=r"was closed\. Open the index again"):
            use()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("use", [lambda store: store.rows("SELECT 1"), lambda store: Store.open(store.path)])
def test_a_child_of_a_fork_is_refused_what_its_parent_has_open_and_the_parent_goes_on(store, use):
    fill(store)
    with store.reading():
        before = contents(store)
        assert ended_well(lambda: refused(use, store))
        assert contents(store) == before
    Settings(store).set("parent", 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_of_a_fork_opens_what_its_parent_has_closed(tmp_path):
    path = made(tmp_path / "x.vic")
    with Store.open(tmp_path / "other.vic", create=True):
        assert ended_well(lambda: Settings(Store.open(path)).set("child", 1))
    with Store.open(path) as store:
        assert Settings(store).get("child") == 1


def refused(use, store):
    with pytest.raises(VicinalError, match="was open when this process was forked"):
        use(store)


def ended_well(work):
    """Whether a child of this process does some work without an error."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


def test_an_index_whose_making_was_interrupted_is_made_again(tmp_path):
    """The first transaction has begun to write, and its journal was left."""
    connection = raw(tmp_path / "first")
    for statement in ("PRAGMA cache_size = 1", "BEGIN EXCLUSIVE", "CREATE TABLE documents (text)"):
        connection.execute(statement)
    connection.executemany("INSERT INTO documents VALUES (?)", [(bytes(3000),)] * 200)
    for end in ("", "-journal"):
        shutil.copy(tmp_path / f"first{end}", tmp_path / f"x.vic{end}")
    connection.close()
    assert (tmp_path / "x.vic").stat().st_size
    with Store.open(tmp_path / "x.vic", create=True) as store:
        fill(store)
    assert check(tmp_path / "x.vic") == []
