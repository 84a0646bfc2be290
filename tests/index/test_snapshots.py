"""Eight processes read while one writes: each answer is of one whole state, whatever is added, removed or learnt meanwhile."""

from __future__ import annotations

import multiprocessing
import os
import sys
import traceback

import pytest

import vicinal
from tests.index.small import documents
from vicinal._store import Documents

READERS = 8
ROUNDS = int(os.environ.get("VICINAL_ROUNDS", "8"))
BATCH = 6  # documents that come and go together
PERIOD = 4  # batches that are there beside the first

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no fork")


def batch(number):
    return documents((2 * number, 2 * number + 1))


def ids(number):
    return [document.id for document in batch(number)]


def write(path, stop, counted):
    """Add, remove and learn by turns, with 2 topics and with 3, until told to stop."""
    with vicinal.open(path) as index:
        step = 0
        while not stop.is_set():
            index.add(batch(3 + step % PERIOD))
            index.remove(ids(3 + (step + 2) % PERIOD))
            if step % 2:
                index.fit(n_clusters=2 + step // 2 % 2, n_components=4, n_neighbors=4)
            step += 1
            counted.value = step


def seen(index):
    """Several answers, and the names of all documents, of what must be one state."""
    info, clusters = index.info(), index.clusters()
    hits = [*index.search("bread oven car", 50), *index.near("cars-1", 20)]
    there = {each.document.id for chunk in Documents(index._store).chunks() for each in chunk}
    return info, clusters, hits, there


def check_state(info, clusters, hits, there):
    """That answers are of one whole state."""
    assert info.documents == len(there)
    assert info.documents % BATCH == info.unembedded % BATCH == 0, "half a batch"
    assert info.fitted + info.embedded + info.unembedded == info.documents
    assert len(clusters) == info.n_clusters, "clusters of one fit, topics of another"
    assert sum(cluster.size for cluster in clusters) == info.fitted + info.embedded
    numbers = {cluster.number for cluster in clusters}
    assert {hit.cluster for hit in hits} <= numbers, "a hit in a cluster that is not there"
    assert {hit.id for hit in hits} <= there, "a document that is not there was found"
    assert {id for cluster in clusters for id, _ in cluster.exemplars} <= there


def check_answers(index):
    """What each answer must be by itself, taken one after the other from states that may differ."""
    info = index.info()
    assert info.documents % BATCH == info.unembedded % BATCH == 0
    assert info.fitted + info.embedded + info.unembedded == info.documents
    clusters = index.clusters()
    assert len(clusters) in (2, 3)
    assert sum(cluster.size for cluster in clusters) % BATCH == 0
    assert sum(cluster.share for cluster in clusters) == pytest.approx(1.0)
    hits = index.search("bread oven car", 50)
    assert hits
    assert len({hit.cluster for hit in hits}) <= 3
    assert all(hit.title and hit.snippet for hit in hits)
    assert "cars-1" not in {hit.id for hit in index.near("cars-1", 50)}


def read(path, number, pipe):
    """One reader: half of the rounds with an index opened anew; says how many fits it saw, or what went wrong."""
    try:
        generations = set()
        kept = vicinal.open(path)
        for turn in range(ROUNDS):
            index = kept if (turn + number) % 2 else vicinal.open(path)
            check_answers(index)
            with index.snapshot() as snapshot:
                state = seen(snapshot)
            check_state(*state)
            generations.add(state[0].generation)
            if index is not kept:
                index.close()
        kept.close()
        pipe.send(("saw", len(generations)))
    except BaseException:
        pipe.send(("failed", traceback.format_exc()))


@pytest.fixture(name="path")
def three_batches(tmp_path):
    path = tmp_path / "shared.vic"
    with vicinal.open(path, create=True) as index:
        for number in range(3):
            index.add(batch(number))
        index.fit(n_clusters=3, n_components=4, n_neighbors=4)
    return path


def test_eight_readers_see_whole_states_while_one_writes(path):
    context = multiprocessing.get_context("fork")
    stop, counted = context.Event(), context.Value("i", 0)
    writer = context.Process(target=write, args=(path, stop, counted))
    pipes = [context.Pipe(duplex=False) for _ in range(READERS)]
    readers = [context.Process(target=read, args=(path, number, theirs)) for number, (_, theirs) in enumerate(pipes)]
    for process in (writer, *readers):
        process.start()
    try:
        said = [ours.recv() if ours.poll(120) else ("failed", "nothing was heard of it") for ours, _ in pipes]
        assert writer.is_alive()
    finally:
        stop.set()
        for process in (*readers, writer):
            process.join(60)
    assert [text for what, text in said if what == "failed"] == []
    assert writer.exitcode == 0
    assert counted.value >= 4
    assert sum(number for _, number in said) > READERS, "no reader saw a fit go by"
    with vicinal.open(path) as index:
        assert index.check() == []


def test_answers_of_two_states_would_be_seen(path):
    with vicinal.open(path) as index:
        check_state(*seen(index))
        before = seen(index)
        index.add(batch(5))
        index.fit(n_clusters=2)
        after = seen(index)
    check_state(*after)
    for part in range(4):
        mixed = [*before[:part], after[part], *before[part + 1 :]]
        if part != 2:  # what was found before is still there
            with pytest.raises(AssertionError):
                check_state(*mixed)
