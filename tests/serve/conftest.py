"""A small index that is served: one for all tests that only read, and a copy of its own for each test that writes."""

from __future__ import annotations

import shutil

import pytest
from starlette.testclient import TestClient

from tests.index.small import made
from vicinal.serve import RequestLimits, create_app

#: No answer is given up, however busy the machine is: the first of some kinds compiles what it needs.
PATIENT = RequestLimits(seconds=600)


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    return made(tmp_path_factory.mktemp("serve") / "small.vic")


@pytest.fixture
def path(made_once, tmp_path):
    return shutil.copy(made_once, tmp_path / "news.vic")


@pytest.fixture(scope="session")
def reading_app(made_once):
    app = create_app(made_once, page=False, limits=PATIENT)
    yield app
    app.close()


@pytest.fixture
def app(path):
    app = create_app(path, page=False, limits=PATIENT)
    yield app
    app.close()


def client_of(app, **more):
    return TestClient(
        app, f"{app.origin}/api/v1", headers={"Authorization": f"Bearer {app.token}"}, raise_server_exceptions=False, **more
    )


@pytest.fixture(scope="session")
def reader(reading_app):
    """Asks an index that no test changes."""
    return client_of(reading_app)


@pytest.fixture
def client(app):
    """Asks an index that this test may change."""
    return client_of(app)
