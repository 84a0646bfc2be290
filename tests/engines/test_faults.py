"""Faults: workers that die or join while a fit runs, tasks that end workers, and reruns that go on from what was finished."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import vicinal
from vicinal import RLPI
from vicinal.engines import ThreadEngine
from vicinal.engines._stages import Stages
from vicinal.graph import _block_neighbors
from vicinal.terms import RowBlocks

pytestmark = pytest.mark.filterwarnings("ignore::vicinal.errors.VicinalWarning")


def kill_one_worker(client):
    """End the process of one worker, as a machine that loses its power does; its nanny starts another."""
    processes = client.run(os.getpid)
    os.kill(next(iter(processes.values())), signal.SIGKILL)


@pytest.mark.parametrize("moment", [0.05, 0.5])
def test_a_worker_that_is_killed_changes_no_bit(corpus, client, moment):
    X, y = corpus
    whole = RLPI(5).fit(X, y)
    client.wait_for_workers(2, timeout=60)
    killer = threading.Timer(moment, kill_one_worker, [client])
    killer.start()
    with vicinal.engine("dask", client=client):
        fitted = RLPI(5).fit(RowBlocks.of(X, 700), y)
    killer.join()
    assert np.array_equal(whole.components_, fitted.components_)


def test_what_is_lost_with_a_worker_is_made_again(client):
    client.wait_for_workers(2, timeout=60)
    with vicinal.engine("dask", client=client) as cluster:
        shared = cluster.place(np.arange(1000.0))
        sums = [cluster.call(np.add, shared, number) for number in range(8)]
        cluster.get(sums)
        kill_one_worker(client)
        time.sleep(0.1)
        again = cluster.get([cluster.call(np.sum, each) for each in sums])
    assert again == [499_500.0 + 1000 * number for number in range(8)]


def test_a_rerun_goes_on_from_the_stages_that_were_finished(corpus, tmp_path, monkeypatch):
    X = corpus[0][:2_000]
    whole = RLPI(4).fit(X)
    search, searched = _block_neighbors.search_blocks, []

    def interrupted(queries, *others):
        if len(searched) == 3:
            raise KeyboardInterrupt
        searched.append(queries)
        return search(queries, *others)

    monkeypatch.setattr(_block_neighbors, "search_blocks", interrupted)
    with pytest.raises(KeyboardInterrupt):
        RLPI(4, engine=ThreadEngine(1, folder=tmp_path)).fit(RowBlocks.of(X, 400))
    assert len(list(tmp_path.glob("neighbours-*.npz"))) == 3

    def counted(queries, *others):
        searched.append(queries)
        return search(queries, *others)

    searched.clear()
    monkeypatch.setattr(_block_neighbors, "search_blocks", counted)
    fitted = RLPI(4, engine=ThreadEngine(1, folder=tmp_path)).fit(RowBlocks.of(X, 400))
    assert len(searched) == 2 + _repairs(whole)
    assert np.array_equal(whole.components_, fitted.components_)
    assert len(list(tmp_path.glob("spectrum-*.npz"))) == 1


def _repairs(fitted):
    """Searches of the repair, which are small and not kept: one for documents without an edge, where there are any."""
    return 1 if fitted.unembedded_.any() else 0


def test_stages_of_other_documents_or_settings_are_not_taken(corpus, tmp_path):
    X = corpus[0][:1_500]
    for rows, k in ((X, 5), (X[::-1], 5), (X, 6)):
        fitted = RLPI(3, n_neighbors=k, engine=ThreadEngine(1, folder=tmp_path)).fit(RowBlocks.of(rows, 500))
        assert np.array_equal(fitted.components_, RLPI(3, n_neighbors=k).fit(rows).components_)


def test_a_stage_that_was_cut_short_is_computed_again(tmp_path):
    stages = Stages(tmp_path, "documents")
    stages.once("neighbours", (1,), lambda: {"a": np.arange(3)})
    file = stages.file("neighbours", 1)
    file.write_bytes(file.read_bytes()[:40])
    assert stages.read(file) is None
    assert stages.once("neighbours", (1,), lambda: {"a": np.arange(4)})["a"].tolist() == [0, 1, 2, 3]
    assert stages.once("neighbours", (1,), dict)["a"].tolist() == [0, 1, 2, 3]
