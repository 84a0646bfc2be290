"""Compaction: the file is as small as its contents, answers stay, and one who reads an earlier state is not disturbed."""

from __future__ import annotations

import sqlite3

import pytest

import vicinal
from vicinal import Document
from vicinal._store import check, compacting
from vicinal.errors import DiskFull, IndexLocked, VicinalError


@pytest.fixture(name="index")
def index_of_which_most_was_removed(tmp_path):
    with vicinal.open(tmp_path / "a.vic", create=True) as index:
        index.add([Document(str(n), f"wheat exports number{n} fell " * 30, metadata={"n": n}) for n in range(600)])
        index.remove(str(n) for n in range(600) if n % 20)
        yield index


def test_the_file_is_at_most_twice_its_contents_and_answers_stay(index, tmp_path):
    asked = [[(hit.id, hit.snippet) for hit in index.search(f"number{n} wheat", 5)] for n in range(0, 600, 60)]
    before, after = index.compact()
    with vicinal.open(tmp_path / "b.vic", create=True) as other:
        other.add([index[id] for id in index])
    live = (tmp_path / "b.vic").stat().st_size
    assert before > 2 * live
    assert after == (tmp_path / "a.vic").stat().st_size <= 2 * live
    assert [[(hit.id, hit.snippet) for hit in index.search(f"number{n} wheat", 5)] for n in range(0, 600, 60)] == asked
    assert check(tmp_path / "a.vic") == []
    index.add([Document("new", "barley")])
    assert len(index) == 31


def test_no_page_is_left_that_holds_nothing(index):
    assert index._store.rows("PRAGMA freelist_count")[0][0] > 10
    index.compact()
    assert index._store.rows("PRAGMA freelist_count") == [(0,)]


@pytest.mark.damages
def test_while_another_writes_it_is_refused_and_nothing_is_changed(index, tmp_path, monkeypatch):
    monkeypatch.setattr("vicinal._store.compacting._WAITS", 0.0)
    with vicinal.open(tmp_path / "a.vic") as other, other._store.alone(), pytest.raises(IndexLocked):
        index.compact()
    assert len(index) == 30
    assert check(tmp_path / "a.vic") == []


@pytest.mark.parametrize(
    ("said", "error", "words"),
    [
        ("database or disk is full", DiskFull, "was not compacted, since a disk is full: .* free are"),
        ("disk I/O error", VicinalError, None),
    ],
    ids=["full", "broken"],
)
def test_a_compaction_that_fails_says_why_and_leaves_the_index_as_it_was(index, tmp_path, monkeypatch, said, error, words):
    ids = list(index)

    class Failing:
        def execute(self, _):
            failure = sqlite3.OperationalError(said)
            failure.sqlite_errorcode = sqlite3.SQLITE_FULL if error is DiskFull else sqlite3.SQLITE_IOERR
            raise failure

        def close(self):
            pass

    with monkeypatch.context() as patched:
        patched.setattr(compacting, "_connection", lambda _: Failing())
        with pytest.raises(error, match=words):
            index.compact()
    assert list(index) == ids
    assert check(tmp_path / "a.vic") == []
    before, after = index.compact()
    assert after < before
