"""What depends on the state of the index alone is read once for all requests, and again when the index has changed."""

from __future__ import annotations

import asyncio
import socket

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from vicinal._store.labels import Labels
from vicinal.index._clusters import subclusters
from vicinal.serve import _running
from vicinal.serve._answers import document_columns, suggestions, terms_apart


@pytest.fixture
def counted(monkeypatch):
    """Counts the calls of a function of a module."""

    def count(module, name):
        calls, function = [], getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, **more: (calls.append(name), function(*given, **more))[1])
        return calls

    return count


def test_clusters_are_described_once_for_all_who_ask(client, counted):
    described = counted(subclusters, "describe_clusters")
    answers = [client.get("/clusters").json() for _ in range(3)]
    client.get("/search/suggest", params={"text": "wh"})
    assert answers[0] == answers[1] == answers[2]
    assert len(described) == 1


def test_clusters_are_described_anew_when_one_has_another_name(client):
    number = client.get("/clusters").json()["clusters"][0]["number"]
    assert client.patch(f"/clusters/{number}", json={"name": "Zebras"}).status_code == 200
    assert client.get("/clusters").json()["clusters"][0]["name"] == "Zebras"
    assert client.get("/search/suggest", params={"text": "zeb"}).json()["suggestions"][0]["text"] == 'cluster:"Zebras"'


def test_columns_are_looked_through_for_dates_once(client, counted):
    read = counted(document_columns, "column")
    first = client.post("/selection", json={"selection": {"cluster": "0"}}).json()
    n_read = len(read)
    assert client.post("/selection", json={"selection": {"cluster": "0"}}).json() == first
    assert n_read > 0
    assert len(read) == n_read


def test_a_document_is_shown_without_the_labels_of_others(client, monkeypatch):
    id = client.get("/documents").json()["documents"][0]["id"]
    assert client.put("/labels", json={"labels": {id: "grain"}}).status_code == 200
    with client.app._server.states.reading() as state:
        state.labels  # what the server has read before  # noqa: B018
        monkeypatch.setattr(Labels, "get", lambda self: pytest.fail("all labels were read"))
        assert state.snapshot.show(id).label == "grain"


def test_terms_that_begin_so_are_those_of_the_vocabulary_most_frequent_first(reader):
    with reader.app._server.states.reading() as state:
        vocabulary = state.index_state.model.vocabulary
        counts = dict(zip(vocabulary.forms.tolist(), vocabulary.bm25.document_frequencies_.tolist(), strict=True))
        for begun in ("w", "co", vocabulary.forms[0], "zzz"):
            wanted = sorted((each for each in counts if each.startswith(begun)), key=lambda each: (-counts[each], each))
            assert [each["text"] for each in suggestions._terms(state, begun)] == wanted


def test_all_other_documents_are_those_outside_of_a_selection(reader):
    with reader.app._server.states.reading() as state:
        rows = np.arange(0, len(state), 3)
        found = terms_apart.contrast(state, rows)
        others = terms_apart.contrast(state, rows, np.setdiff1d(np.arange(len(state)), rows))
    np.testing.assert_array_equal(found.score, others.score)
    np.testing.assert_array_equal(found.other, others.other)


def test_blas_has_one_thread_while_requests_are_answered(reading_app, monkeypatch):
    seen = []
    monkeypatch.setattr(_running._StoppableServer, "run", lambda self, sockets: seen.extend(threadpool_info()))
    _running.run(reading_app, None, lambda: None)
    assert [each["num_threads"] for each in seen if each["user_api"] == "blas"]
    assert {each["num_threads"] for each in seen if each["user_api"] == "blas"} == {1}


def test_the_body_of_an_answer_does_not_wait_for_a_receipt_of_its_headers():
    async def option():
        accepted = asyncio.get_running_loop().create_future()
        listening = _running.bound_socket("127.0.0.1", 0)
        server = await asyncio.start_server(lambda _, writer: accepted.set_result(writer), sock=listening)
        _, mine = await asyncio.open_connection(*listening.getsockname())
        theirs = await accepted
        found = theirs.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        for each in (mine, theirs, server):
            each.close()
        return found

    assert asyncio.run(option()) != 0
