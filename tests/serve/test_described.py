"""The description of the API and what it does agree: schemathesis makes requests from the one and compares the answers."""

from __future__ import annotations

import shutil

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from vicinal.serve import create_app

#: Streams never end by themselves, and a job is a process of its own: these have tests elsewhere.
LEFT_OUT = r"/(events|jobs/fit|jobs/sync|documents/update|session)$"
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def served(tmp_path_factory, made_once):
    path = shutil.copy(made_once, tmp_path_factory.mktemp("described") / "small.vic")
    app = create_app(path, port=80, allow_hosts=["testserver"], page=False)
    yield app
    app.close()


@pytest.fixture(scope="module")
def described(served):
    return schemathesis.openapi.from_asgi(
        "/api/v1/openapi.json", served, headers={"Authorization": f"Bearer {served.token}", "Host": "testserver"}
    )


schema = schemathesis.pytest.from_fixture("described")


@schema.exclude(path_regex=LEFT_OUT).exclude(method="POST", path="/api/v1/documents").parametrize()
@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_answers_are_as_they_are_described(case, served):
    """No answer is of a status, a kind or a shape that is not described, and none is a failure of the server."""
    case.call_and_validate(headers={"Authorization": f"Bearer {served.token}", "Host": "testserver"}, checks=CHECKS)
