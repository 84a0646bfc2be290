"""Bad input: each is refused with its status, as a problem that says what is wrong and what to do."""

from __future__ import annotations

import base64
import inspect

import pytest

import vicinal
from tests.serve.conftest import client_of
from vicinal import errors
from vicinal.serve import create_app
from vicinal.serve._problems import _OF_ERRORS, KINDS, of_error

LONG = "a" * 10_001
REFUSED_GETS = [
    ("/documents", {"rows": "1-5"}, 400, "bad-parameter"),
    ("/documents", {"rows": "0:2000000"}, None, None),
    ("/documents", {"rows": "30"}, 400, "bad-parameter"),
    ("/documents", {"rows": ",".join(["1"] * 1001)}, 400, "bad-parameter"),
    ("/documents", {"rows": "1", "state": "1-1"}, 409, "changed"),
    ("/documents", {"id": "nobody"}, 400, "bad-parameter"),
    ("/documents", {"where": "year=1990 AND"}, 400, "bad-query"),
    ("/documents", {"cursor": "!"}, 400, "bad-parameter"),
    ("/documents", {"cursor": base64.urlsafe_b64encode(b"1-1:5").decode()}, 410, "cursor-expired"),
    ("/documents", {"limit": 1001}, 422, "bad-parameter"),
    ("/documents", {"limit": "many"}, 422, "bad-parameter"),
    ("/document", {}, 422, "bad-parameter"),
    ("/document", {"id": "nobody"}, 400, "bad-parameter"),
    ("/search", {}, 400, "bad-parameter"),
    ("/search", {"query": "(bread AND"}, 400, "bad-query"),
    ("/search", {"query": LONG}, 413, "too-large"),
    ("/search", {"query": "bread", "where": LONG}, 413, "too-large"),
    ("/search", {"query": "bread", "limit": 1001}, 422, "bad-parameter"),
    ("/search", {"query": "bread", "by": "magic"}, 422, "bad-parameter"),
    ("/search", {"query": "bread", "facet": "nothing"}, 400, "bad-parameter"),
    ("/search/rows", {"query": "bread", "limit": 100_001}, 422, "bad-parameter"),
    ("/near", {"id": "nobody"}, 400, "bad-parameter"),
    ("/explain", {"id": "cars-1", "component": 1}, 400, "bad-parameter"),
    ("/clusters", {"of": "77"}, 400, "bad-parameter"),
    ("/clusters", {"n_clusters": 2, "level": "fine"}, 400, "bad-parameter"),
    ("/clusters", {"level": "medium-rare"}, 422, "bad-parameter"),
    ("/clusters/members", {"cluster": "zzzzz"}, 400, "bad-parameter"),
    ("/columns/values", {"name": "nothing"}, 404, "not-found"),
    ("/columns/numbers", {"name": "subject"}, 400, "bad-parameter"),
    ("/columns/timeline", {"name": "subject"}, 400, "bad-parameter"),
    ("/duplicates", {"threshold": 0}, 422, "bad-parameter"),
    ("/export", {"what": "embeddings", "format": "csv"}, 400, "bad-parameter"),
    ("/jobs/nothing", {}, 404, "not-found"),
    ("/nothing", {}, 404, "not-found"),
]
REFUSED_POSTS = [
    ("POST", "/selection", {"selection": {}}, 422, "bad-parameter"),
    ("POST", "/selection", {"selection": {"ids": ["cars-1"], "label": "cars"}}, 422, "bad-parameter"),
    ("POST", "/selection", {"selection": {"ids": ["nobody"]}}, 400, "bad-parameter"),
    ("POST", "/selection", {"selection": {"rows": [30]}}, 400, "bad-parameter"),
    ("POST", "/selection", {"selection": {"rows": [1], "state": '"9-9"'}}, 409, "changed"),
    ("POST", "/selection", {"selection": {"rows": [-1]}}, 422, "bad-parameter"),
    ("POST", "/selection", {"selection": {"query": LONG}}, 413, "too-large"),
    ("POST", "/selection", {"selection": {"label": "cars"}, "unknown": 1}, 422, "bad-parameter"),
    ("POST", "/search", {"queries": ["a"] * 51}, 422, "bad-parameter"),
    ("POST", "/search", {"queries": []}, 422, "bad-parameter"),
    ("POST", "/jobs/fit", {"n_clusters": "some"}, 422, "bad-parameter"),
    ("POST", "/jobs/sync", {"source": "/etc"}, 400, "bad-parameter"),
    ("PATCH", "/clusters/77", {"name": "x"}, 400, "bad-parameter"),
    ("PATCH", "/clusters/0", {"name": "two\nlines"}, 400, "bad-parameter"),
    ("PATCH", "/clusters/x", {"name": "x"}, 422, "bad-parameter"),
    ("POST", "/clusters/merge", {"clusters": [1]}, 422, "bad-parameter"),
    ("POST", "/clusters/merge", {"clusters": [1, 1]}, 400, "bad-parameter"),
    ("POST", "/clusters/0/move", {"selection": {"ids": []}}, 400, "bad-parameter"),
    ("DELETE", "/clusters/0/pin", None, 400, "bad-parameter"),
    ("DELETE", "/constraints/7", None, 400, "bad-parameter"),
    ("POST", "/steer", {"steps": [{"do": "pin"}]}, 400, "bad-parameter"),
    ("POST", "/steer", {"steps": [{"do": "dance"}]}, 422, "bad-parameter"),
    ("PUT", "/labels", {"learn": True}, 422, "bad-parameter"),
    ("PUT", "/labels", {"labels": {"nobody": "x"}}, 400, "bad-parameter"),
    ("PUT", "/labels", {"column": "nothing"}, 400, "bad-labels"),
    ("POST", "/labels/accept", {"least": 2}, 422, "bad-parameter"),
    ("PUT", "/info", {}, 405, "method-not-allowed"),
    ("DELETE", "/jobs/nothing", None, 404, "not-found"),
]


