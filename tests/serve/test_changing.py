"""Changes by people: clusters are steered, labels are given, documents are removed; every answer is of the state after it."""

from __future__ import annotations

import threading

import pytest

import vicinal
from tests.serve.conftest import client_of
from vicinal.index import Index
from vicinal.serve import create_app


def clusters(client):
    return {each["number"]: each for each in client.get("/clusters").json()["clusters"]}


def test_clusters_are_named_merged_split_pinned_and_all_is_undone(client):
    before = client.get("/info").headers["etag"]
    named = client.patch("/clusters/0", json={"name": "Motors"})
    assert named.headers["etag"] != before
    assert clusters(client)[0]["name"] == "Motors"
    client.patch("/clusters/0", json={"name": None})
    assert clusters(client)[0]["named"] is False
    merged = client.post("/clusters/merge", json={"clusters": [0, 1]}).json()
    assert (merged["kind"], merged["sentence"]) == ("merge", "constraint 1 (merge of clusters 0 and 1)")
    assert set(clusters(client)) == {0, 2}
    assert client.delete(f"/constraints/{merged['number']}").json()["kind"] == "merge"
    assert set(clusters(client)) == {0, 1, 2}
    split = client.post("/clusters/0/split", json={"n_clusters": 2}).json()
    assert len(split["clusters"]) == 2
    client.delete(f"/constraints/{split['number']}")
    assert client.post("/clusters/0/pin").json()["kind"] == "pin"
    assert clusters(client)[0]["pinned"] is True
    assert len(client.get("/constraints").json()["constraints"]) == 1
    assert client.delete("/clusters/0/pin").status_code == 200
    assert client.get("/constraints").json() == {"constraints": []}


def test_a_selection_is_moved_or_becomes_a_cluster_of_its_own(client):
    kitchen, garden = (client.get("/document", params={"id": id}).json()["cluster"] for id in ("kitchen-0", "garden-0"))
    moved = client.post(f"/clusters/{kitchen}/move", json={"selection": {"where": "subject=cars AND year=1990"}}).json()
    assert (moved["n_documents"], moved["clusters"]) == (1, [kitchen])
    new = client.post("/clusters/new", json={"selection": {"where": "subject=garden AND year<1994"}, "name": "Old gardens"}).json()
    [number] = new["clusters"]
    made = clusters(client)[number]
    assert (made["name"], made["size"]) == ("Old gardens", 4)
    client.delete(f"/constraints/{new['number']}")
    assert number not in clusters(client)
    assert clusters(client)[garden]["size"] == 10


def test_a_new_cluster_is_kept_by_the_next_fit(path):
    with vicinal.open(path) as index:
        made = index.move_documents(["garden-0", "garden-1", "garden-2", "garden-3"], None)
        [number] = made.clusters
        index.fit()
        held = {hit.id for hit in index.members(number, 30)}
        assert {"garden-0", "garden-1", "garden-2", "garden-3"} <= held
        assert len(index.clusters()) == 4


def test_several_changes_are_made_together_or_not_at_all(client):
    before = client.get("/info").headers["etag"]
    steps = [{"do": "name", "cluster": 0, "name": "Motors"}, {"do": "pin", "cluster": 0}, {"do": "undo", "constraint": 9}]
    assert client.post("/steer", json={"steps": steps}).status_code == 400
    assert client.get("/info").headers["etag"] == before
    assert clusters(client)[0]["named"] is False
    done = client.post(
        "/steer", json={"steps": [*steps[:2], {"do": "move", "ids": ["cars-1"], "cluster": 0}, {"do": "unpin", "cluster": 0}]}
    )
    assert [each and each["kind"] for each in done.json()["constraints"]] == [None, "pin", "move", "pin"]
    others = [{"do": "merge", "clusters": [1, 2]}, {"do": "undo", "constraint": 3}, {"do": "split", "cluster": 2, "n_clusters": 2}]
    assert client.post("/steer", json={"steps": others}).status_code == 200


def test_labels_are_given_taken_away_and_learnt_from(client):
    given = client.put("/labels", json={"labels": {"cars-9": "cars", "cars-8": "cars"}}).json()
    assert (given["n_labelled"], given["n_learnt"]) == (26, 26)
    taken = client.put("/labels", json={"labels": {"cars-9": None}}).json()
    assert taken["n_labelled"] == 25
    kept = client.put("/labels", json={"selection": {"where": "year=1999"}, "label": "late", "learn": False}).json()
    assert (kept["n_labelled"], kept["n_learnt"]) == (28, 25)
    learnt = client.post("/labels/learn").json()
    assert (learnt["n_learnt"], learnt["classes"]) == (28, ["cars", "garden", "kitchen", "late"])
    from_column = client.put("/labels", json={"column": "subject"}).json()
    assert from_column["labels"] == [["cars", 10], ["garden", 10], ["kitchen", 10]]
    assert client.get("/labels/rest").json()["predictions"] == []
    assert client.get("/labels/uncertain").json()["predictions"] == []


def test_certain_classes_become_labels(client):
    least = client.get("/labels/rest").json()["predictions"][2]["probability"]
    accepted = client.post("/labels/accept", json={"least": least}).json()
    assert (accepted["accepted"], accepted["n_labelled"]) == (3, 27)
    assert client.post("/labels/accept", json={"least": 1.0}).json()["accepted"] == 0


def test_without_labels_there_are_no_classes_and_the_last_label_can_be_taken_away(client):
    every = client.put("/labels", json={"selection": {"where": "year>0"}, "label": None}).json()
    assert (every["labels"], every["n_labelled"]) == ([], 0)
    client.put("/labels", json={"labels": {"cars-1": "cars"}})
    for answer in (client.get("/labels/rest"), client.post("/classify", json={"texts": ["bread"]})):
        assert (answer.status_code, answer.json()["kind"]) == (409, "no-classes")
    assert client.get("/labels/curve").json() == {"points": []}
    assert client.get("/labels").json()["learnt"] is False


