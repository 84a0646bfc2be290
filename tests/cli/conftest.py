from __future__ import annotations

import io

import pytest
from rich.console import Console

from vicinal.cli._demo.demo_documents import read
from vicinal.cli._demo.findings import Settings
from vicinal.cli._demo.run import demonstrate
from vicinal.cli._terminal.progress_display import Stages


@pytest.fixture(scope="session")
def quiet():
    """Stages that are shown nowhere."""
    return lambda: Stages(Console(file=io.StringIO(), markup=False))


@pytest.fixture(scope="session")
def documents(quiet):
    """Real documents, the first of each package."""
    with quiet() as stages:
        return read(300, stages)


@pytest.fixture(scope="session")
def run(quiet):
    """The demonstration on given documents."""

    def demonstration(documents, questions=("sum of the elements along an axis",), **options):
        with quiet() as stages:
            return demonstrate(documents, questions, Settings(**{"clusters": 6, **options}), stages)

    return demonstration


@pytest.fixture(scope="session")
def facts(run, documents):
    return run(documents)
