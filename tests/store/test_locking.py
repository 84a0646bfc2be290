"""Locking: the second writer is told who the first is, readers go on, and a killed writer leaves nothing behind."""

from __future__ import annotations

import fcntl
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import pytest

from tests.store.samples import documents, fill
from vicinal._store import Documents, Settings, Store, check, writer_note
from vicinal._store import store as store_module
from vicinal._store.connections import OpenFile
from vicinal.errors import IndexLocked

HOLD = """
import sys, time
from vicinal._store import Settings, Store
with Store.open(sys.argv[1]) as store:
    with store.writing():
        Settings(store).set("held", True)
        print("holding", flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def holder(store):
    """Another process in the middle of a transaction."""
    fill(store)
    process = subprocess.Popen([sys.executable, "-c", HOLD, store.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "holding\n"
    yield process
    process.stdin.close()
    process.wait(60)
    process.stdout.close()


def test_the_second_writer_is_told_soon_who_the_first_is_and_readers_go_on(store, holder):
    began = time.monotonic()
    with pytest.raises(IndexLocked) as caught:
        Documents(store).add(documents(1, 100))
    waited = time.monotonic() - began
    assert str(store.path) in str(caught.value)
    assert re.search(rf"by process {holder.pid} since \d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d \(\d+ s\)", str(caught.value))
    assert waited < 10 * store_module._WRITER_WAITS / 1000  # it does not wait for the first to end; the promise itself is below
    assert Documents(store).count() == 30
    assert Settings(store).get("held") is None


def test_the_second_writer_waits_less_than_a_second():
    assert store_module._WRITER_WAITS < 1000


def test_the_lock_ends_with_the_first_writer(store, holder):
    holder.stdin.close()
    holder.wait(60)
    Documents(store).add(documents(1, 100))
    assert Settings(store).get("held") is True


def test_a_killed_writer_leaves_no_lock_and_nothing_it_had_not_committed(store, holder):
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait(60)
    assert writer_note.note_path(store.path).exists()  # its note is still there
    assert writer_note.describe_writer(store.path) == "by another process"  # and not believed
    Documents(store).add(documents(1, 100))
    assert Settings(store).get("held") is None
    assert not writer_note.note_path(store.path).exists()


def test_a_note_that_is_not_locked_is_not_believed(store):
    writer_note.note_path(store.path).write_text("4711 1000000000")
    assert writer_note.describe_writer(store.path) == "by another process"
    with writer_note.note(store.path):
        assert writer_note.describe_writer(store.path).startswith(f"by process {os.getpid()} since")


@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"x y", b"1", b"1 2 3", b"9" * 10_000, b"1 1e999", b"1 nan"])
def test_a_note_of_anything_is_harmless(store, text):
    with writer_note.note(store.path):
        writer_note.note_path(store.path).write_bytes(text)
        assert writer_note.describe_writer(store.path) == "by another process"


def test_a_note_is_never_written_through_a_link(store, tmp_path):
    (tmp_path / "precious").write_text("precious")
    writer_note.note_path(store.path).symlink_to(tmp_path / "precious")
    Settings(store).set("a", 1)
    assert (tmp_path / "precious").read_text() == "precious"


def test_a_second_thread_or_store_of_this_process_is_told_too(store):
    with Store.open(store.path) as second, store.writing(), pytest.raises(IndexLocked, match=f"process {os.getpid()} "):
        Settings(second).set("a", 1)


def test_a_note_that_another_holds_to_the_end_is_done_without(store):
    where = writer_note.note_path(store.path)
    with where.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with writer_note.note(store.path):
            assert where.read_text() == ""  # nothing was written into what is another's


def test_a_note_that_was_taken_away_before_it_was_locked_is_made_anew(store, monkeypatch):
    where, looked = writer_note.note_path(store.path), []

    def taken_away_once(descriptor):
        if not looked:
            where.unlink()  # as the writer before us does when it ends
        looked.append(descriptor)
        return fstat(descriptor)

    fstat = os.fstat
    monkeypatch.setattr(writer_note.os, "fstat", taken_away_once)
    with writer_note.note(store.path):
        monkeypatch.undo()
        assert writer_note.describe_writer(store.path).startswith(f"by process {os.getpid()} since")
    assert len(looked) == 2


ADD = """
import sys
from vicinal.errors import IndexLocked
from vicinal._store import Settings, Store
store, done = Store.open(sys.argv[1]), 0
for _ in range(int(sys.argv[2])):
    try:
        with store.writing():
            count = Settings(store).get("count", 0)
            Settings(store).set("count", count + 1)
        done += 1
    except IndexLocked:
        pass
store.close()
print(done)
"""


def test_of_writers_that_race_each_loses_nothing_it_was_told_is_kept(store):
    racers = [subprocess.Popen([sys.executable, "-c", ADD, store.path, "40"], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    kept = sum(int(each.communicate(timeout=120)[0]) for each in racers)
    assert Settings(store).get("count") == kept > 0
    assert check(store) == []


def test_a_writer_that_reads_before_its_transaction_would_be_seen_to_lose_a_race(store):
    with Store.open(store.path) as other:
        read = Settings(store).get("count", 0)  # outside of writing(): the mistake
        Settings(other).set("count", Settings(other).get("count", 0) + 1)
        Settings(store).set("count", read + 1)
    assert Settings(store).get("count") != 2


def test_a_new_connection_waits_while_the_file_is_locked_as_a_whole(tmp_path):
    """As it is for a moment when somebody puts the journal in order."""
    path = tmp_path / "locked.sqlite"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("CREATE TABLE things (number)")
    other.execute("BEGIN EXCLUSIVE")
    release = threading.Timer(0.2, other.rollback)
    release.start()
    opened = OpenFile(path, "mode=rw")
    assert opened.connection.execute("SELECT count(*) FROM things").fetchall() == [(0,)]
    release.join()
    opened.close()
    other.close()