def test_documents_are_removed_and_rows_shift(client):
    state = client.get("/info").headers["etag"].strip('"')
    assert client.request("DELETE", "/documents", json={"selection": {"rows": [0], "state": state}}).json() == {"removed": 1}
    assert client.get("/documents", params={"rows": "0"}).json()["documents"][0]["id"] == "garden-0"
    again = client.request("DELETE", "/documents", json={"selection": {"rows": [0], "state": state}})
    assert (again.status_code, again.json()["kind"]) == (409, "changed")


def test_a_cursor_does_not_mix_two_states(client):
    cursor = client.get("/documents", params={"limit": 5}).json()["next"]
    client.patch("/clusters/0", json={"name": "Motors"})
    answer = client.get("/documents", params={"limit": 5, "cursor": cursor})
    assert (answer.status_code, answer.json()["kind"]) == (410, "cursor-expired")


def test_readers_see_whole_states_while_somebody_writes(path):
    """Every answer of four readers is one of the states that the writer made: all labels old, or all new."""
    app = create_app(path, page=False)
    seen, failed, stop = set(), [], threading.Event()

    def read():
        client = client_of(app)
        while not stop.is_set():
            answer = client.get("/labels")
            if answer.status_code != 200:
                failed.append(answer.text)
            seen.add(tuple(label for label, _ in answer.json()["labels"]))

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    writer, states = client_of(app), {("cars", "garden", "kitchen")}
    for turn in range(5):
        done = writer.put("/labels", json={"selection": {"where": "year>0"}, "label": f"turn {turn}", "learn": False})
        assert done.status_code == 200
        states.add((f"turn {turn}",))
    stop.set()
    for reader in readers:
        reader.join()
    app.close()
    assert failed == []
    assert seen <= states
    assert len(seen) > 1


def test_several_browsers_write_one_after_the_other(app, client):
    def write(number):
        labels = {f"cars-{number}": f"mine {number}"}
        answers.append(client_of(app).put("/labels", json={"labels": labels, "learn": False}).status_code)

    answers = []
    writers = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert answers == [200] * 6
    assert sum(label.startswith("mine") for label, _ in client.get("/labels").json()["labels"]) == 6


def test_another_process_that_writes_is_named(app, client):
    from vicinal._store import Store

    with Store.open(app._server.path) as store, store.writing():
        answer = client.patch("/clusters/0", json={"name": "Motors"})
    assert (answer.status_code, answer.json()["kind"]) == (409, "locked")


#: How each method of an index is reached; those that are no question to a server say why.
REACHED = {
    "add": "POST /documents",
    "ask": "GET /labels/ask",
    "by": "GET /columns/table",
    "check": "POST /check",
    "classify": "POST /classify",
    "clusters": "GET /clusters",
    "columns": "GET /columns",
    "constraints": "GET /constraints",
    "copy": "GET /copy",
    "duplicates": "GET /duplicates",
    "explain": "GET /explain",
    "export": "GET /export",
    "fit": "POST /jobs/fit",
    "info": "GET /info",
    "label": "PUT /labels",
    "labels": "GET /labels",
    "layout": "GET /points",
    "members": "GET /clusters/members",
    "merge_clusters": "POST /clusters/merge",
    "move_documents": "POST /clusters/{cluster}/move",
    "name_cluster": "PATCH /clusters/{cluster}",
    "near": "GET /near",
    "needs_fit": "POST /needs-fit",
    "over": "GET /columns/timeline",
    "pin_cluster": "POST /clusters/{cluster}/pin",
    "relocate": "POST /jobs/sync",
    "remove": "DELETE /documents",
    "search": "GET /search",
    "search_many": "POST /search",
    "show": "GET /document",
    "sources": "GET /sources",
    "split_cluster": "POST /clusters/{cluster}/split",
    "sync": "POST /jobs/sync",
    "table": "GET /documents",
    "transaction": "POST /steer",
    "tree": "GET /tree",
    "uncertain": "GET /uncertain",
    "undo": "DELETE /constraints/{constraint}",
    "unpin_cluster": "DELETE /clusters/{cluster}/pin",
    "update": "POST /documents/update",
}
OF_PROGRAMS = {
    "close": "the end of the server",
    "compact": "waits for all readers, and the server is one",
    "matching": "names as they are typed in a shell; the app has selections",
    "path": "a property",
    "reading_options": "a job that reads files uses them",
    "snapshot": "every answer is of one",
}


def test_every_method_of_an_index_is_reached(app):
    methods = {name for name in dir(Index) if not name.startswith("_")}
    assert methods == REACHED.keys() | OF_PROGRAMS.keys()
    described = app.api.openapi()["paths"]
    for reached in REACHED.values():
        method, path = reached.split()
        assert method.lower() in described[f"/api/v1{path}"], reached


def test_a_fit_takes_every_parameter_of_the_library():
    import inspect

    from vicinal.serve._routes.job_routes import FitBody

    of_the_process = {"self", "progress", "engine"}  # who asks a server does not choose where its work runs
    assert set(FitBody.model_fields) == set(inspect.signature(Index.fit).parameters) - of_the_process


@pytest.mark.parametrize("verb", ["get", "post", "put", "patch", "delete"])
def test_every_route_is_described_with_its_problems(app, verb):
    for path, methods in app.api.openapi()["paths"].items():
        if verb in methods:
            assert methods[verb]["summary"], path
            assert methods[verb]["description"].endswith((".", "`.")), path
            assert "application/problem+json" in methods[verb]["responses"]["4XX"]["content"], path