def problem(answer, status, kind):
    assert (answer.status_code, answer.json().get("kind")) == (status, kind)
    assert answer.headers["content-type"] == "application/problem+json"
    facts = answer.json()
    assert facts["type"] == f"urn:vicinal:problem:{kind}"
    assert facts["status"] == status
    assert facts["title"]
    assert len(facts["detail"]) > 10
    return facts


@pytest.mark.parametrize(("path", "params", "status", "kind"), REFUSED_GETS)
def test_what_cannot_be_read_is_refused(reader, path, params, status, kind):
    answer = reader.get(path, params=params)
    if status is None:
        assert answer.status_code == 200
    else:
        problem(answer, status, kind)


@pytest.mark.parametrize(("method", "at", "body", "status", "kind"), REFUSED_POSTS)
def test_what_cannot_be_done_is_refused_and_changes_nothing(client, method, at, body, status, kind):
    before = client.get("/info").headers["etag"]
    problem(client.request(method, at, json=body), status, kind)
    assert client.get("/info").headers["etag"] == before


def test_a_query_that_cannot_be_read_says_where(reader):
    facts = reader.get("/search", params={"query": "bread AND"}).json()
    assert 0 < facts["position"] <= 9
    assert "character" in facts["detail"]


def test_parameters_of_another_type_are_all_named(reader):
    facts = reader.get("/search", params={"query": "x", "limit": 0, "plain": "perhaps"}).json()
    assert [each["where"] for each in facts["errors"]] == ["query.limit", "query.plain"]


def test_a_body_that_is_no_json_is_said_to_be_none(reader):
    answer = reader.post("/selection", content=b"{", headers={"Content-Type": "application/json"})
    problem(answer, 400, "bad-request")
    problem(reader.post("/selection", content=b"<a/>", headers={"Content-Type": "text/xml"}), 415, "unsupported-media-type")
    problem(reader.post("/documents", content=b"x", headers={"Content-Type": "multipart/form-data"}), 400, "bad-request")


