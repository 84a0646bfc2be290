from __future__ import annotations

import io

import pytest
from rich.console import Console

from vicinal.cli._demo.demo_documents import read_documents
from vicinal.cli._demo.findings import DemoOptions
from vicinal.cli._demo.run import demonstrate
from vicinal.cli._terminal.progress_display import ProgressDisplay


@pytest.fixture(scope="session")
def quiet():
    """A display that is shown nowhere."""
    return lambda: ProgressDisplay(Console(file=io.StringIO(), markup=False))


@pytest.fixture(scope="session")
def documents(quiet):
    """Real documents, the first of each package."""
    with quiet() as display:
        return read_documents(300, display)


@pytest.fixture(scope="session")
def run(quiet):
    """The demonstration on given documents."""

    def demonstration(documents, queries=("sum of the elements along an axis",), **options):
        with quiet() as display:
            return demonstrate(documents, queries, DemoOptions(**{"clusters": 6, **options}), display)

    return demonstration


@pytest.fixture(scope="session")
def findings(run, documents):
    return run(documents)


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """No notice that a command is slow, however busy the machine is; tests of the notice set their own time."""
    monkeypatch.setattr("vicinal.cli._terminal.progress_display.notice_if_slow.__wrapped__.__defaults__", (600.0,))
