"""A reader that stays open while others write answers to the last bit as one that is opened after them, and reads what is new."""

from __future__ import annotations

from collections import Counter
from threading import Event, Thread

import pytest

import vicinal
from tests.index.small import documents, fitted, made
from vicinal import Document
from vicinal._store import Arrays
from vicinal._store.document_lookup import DocumentLookup
from vicinal.index import _stored
from vicinal.index._documents import embed_new
from vicinal.index._search.growing_arrays import GrowingRows
from vicinal.uses._ranking import Ranking

QUERIES = ["bread oven", "garden flower", "engine", "cars wheels road", "zeppelin", "baked bread in the oven", "good people"]
#: Arrays that a fit writes and no later document is appended to, and arrays whose rows of the fit are read once.
OF_THE_FIT = {
    _stored.NEIGHBORS,
    _stored.POSTINGS,
    _stored.TERMS,
    _stored.FORMS,
    _stored.FREQUENCIES,
    f"{_stored.PROJECTION}/weights",
}
GROWING = {_stored.NUMBERS, _stored.COUNTS, _stored.EMBEDDINGS, _stored.CLUSTERS, _stored.LENGTHS, _stored.LATER_LENDERS}


def add(index):
    index.add(documents(range(20, 22)))


def add_others(index):
    index.add([Document("new-1", "bread and flowers from the oven of the zeppelin"), Document("new-2", "a road to the garden")])


def add_many(index):
    index.add(documents(range(50, 56)))


def change_one_of_the_fit(index):
    index.update([Document("cars-1", "bread from the oven, and no engine")])


def change_a_later_one(index):
    index.update([Document("new-1", "an engine without a zeppelin"), Document("garden-20", "flour and bread")])


def remove_one_of_the_fit(index):
    index.remove(["kitchen-3"])


def remove_a_later_one(index):
    index.remove(["new-2", "cars-21"])


def add_again(index):
    index.add([Document("new-2", "the house with a good oven"), *documents(range(30, 33))])


def add_more(index):
    index.add(documents(range(40, 42)))


def move(index):
    index.move_documents(["cars-2"], index.search("bread")[0].cluster)


def label(index):
    index.label({"cars-5": "kitchen"})


def fit_again(index):
    fitted(index)


def change_after_the_fit(index):
    index.update([Document("cars-1", "a garden with a good engine")])


def remove_after_the_fit(index):
    index.remove(pattern="*-21")


STEPS = [
    add,
    add_others,
    change_one_of_the_fit,
    change_a_later_one,
    add_again,
    remove_one_of_the_fit,
    remove_a_later_one,
    move,
    label,
    add_more,
    fit_again,
    change_after_the_fit,
    remove_after_the_fit,
]


def one(hits):
    found = [(hit.id, hit.score, hit.relevance, hit.snippet, hit.cluster) for hit in hits]
    return hits.total, hits.near, found, [(hit.why.terms, hit.why.parts.tolist()) for hit in hits]


def answers(index):
    """Every answer by single calls, by one call and by embeddings alone, with all numbers as they are."""
    single = [one(index.search(query)) for query in QUERIES]
    together = [one(hits) for hits in index.search_many(QUERIES)]
    by_embedding = [one(index.search(query, by="embedding")) for query in QUERIES[:3]]
    facets = index.search("good people", facets=["cluster"]).facets
    return single, together, by_embedding, facets


def test_a_reader_beside_a_writer_answers_as_one_that_is_opened_after_every_change(tmp_path):
    path = made(tmp_path / "small.vic", added=0)
    with vicinal.open(path) as reader, vicinal.open(path) as writer:
        before = answers(reader)
        for step in STEPS:
            step(writer)
            after = answers(reader)
            with vicinal.open(path) as fresh:
                assert after == answers(fresh), step.__name__
            assert step is label or after != before, step.__name__
            before = after


def test_a_thread_that_reads_an_earlier_state_answers_from_it_when_others_have_read_more(tmp_path):
    path = made(tmp_path / "small.vic")
    began, go_on, found = Event(), Event(), []

    def read_late():
        with reader.snapshot() as snapshot:
            began.set()
            assert go_on.wait(60)
            found.append(answers(snapshot))

    with vicinal.open(path) as reader, vicinal.open(path) as writer:
        before = answers(reader)
        thread = Thread(target=read_late)
        thread.start()
        assert began.wait(60)
        for step in (add, change_one_of_the_fit):  # of one fit, whose arrays both states share
            step(writer)
        later = answers(reader)
        go_on.set()
        thread.join()
        assert found == [before]
        assert answers(reader) == later != before


