"""How many threads a number of jobs stands for, and that rows are dealt out whole."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from vicinal._threads import count_threads, is_task, over_rows, over_tasks, single_threaded_libraries
from vicinal.errors import BadParameter


@pytest.fixture
def four_cores(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 2, 5, 7}, raising=False)


@pytest.mark.usefixtures("four_cores")
@pytest.mark.parametrize(("n_jobs", "threads"), [(None, 4), (-1, 4), (-2, 3), (-4, 1), (-5, 1), (-99, 1), (1, 1), (3, 3), (9, 9)])
def test_jobs_below_zero_count_from_all_cores_down_and_never_below_one(n_jobs, threads):
    assert count_threads(n_jobs) == threads


@pytest.mark.parametrize("cores", [3, None])
def test_where_a_system_does_not_tell_which_cores_may_be_used_all_are(monkeypatch, cores):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    assert count_threads(None) == (cores or 1)


@pytest.mark.parametrize("n_jobs", [0, 1.5, 2.0, True, False, "two", np.nan])
def test_what_is_no_number_of_jobs_is_refused(n_jobs):
    with pytest.raises(BadParameter, match=r"n_jobs must be a whole number other than 0, got .*n_jobs=-1"):
        count_threads(n_jobs)


def test_a_whole_number_of_numpy_is_a_number_of_jobs():
    assert count_threads(np.int64(2)) == 2


@pytest.mark.parametrize("n_jobs", [1, 2, 5])
@pytest.mark.parametrize(("n_rows", "block"), [(10, 3), (9, 3), (2, 3), (1, 1), (1000, 7)])
def test_every_row_is_done_exactly_once(n_jobs, n_rows, block):
    times, sizes, lock = np.zeros(n_rows, dtype=int), [], threading.Lock()

    def task(start, stop):
        with lock:
            times[start:stop] += 1
            sizes.append(stop - start)

    over_rows(task, n_rows, n_jobs, block)
    assert (times == 1).all()
    assert max(sizes) <= block
    assert sum(sizes) == n_rows  # and none beyond the last


def test_no_rows_are_no_work():
    over_rows(lambda start, stop: pytest.fail("there is nothing to do"), 0, 2, 3)


def test_two_blocks_are_worked_on_at_the_same_time():
    both = threading.Barrier(2, timeout=30)  # opens only when two threads stand before it
    over_rows(lambda start, stop: both.wait() and None, 2, 2, 1)


def test_one_thread_is_the_calling_one():
    seen = set()
    over_rows(lambda start, stop: seen.add(threading.get_ident()), 9, 1, 2)
    assert seen == {threading.get_ident()}


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_in_one_block_reaches_the_caller(n_jobs):
    def task(start, stop):
        if start == 6:
            raise ZeroDivisionError("in row six")

    with pytest.raises(ZeroDivisionError, match="in row six"):
        over_rows(task, 10, n_jobs, 2)


def pool_sizes():
    return [pool["num_threads"] for pool in threadpool_info()]


def test_libraries_have_one_thread_inside_and_what_they_had_before_outside():
    with threadpool_limits(limits=2):
        before = pool_sizes()
        assert max(before) == 2
        with single_threaded_libraries():
            assert set(pool_sizes()) == {1}
        assert pool_sizes() == before


def test_a_block_inside_a_block_changes_nothing_and_another_thread_has_a_block_of_its_own():
    seen = []

    def elsewhere():
        with single_threaded_libraries():
            seen.append(set(pool_sizes()))

    with threadpool_limits(limits=2):
        before = pool_sizes()
        with single_threaded_libraries():
            with single_threaded_libraries():
                assert set(pool_sizes()) == {1}
            assert set(pool_sizes()) == {1}
            other = threading.Thread(target=elsewhere)
            other.start()
            other.join()
            assert set(pool_sizes()) == {1}
        assert seen == [{1}]
        assert pool_sizes() == before


def test_libraries_get_their_threads_back_after_an_error():
    with threadpool_limits(limits=2):
        before = pool_sizes()
        with pytest.raises(KeyError), single_threaded_libraries():
            raise KeyError
        assert pool_sizes() == before


@pytest.mark.parametrize("n_jobs", [1, 2, 4])
def test_results_of_tasks_are_in_the_order_of_their_items(n_jobs):
    assert over_tasks(lambda item: item * item, range(20), n_jobs) == [item * item for item in range(20)]
    assert over_tasks(lambda item: item, [], n_jobs) == []


def test_two_tasks_are_worked_on_at_the_same_time_and_the_rows_of_each_in_its_own_thread():
    together, threads = threading.Barrier(2, timeout=60), []

    def task(item):
        together.wait()
        inside = set()
        over_rows(lambda start, stop: inside.add(threading.get_ident()), 8, 4, block=1)
        threads.append((threading.get_ident(), inside, is_task(), {each["num_threads"] for each in threadpool_info()}))

    over_tasks(task, range(2), 2)
    assert len({thread for thread, *_ in threads}) == 2
    assert all(inside == {thread} and nested and libraries == {1} for thread, inside, nested, libraries in threads)
    assert not is_task()


def test_an_error_in_a_task_reaches_the_caller():
    def task(item):
        raise ValueError(f"item {item}")

    with pytest.raises(ValueError, match="item 0"):
        over_tasks(task, range(4), 2)
