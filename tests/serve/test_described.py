"""The description of the API and what it does agree: schemathesis makes requests from the one and compares the answers."""

from __future__ import annotations

import shutil

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from vicinal.serve import create_app

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
#: Streams never end by themselves, and a job is a process of its own: these have tests elsewhere.
LEFT_OUT = ("/events", "/jobs/fit", "/jobs/sync", "/documents/update", "/session")
UPLOAD = ("POST", "/api/v1/documents")
TAGS = ("index", "documents", "search", "clusters", "selections and columns", "labels", "jobs", "files", "session")


@pytest.fixture(scope="module")
def served(tmp_path_factory, made_once):
    path = shutil.copy(made_once, tmp_path_factory.mktemp("described") / "small.vic")
    app = create_app(path, port=80, allow_hosts=["testserver"], page=False)
    yield app
    app.close()


@pytest.fixture(scope="module")
def operations(served):
    headers = {"Authorization": f"Bearer {served.token}", "Host": "testserver"}
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", served, headers=headers)
    return [each.ok() for each in schema.get_all_operations()]


def made_requests(operation, headers):
    """Ask what the description allows, and what it does not, a few times."""

    @given(case=operation.as_strategy())
    @settings(max_examples=4, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    def ask(case):
        case.call_and_validate(headers=headers, checks=CHECKS)

    ask()


@pytest.mark.parametrize("tag", TAGS)
def test_answers_are_as_they_are_described(operations, served, tag):
    """No answer is of a status, a kind or a shape that is not described, and none is a failure of the server."""
    headers = {"Authorization": f"Bearer {served.token}", "Host": "testserver"}
    mine = [each for each in operations if tag in each.definition.raw["tags"] and not each.path.endswith(LEFT_OUT)]
    mine = [each for each in mine if (each.method.upper(), each.path) != UPLOAD]
    assert mine
    for operation in mine:
        made_requests(operation, headers)


def test_every_route_has_a_tag_that_is_tried(operations):
    assert {tag for each in operations for tag in each.definition.raw["tags"]} == {*TAGS, "events"}