def test_an_array_that_was_put_anew_is_read_anew(tmp_path):
    with vicinal.open(made(tmp_path / "small.vic")) as index:
        arrays, clusters = Arrays(index._store), GrowingRows(_stored.CLUSTERS)
        before = clusters.read(arrays).copy()
        arrays.put(_stored.CLUSTERS, before[::-1].copy())
        assert clusters.read(arrays).tolist() == before[::-1].tolist() != before.tolist()


@pytest.fixture(name="read")
def blocks_that_are_read(monkeypatch):
    """Rows that were read of each array, by name and first row of the block, and how often."""
    found = Counter()
    original = Arrays.read_piece

    def counted(self, piece, only=None):
        header = next(iter(piece.headers.values()))
        found[header.name, header.first_row] += 1
        return original(self, piece, only)

    monkeypatch.setattr(Arrays, "read_piece", counted)
    return found


@pytest.mark.parametrize("step", [add, change_one_of_the_fit, remove_one_of_the_fit])
def test_nothing_that_was_read_is_read_again_after_a_commit(tmp_path, read, step):
    path = made(tmp_path / "small.vic")
    with vicinal.open(path) as reader, vicinal.open(path) as writer:
        add_others(writer)
        answers(reader)
        n_rows = {name: Arrays(reader._store).outline(name).shape[0] for name in GROWING}
        step(writer)
        read.clear()
        answers(reader)
    assert not {name for name, _ in read} & OF_THE_FIT
    assert not [(name, row) for name, row in read if name in GROWING and row < n_rows[name]]
    assert max(read.values(), default=0) <= 1
    assert (step is remove_one_of_the_fit) == (not {name for name, _ in read} & GROWING)


def test_headers_of_blocks_that_were_read_are_not_read_again_after_a_commit(tmp_path, monkeypatch):
    path = made(tmp_path / "small.vic")
    with vicinal.open(path) as reader, vicinal.open(path) as writer:
        answers(reader)
        add(writer)
        original, whole = Arrays.pieces, []

        def listed(self, name, start=0):
            if not start and name in GROWING | OF_THE_FIT:
                whole.append(name)
            return original(self, name, start)

        monkeypatch.setattr(Arrays, "pieces", listed)
        answers(reader)
    assert not whole


@pytest.mark.parametrize("step", [add_others, change_one_of_the_fit, add_many])
def test_whoever_searches_before_new_documents_are_embedded_looks_at_no_other_document(tmp_path, monkeypatch, step):
    path, between, looked = made(tmp_path / "small.vic", added=0), [], []
    original, scan = embed_new._embed_batch, DocumentLookup.where

    with vicinal.open(path) as reader, vicinal.open(path) as writer:
        answers(reader)

        def embed(*arguments):
            """Search once more by the other connection before a batch is embedded, in the state that is committed."""
            with monkeypatch.context() as patch:
                patch.setattr(DocumentLookup, "where", lambda *given, **options: looked.append(given) or scan(*given, **options))
                between.append(one(reader.search("bread oven")))
            with vicinal.open(path) as fresh:
                assert between[-1] == one(fresh.search("bread oven"))
            return original(*arguments)

        monkeypatch.setattr(embed_new, "_embed_batch", embed)
        monkeypatch.setattr(embed_new, "BATCH", 4)
        step(writer)
    assert between
    assert looked == []


@pytest.mark.parametrize("ask", ["search", "search_many"])
def test_blas_has_one_thread_while_documents_are_ranked(tmp_path, monkeypatch, ask):
    from threadpoolctl import threadpool_info, threadpool_limits

    original, found = Ranking.ranked, []

    def ranked(*given):
        found.extend(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")
        return original(*given)

    monkeypatch.setattr(Ranking, "ranked", ranked)
    with vicinal.open(made(tmp_path / "small.vic")) as index, threadpool_limits(2, user_api="blas"):
        getattr(index, ask)(QUERIES if ask == "search_many" else QUERIES[0])
        assert {each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"} == {2}
    assert set(found) == {1}
