"""Transactions: all or nothing, one state for a reader, any number of threads."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from tests.store.samples import contents, documents, fill
from vicinal._store import Arrays, Documents, Labels, Settings, Store
from vicinal.errors import BadParameter, VicinalError


class Stop(Exception):
    pass


def change_everything(store):
    Documents(store).add(documents(5, 100))
    Documents(store).remove(["doc-1", "doc-2"])
    Documents(store).set_generation([4, 5], 9)
    Arrays(store).put("vectors", np.ones(3))
    Arrays(store).drop("terms")
    Settings(store).set("seed", 8)
    Labels(store).give({5: "new"}, "user")


def change_and_stop(store):
    before = contents(store)
    with store.writing():
        change_everything(store)
        assert contents(store) != before
        raise Stop


def test_everything_inside_writing_is_kept_or_nothing(store):
    fill(store)
    before = contents(store)
    with pytest.raises(Stop):
        change_and_stop(store)
    assert contents(store) == before
    with store.writing():
        change_everything(store)
    assert contents(store) != before
    assert Documents(store).count() == 33


def test_a_change_outside_of_writing_is_refused(store):
    with pytest.raises(VicinalError, match="inside writing"):
        store.execute("DELETE FROM documents")


def add_twice_and_stop(store):
    with store.writing():
        Documents(store).add(documents(2, 10))
        with store.writing():
            Documents(store).add(documents(2, 20))
        raise Stop


def test_a_block_inside_another_is_dropped_alone_after_an_error_and_kept_with_it(store):
    with store.writing():
        Documents(store).add(documents(2))
        with pytest.raises(Stop):
            add_twice_and_stop(store)
        with store.writing():
            Documents(store).add(documents(1, 30))
    assert sorted(Documents(store).numbers()) == [1, 2, 3]
    assert Documents(store).find(["doc-30"])


def add_and_stop(store, start):
    with store.writing():
        Documents(store).add(documents(1, start))
        raise Stop


def test_of_three_blocks_inside_each_other_an_error_drops_the_innermost_alone(store):
    with store.writing():
        Documents(store).add(documents(1))
        with store.writing():
            Documents(store).add(documents(1, 10))
            with pytest.raises(Stop):
                add_and_stop(store, 20)
    assert sorted(Documents(store).find(["doc-0", "doc-10", "doc-20"])) == ["doc-0", "doc-10"]


def test_a_snapshot_is_one_state_whatever_others_write(store):
    fill(store)
    with Store.open(store.path) as reader, reader.reading():
        before = contents(reader)
        with store.writing():
            change_everything(store)
        assert contents(reader) == before
        with reader.reading():
            assert contents(reader) == before
    with Store.open(store.path) as reader:
        assert contents(reader) != before


def test_a_snapshot_is_taken_when_reading_begins_and_not_at_the_first_question(store):
    Documents(store).add(documents(2))
    with Store.open(store.path) as reader, reader.reading():
        Documents(store).add(documents(3, 10))
        assert Documents(reader).count() == 2


def test_what_is_not_committed_is_seen_by_its_writer_alone(store):
    with Store.open(store.path) as other, store.writing():
        Documents(store).add(documents(3))
        with store.reading():
            assert Documents(store).count() == 3
        assert Documents(other).count() == 0


def test_a_snapshot_cannot_be_written(store):
    with (
        store.reading(),
        pytest.raises(VicinalError, match=r"is being read as one snapshot.*Leave the with block of snapshot\(\) first"),
    ):
        Documents(store).add(documents(1))
    with store.reading(), pytest.raises(VicinalError, match="is being read as one snapshot"), store.writing():
        pytest.fail("a transaction that writes began inside one that reads")
    assert Documents(store).add(documents(1)).added == 1


def test_commits_tell_states_apart(store):
    seen = [store.commits()]
    for change in (
        lambda: Documents(store).add(documents(2)),
        lambda: Settings(store).set("a", 1),
        lambda: Arrays(store).put("x", np.ones(3)),
        lambda: Documents(store).remove(["doc-0"]),
    ):
        change()
        seen.append(store.commits())
    assert seen == sorted(set(seen))
    with pytest.raises(BadParameter):
        Documents(store).numbers(["unknown"])
    with store.writing():
        assert Documents(store).add(documents(1, 1)).unchanged == 1  # which changes nothing
    assert store.commits() == seen[-1]


def in_threads(n, work):
    trouble = []

    def run(k):
        try:
            work(k)
        except BaseException as error:
            trouble.append(error)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(n)]
    for each in threads:
        each.start()
    for each in threads:
        each.join(120)
    assert trouble == []


def paired(store):
    """One state: how many documents there are, and how many there should be."""
    with store.reading():
        return Documents(store).count(), Settings(store).get("documents", 0), len(Arrays(store).get("rows"))


def write_pairs(store, n):
    for k in range(n):
        with store.writing():
            Documents(store).add(documents(2, 2 * k))
            Settings(store).set("documents", 2 * k + 2)
            Arrays(store).put("rows", np.arange(2 * k + 2))


def test_eight_threads_read_whole_states_while_one_writes(store):
    with store.writing():
        Arrays(store).put("rows", np.arange(0))
    ended, states = threading.Event(), set()

    def work(k):
        if k == 0:
            try:
                write_pairs(store, 25)
            finally:
                ended.set()
            return
        while not ended.is_set():
            state = paired(store)
            assert len(set(state)) == 1, state
            states.add(state)

    in_threads(9, work)
    assert paired(store) == (50, 50, 50)
    assert len(states) > 2


def test_the_check_for_whole_states_sees_a_writer_that_commits_in_parts(store):
    with store.writing():
        Arrays(store).put("rows", np.arange(0))
    Documents(store).add(documents(2))
    assert paired(store) == (2, 0, 0)


def test_connections_of_threads_that_ended_are_closed(store):
    in_threads(12, lambda k: Documents(store).count())
    assert len(store._all) <= 2
