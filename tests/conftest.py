from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from corpora import place

PROJECT = Path(__file__).parents[1]

# The same examples on every run: a red test must stay red until it is mended.
settings.register_profile("same examples", derandomize=True, deadline=None)
settings.load_profile("same examples")


@pytest.fixture(autouse=True)
def sound_when_it_is_over(request, monkeypatch):
    """Check every index that a test has written, when the test is over, unless it is marked as one that damages files."""
    from vicinal._store import check, store

    written = set()
    note = store.note_commits

    def noted(path, commits):
        written.add(path)
        note(path, commits)

    monkeypatch.setattr(store, "note_commits", noted)
    yield
    if request.node.get_closest_marker("damages") is None:
        assert {path: found for path in written if path.exists() and (found := check(path, 1))} == {}


@pytest.fixture(scope="session", name="in_project")
def project_as_it_was():
    """What the project's folder held when the session began."""
    return visible(PROJECT)


@pytest.fixture(autouse=True)
def project_left_clean(in_project):
    """No test leaves a file in the project's folder: with several workers, it is this test or one that ran beside it."""
    yield
    left = visible(PROJECT) - in_project
    in_project |= left  # said once
    assert left == set(), "left in the project's folder"


def visible(folder):
    """The names in a folder, but for caches and other hidden files."""
    return {name for name in os.listdir(folder) if not name.startswith((".", "__"))}


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked ``corpus`` where no folder of corpora exists; a corpus missing from one is a failure."""
    if item.get_closest_marker("corpus") and not any(folder.is_dir() for folder in place.places()):
        pytest.skip(f"the real corpora are not here: {place.explain()}")