WRITES = [
    ("PATCH", "/clusters/0", {"name": "x"}),
    ("POST", "/clusters/merge", {"clusters": [0, 1]}),
    ("POST", "/clusters/new", {"selection": {"ids": ["cars-1"]}}),
    ("POST", "/clusters/0/split", {}),
    ("POST", "/clusters/0/move", {"selection": {"ids": ["garden-1"]}}),
    ("POST", "/clusters/0/pin", None),
    ("DELETE", "/clusters/0/pin", None),
    ("DELETE", "/constraints/1", None),
    ("POST", "/steer", {"steps": [{"do": "pin", "cluster": 0}]}),
    ("PUT", "/labels", {"labels": {"cars-1": "x"}}),
    ("POST", "/labels/learn", None),
    ("POST", "/labels/accept", {"least": 0.5}),
    ("DELETE", "/documents", {"selection": {"ids": ["cars-1"]}}),
    ("POST", "/jobs/fit", {}),
    ("POST", "/jobs/sync", {"source": "x"}),
    ("DELETE", "/jobs/x", None),
]


def test_a_server_that_is_read_only_changes_nothing(path):
    app = create_app(path, page=False, read_only=True)
    client = client_of(app)
    before = client.get("/info")
    assert before.json()["read_only"] is True
    for method, at, body in WRITES:
        problem(client.request(method, at, json=body), 403, "read-only")
    for at in ("/documents", "/documents/update"):
        problem(client.post(at, files={"files": ("a.txt", b"wheat")}), 403, "read-only")
    after = client.get("/info")
    assert (after.headers["etag"], after.json()["documents"]) == (before.headers["etag"], 30)
    app.close()


def test_every_route_that_writes_is_refused_by_a_read_only_server(app):
    """The list above is complete: whatever is no GET and not in it only reads."""
    only_read = {"/needs-fit", "/check", "/search", "/like", "/selection", "/selection/rows", "/contrast", "/classify", "/export"}
    sessions = {"/session", "/session/links"}
    known = {(method.lower(), path) for method, path, _ in WRITES} | {("post", "/documents"), ("post", "/documents/update")}
    known = {
        (method, path.replace("/0", "/{cluster}").replace("/constraints/1", "/constraints/{constraint}")) for method, path in known
    }
    known = {(method, path.replace("/jobs/x", "/jobs/{id}")) for method, path in known}
    every = {
        (m, path.removeprefix("/api/v1")) for path, methods in app.api.openapi()["paths"].items() for m in methods if m != "get"
    }
    assert {(method, path) for method, path in every if path not in only_read | sessions} == known


def test_a_failure_inside_tells_nothing_of_the_inside(reading_app, reader, monkeypatch, caplog):
    def fail(*_):
        raise RuntimeError("a secret of the inside")

    monkeypatch.setattr("vicinal.serve._routes.index_routes._info", fail)
    facts = problem(reader.get("/info"), 500, "internal")
    assert "secret" not in str(facts)
    assert "a secret of the inside" in caplog.text


def test_no_error_tells_where_the_index_lies_on_this_machine(tmp_path):
    with vicinal.open(tmp_path / "new.vic", create=True) as index:
        index.add([vicinal.Document("a", "wheat exports fell")])
    app = create_app(tmp_path / "new.vic", page=False)
    refused = client_of(app).get("/labels/ask")
    app.close()
    assert refused.status_code == 409
    assert refused.json()["detail"].startswith("new.vic is not fitted")
    assert str(tmp_path) not in refused.text


ERRORS = [each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, errors.VicinalError)]


@pytest.mark.parametrize("error", [each for each in ERRORS if each is not errors.VicinalError])
def test_every_error_has_a_status_that_was_decided(error):
    """None is left to the last row of the table, which is for errors without a class of their own."""
    assert any(issubclass(error, each) for each, _ in _OF_ERRORS if each is not errors.VicinalError)


def test_no_row_of_the_table_is_hidden_by_one_before_it():
    hidden = [each for i, (each, _) in enumerate(_OF_ERRORS) if any(issubclass(each, other) for other, _ in _OF_ERRORS[:i])]
    assert hidden == []
    assert {kind for _, kind in _OF_ERRORS} <= set(KINDS)


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [(errors.EngineFailed, 503, "engine-failed"), (errors.NoVariation, 409, "cannot-fit"), (errors.VicinalError, 409, "conflict")],
)
def test_what_is_no_fault_of_the_documents_is_not_said_of_them(error, status, kind):
    problem = of_error(error("It is so. Do this."))
    assert (problem.status, problem.kind) == (status, kind)
