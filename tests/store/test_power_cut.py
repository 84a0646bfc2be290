"""Power cuts and failing operations: whatever the disk lost, the index is as before a change or as after it, and sound."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing

import numpy as np
import pytest

from tests.store.pretend_disk import DISK_FULL, SYNC_FAILS, WRITE_FAILS, chance_of, left, recording
from tests.store.samples import contents, documents
from vicinal._store import Arrays, Documents, Labels, Settings, Store, check, compact_index, fulltext
from vicinal._store.schema import FORMAT, create
from vicinal.corpus import Document
from vicinal.errors import BadIndex, DiskError, DiskFull, VicinalError

SEEDS = 20
#: Every operation with one seed each; all of them for the long run: make cuts.
EVERY_SEED = bool(os.environ.get("VICINAL_CUTS"))

#: One change after the other, each a transaction that is acknowledged.
STEPS = {
    "add": lambda store: Documents(store).add(documents(6)),
    "arrays": lambda store: Arrays(store).put("vectors", np.arange(600.0).reshape(-1, 4)),
    "update": lambda store: Documents(store).add([Document("doc-1", "another text")]),
    "remove": lambda store: Documents(store).remove(["doc-2", "doc-3"]),
    "fit": lambda store: _fit(store),
    "label": lambda store: Labels(store).give({1: "farms"}, "user"),
    "repair": lambda store: fulltext.rebuild(store),
    "compact": lambda store: compact_index(store),
    "sync": lambda store: Documents(store).add(documents(8, 4)),
}


def _fit(store):
    with store.writing():
        Arrays(store).clear()
        Arrays(store).put("vectors", np.ones((50, 3)))
        Settings(store).set("model", {"generation": 1})
        Documents(store).set_generation(Documents(store).numbers().tolist(), 1)


def signature(path):
    with Store.open(path) as store:
        return contents(store)


@pytest.fixture(scope="module", name="told")
def scenario(tmp_path_factory):
    """The operations of all changes and of closing, and after how many of them each was acknowledged, with its signature."""
    path = tmp_path_factory.mktemp("disk") / "news.vic"
    with recording() as disk:
        store = Store.open(path, create=True)
        acknowledged = [(len(disk.done), contents(store))]
        for step in STEPS.values():
            step(store)
            acknowledged.append((len(disk.done), contents(store)))
        store.close()
        acknowledged.append((len(disk.done), acknowledged[-1][1]))
        with Store.open(path) as store:  # changes of an index that was closed: page 1 is copied from the journal
            STEPS["update"](store)
            Settings(store).set("seed", 9)
            acknowledged.append((len(disk.done), contents(store)))
        acknowledged.append((len(disk.done), acknowledged[-1][1]))
    return disk.done, acknowledged


def allowed(acknowledged, place):
    """The signatures that a power cut after so many operations may leave: the last acknowledged one, and the next."""
    before = [told for count, told in acknowledged if count <= place]
    return {*before[-1:], *[told for count, told in acknowledged if count > place][:1]}


def lost(folder, told, place, seed, syncs=True):
    """Why what is left after a power cut is wrong; empty where it is not."""
    operations, acknowledged = told
    for each in folder.iterdir():
        each.unlink()
    for name, data in left(operations[:place], chance_of(seed, place), syncs).items():
        (folder / name).write_bytes(data)
    path, may_be = folder / "news.vic", allowed(acknowledged, place)
    if place < acknowledged[0][0]:  # not made yet: it is made again, or is there
        return ""
    try:
        found = signature(path)
    except VicinalError as error:
        return f"cut after {place} with seed {seed}: {error}"
    damages = check(path)
    if damages or found not in may_be:
        return f"cut after {place} with seed {seed}: {damages or 'a state between two'}"
    return ""


def test_a_power_cut_at_any_operation_leaves_the_state_before_or_after(told, tmp_path):
    n_operations = len(told[0])
    assert n_operations > 100
    cuts = [(place, seed) for place in range(n_operations + 1) for seed in (range(SEEDS) if EVERY_SEED else [place % SEEDS])]
    wrong = [lost(tmp_path, told, place, seed) for place, seed in cuts]
    n_wrong = sum(map(bool, wrong))
    sys.stdout.write(f"{len(cuts)} power cuts at {n_operations} operations, {n_wrong} wrong; below {3 / len(cuts):.3%} at 95 %\n")
    assert [each for each in wrong if each] == []


def test_a_disk_that_does_not_sync_would_be_seen(told, tmp_path):
    places = range(len(told[0]) // 2, len(told[0]), 7)
    assert any(lost(tmp_path, told, place, seed, syncs=False) for place in places for seed in range(3))


def test_a_store_that_does_not_sync_would_be_seen(tmp_path, monkeypatch):
    """The deliberately unsafe variant of durability: SQLite is told not to wait for the disk."""
    monkeypatch.setattr("vicinal._store.connections._SETTINGS", ("synchronous = OFF",))
    with recording() as disk, Store.open(tmp_path / "news.vic", create=True) as store:
        STEPS["add"](store)
        place, told = len(disk.done), contents(store)
    (tmp_path / "cut").mkdir()
    wrong = [lost(tmp_path / "cut", (disk.done, [(place, told)]), place, seed) for seed in range(SEEDS)]
    assert any(wrong)


@pytest.mark.parametrize("error", [WRITE_FAILS, SYNC_FAILS, DISK_FULL])
def test_any_operation_may_fail_and_the_index_is_as_before_or_after(tmp_path, error):
    path = tmp_path / "news.vic"
    with Store.open(path, create=True) as store:
        Documents(store).add(documents(3))
        before = contents(store)
    kept = path.read_bytes()
    after, failing = None, 0
    while failing < 100:
        failing += 1
        path.write_bytes(kept)
        raised = None
        with recording(failing, error) as disk:
            try:
                with Store.open(path) as store:
                    Documents(store).add(documents(3, 3))
            except VicinalError as problem:
                raised = problem
        found = signature(path)
        assert check(path) == []
        if len(disk.done) < failing:
            break
        after = after or (found if raised is None else None)
        assert after is None or found in (before, after)
        assert raised is None or isinstance(raised, DiskFull if error == DISK_FULL else DiskError), raised
        for each in tmp_path.iterdir():
            each.unlink()
    assert 5 < failing < 100
    assert raised is None


@pytest.fixture(name="old")
def file_of_the_first_version(tmp_path):
    path = tmp_path / "old.vic"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("BEGIN")
        create(connection, 1)
        connection.execute("COMMIT")
    return path


def test_a_power_cut_during_a_migration_leaves_the_old_version_or_the_new(old, tmp_path):
    before = old.read_bytes()
    with recording() as disk, Store.open(old) as store:
        Settings(store).set("seed", 1)
    (tmp_path / "cut").mkdir()
    found = set()
    for place in range(len(disk.done) + 1):
        for each in (tmp_path / "cut").iterdir():
            each.unlink()
        for name, data in left(disk.done[:place], chance_of(1, place), before={"old.vic": before}).items():
            (tmp_path / "cut" / name).write_bytes(data)
        with Store.open(tmp_path / "cut" / "old.vic") as store:
            found.add((store.format, tuple(Settings(store).names())))
        assert check(tmp_path / "cut" / "old.vic") == []
    assert found == {(1, ()), (FORMAT, ("seed",))}


@pytest.mark.damages
def test_page_1_that_is_half_copied_from_the_journal_is_taken_from_the_journal(tmp_path):
    path = tmp_path / "news.vic"
    store = Store.open(path, create=True)
    Documents(store).add(documents(300))  # so many that pages are added, and page 1 counts them
    files = {each.name: each.read_bytes() for each in tmp_path.iterdir() if not each.name.endswith("-shm")}
    store.close()
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    path.write_bytes(os.urandom(4096) + files["news.vic"][4096:])
    with Store.open(path) as store:
        assert Documents(store).count() == 300
    assert check(path) == []
    path.write_bytes(os.urandom(4096) + path.read_bytes()[4096:])
    with pytest.raises(BadIndex):
        Store.open(path)
