"""An index that is fitted with the workers of a cluster: the same answer as without them, or an index that is as it was."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

import vicinal
from tests.index.small import documents
from vicinal.cli._app import app
from vicinal.engines import ThreadEngine
from vicinal.engines._dask_engine import DaskEngine
from vicinal.errors import BadParameter, EngineFailed
from vicinal.graph import _block_neighbors
from vicinal.terms import _row_blocks

HERE = {"processes": False, "protocol": "tcp", "host": "127.0.0.1", "dashboard_address": None}


def answers(index):
    """All that a fit decides: clusters, embeddings, points and hits, to the bit."""
    state = index._cache.state()
    clusters = [(cluster.number, cluster.size, cluster.terms) for cluster in index.clusters()]
    hits = [(hit.id, hit.score) for hit in index.search("garden engine")]
    return clusters, hits, state.rows.embeddings.tobytes(), index.layout().points.tobytes()


def fitted(index, engine=None):
    index.fit(n_clusters=3, n_components=5, n_neighbors=5, engine=engine)
    return answers(index)


@pytest.fixture(name="index")
def three_subjects(tmp_path):
    with vicinal.open(tmp_path / "three.vic", create=True) as index:
        index.add(documents(range(20)))
        yield index


@pytest.fixture(scope="module", name="expected")
def without_an_engine(tmp_path_factory):
    with vicinal.open(tmp_path_factory.mktemp("alone") / "alone.vic", create=True) as index:
        index.add(documents(range(20)))
        return fitted(index)


@pytest.fixture(name="small_blocks")
def blocks_of_seven(monkeypatch):
    """Rows that are given in memory are divided into blocks of seven documents."""
    of = _row_blocks.RowBlocks.of.__func__
    monkeypatch.setattr(_row_blocks.RowBlocks, "of", classmethod(lambda cls, X, rows=None, **how: of(cls, X, 7)))


@pytest.fixture(name="searched")
def count_searches(monkeypatch):
    """The blocks of queries that were searched in this process."""
    search, searched = _block_neighbors.search_blocks, []

    def counted(queries, *others):
        searched.append(queries)
        return search(queries, *others)

    monkeypatch.setattr(_block_neighbors, "search_blocks", counted)
    return searched


@pytest.mark.parametrize("name", ["threads", "disk"])
def test_an_engine_in_threads_changes_no_bit_of_an_index(index, expected, small_blocks, searched, name):
    assert fitted(index, vicinal.engine(name, n_jobs=2)) == expected
    assert len(searched) >= 60 // 7


def test_the_engine_of_a_with_statement_is_used(index, expected, searched):
    with vicinal.engine("threads"):
        assert fitted(index) == expected
    assert searched
    searched.clear()
    assert fitted(index) == expected
    assert not searched


@pytest.mark.parametrize("n_workers", [1, 4])
def test_the_number_of_workers_changes_no_bit_of_an_index(index, expected, small_blocks, n_workers):
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(n_workers, 1, **HERE) as cluster,
        distributed.Client(cluster) as client,
        vicinal.engine("dask", client=client),
    ):
        assert fitted(index) == expected


def test_an_index_is_fitted_by_the_address_of_a_scheduler(index, expected, cluster, monkeypatch):
    closed = []
    close = DaskEngine.close
    monkeypatch.setattr(DaskEngine, "close", lambda self: (closed.append(self), close(self)))
    assert fitted(index, cluster.scheduler_address) == expected
    assert len(closed) == 1


def test_a_worker_that_is_killed_changes_no_bit_of_an_index(index, expected, client, small_blocks, monkeypatch):
    client.wait_for_workers(2, timeout=60)
    get, killed = DaskEngine.get, []

    def kill_first(self, tasks):
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)
        return get(self, tasks)

    monkeypatch.setattr(DaskEngine, "get", kill_first)
    with vicinal.engine("dask", client=client):
        assert fitted(index) == expected
    assert killed


def test_a_scheduler_that_is_lost_is_one_error_and_an_index_as_it_was(index, tmp_path):
    distributed = pytest.importorskip("distributed")
    before = fitted(index)
    index.add(documents([99]))
    cluster = distributed.LocalCluster(1, 1, **HERE)
    client = distributed.Client(cluster, timeout="2s")
    engine = vicinal.engine("dask", client=client)
    call, lost = DaskEngine.call, threading.Event()

    def lose(self, *arguments):
        if not lost.is_set():
            lost.set()
            client.close()
            cluster.close()
        return call(self, *arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DaskEngine, "call", lose)
        with pytest.raises(EngineFailed):
            fitted(index, engine)
    assert lost.is_set()
    assert len(index) == 63
    assert answers(index)[0] != []
    assert index.check() == []
    assert index.info().options["n_neighbors"] == 5
    with vicinal.open(index.path) as again:
        assert [cluster.number for cluster in again.clusters()] == [number for number, _, _ in before[0]]
        again.fit()


def test_an_address_at_which_nobody_answers_changes_nothing(index):
    dask = pytest.importorskip("dask")
    before = fitted(index)
    with dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}), pytest.raises(EngineFailed, match="cannot be reached"):
        fitted(index, "tcp://127.0.0.1:9")
    assert answers(index) == before


def test_workers_that_do_not_see_the_rows_are_one_clear_error(index, client, monkeypatch):
    before = fitted(index)
    place = DaskEngine.call

    def elsewhere(self, function, source, *others):
        folder = getattr(source, "folder", None)
        for file in Path(folder).iterdir() if folder is not None else ():
            file.unlink()
        return place(self, function, source, *others)

    monkeypatch.setattr(DaskEngine, "call", elsewhere)
    with vicinal.engine("dask", client=client), pytest.raises(EngineFailed, match="folder that all workers see"):
        fitted(index)
    assert answers(index) == before


def test_the_command_fits_with_a_scheduler_and_refuses_what_is_no_address(index, expected, cluster, tmp_path):
    index.close()
    options = ["--clusters", "3", "--components", "5", "--neighbors", "5"]
    folder = tmp_path / "shared"
    done = CliRunner().invoke(
        app, ["fit", index.path, *options, "--scheduler", cluster.scheduler_address, "--shared-folder", str(folder)]
    )
    assert done.exit_code == 0, done.output
    assert list(folder.rglob("*")) != []
    with vicinal.open(index.path) as again:
        assert answers(again) == expected
    for wrong in (["--scheduler", "scheduler"], ["--shared-folder", str(folder)]):
        done = CliRunner().invoke(app, ["fit", index.path, *wrong])
        assert (done.exit_code, "--scheduler must be an address" in done.output) == (2, True), done.output


def test_an_engine_of_another_name_is_refused(index):
    with pytest.raises(BadParameter, match="engine must be one of"):
        index.fit(engine="cloud")
    assert isinstance(vicinal.engine("threads"), ThreadEngine)
