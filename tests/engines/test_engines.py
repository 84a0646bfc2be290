"""Engines run functions, in threads or on a cluster, and give results in the order in which they were asked for."""

from __future__ import annotations

import copy
import os
import threading
import time

import numpy as np
import pytest

import vicinal
from vicinal.engines import ThreadEngine
from vicinal.engines._engine import current_engine
from vicinal.engines._engine_choice import engine_of
from vicinal.errors import BadParameter, EngineFailed


def test_results_come_in_the_order_of_the_tasks():
    with vicinal.engine("threads", n_jobs=3) as threads:
        waits = [0.02, 0.0, 0.01]
        assert threads.get([threads.call(_after, wait) for wait in waits]) == waits


def _after(wait):
    time.sleep(wait)
    return wait


def test_a_task_may_be_the_argument_of_another():
    with vicinal.engine("threads", n_jobs=1) as threads:
        two = threads.place(2)
        assert threads.get([threads.call(pow, threads.call(pow, two, 3), two)]) == [64]


def test_an_error_of_a_task_is_raised_as_it_is():
    with vicinal.engine("threads", n_jobs=2) as threads, pytest.raises(ZeroDivisionError):
        threads.get([threads.call(divmod, 1, 0)])


def test_no_more_tasks_are_under_way_than_memory_should_hold():
    running, most = set(), []

    def note(number):
        running.add(number)
        most.append(len(running))
        time.sleep(0.001)
        running.discard(number)

    with ThreadEngine(n_jobs=2) as threads:
        calls, given = [], []
        for number in range(30):
            calls.append(threads.call(note, number))
            given.append(sum(not call.done() for call in calls))
        threads.get(calls)
    assert max(most) <= 2
    assert max(given) <= 4


def test_an_engine_is_used_again_after_it_was_closed():
    threads = ThreadEngine(n_jobs=1)
    with threads:
        assert threads.get([threads.call(max, 1, 2)]) == [2]
    assert threads.get([threads.call(max, 1, 3)]) == [3]
    threads.close()


def test_the_innermost_with_block_names_the_engine():
    assert current_engine() is None
    with vicinal.engine() as outer:
        with vicinal.engine("disk") as inner:
            assert engine_of(None) is inner
        assert engine_of(None) is outer
        assert engine_of("disk") is not outer
    assert engine_of(None) is None


def test_the_engine_of_a_with_block_is_that_of_its_thread():
    seen = []
    with vicinal.engine():
        other = threading.Thread(target=lambda: seen.append(current_engine()))
        other.start()
        other.join()
    assert seen == [None]


def test_a_copy_of_an_estimator_has_the_same_engine():
    threads = ThreadEngine(n_jobs=1)
    assert copy.deepcopy(threads) is threads


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("spark", {}, "must be one of"),
        ("threads", {"client": object()}, "client is for the engine 'dask'"),
        ("dask", {"n_jobs": 2, "client": object()}, "n_jobs is for threads"),
        ("dask", {}, "needs a client or the address"),
        ("disk", {"memory": "much"}, "memory must be a size"),
        ("disk", {"memory": -5}, "memory must be a size"),
        ("disk", {"memory": True}, "memory must be a size"),
    ],
)
def test_what_makes_no_engine_is_refused(name, options, said):
    with pytest.raises(BadParameter, match=said):
        vicinal.engine(name, **options)


def test_sizes_of_memory_are_read_as_people_write_them():
    sizes = {"4GB": 4_000_000_000, "1.5 MB": 1_500_000, "2GiB": 2**31, 12_345: 12_345, "7": 7, None: None}
    assert {size: vicinal.engine(memory=size).memory for size in sizes} == sizes


def test_an_address_where_no_scheduler_answers_is_one_clear_error():
    pytest.importorskip("distributed")
    import dask

    with dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}), pytest.raises(EngineFailed, match="cannot be reached"):
        vicinal.engine("tcp://127.0.0.1:9")


def test_tasks_of_a_cluster_run_in_other_processes(client):
    with vicinal.engine("dask", client=client) as cluster:
        shared = cluster.place(np.arange(4.0))
        sums = [cluster.call(np.multiply, shared, factor) for factor in range(3)]
        assert [row.tolist() for row in cluster.get(sums)] == [[0, 0, 0, 0], [0, 1, 2, 3], [0, 2, 4, 6]]
        assert cluster.get([cluster.call(os.getpid)]) != [os.getpid()]
        with pytest.raises(ZeroDivisionError):
            cluster.get([cluster.call(divmod, 1, 0)])
    assert client.status == "running"  # it was ours, and is not closed


def test_an_engine_that_has_connected_itself_leaves_the_cluster(cluster):
    own = vicinal.engine(cluster.scheduler_address)
    with own:
        assert own.get([own.call(max, 1, 2)]) == [2]
        assert "tcp://" in repr(own)
    with pytest.raises(EngineFailed, match="goes on from the last finished stage"):
        own.get([own.call(max, 1, 2)])
