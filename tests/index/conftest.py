"""A small corpus on three subjects that share some words, so that its graph is one piece."""

from __future__ import annotations

import pytest

import vicinal
from tests.index.small import documents


@pytest.fixture(scope="session", name="documents")
def three_subjects():
    return documents(range(20))


@pytest.fixture(scope="session", name="file")
def fitted_file(tmp_path_factory, documents):
    path = tmp_path_factory.mktemp("index") / "three.vic"
    with vicinal.open(path, create=True) as index:
        index.add(documents)
        index.fit(n_clusters=3, n_components=5, n_neighbors=5)
    return path


@pytest.fixture(name="index")
def opened(file, tmp_path):
    """A copy of its own for each test."""
    copy = tmp_path / "copy.vic"
    copy.write_bytes(file.read_bytes())
    with vicinal.open(copy) as index:
        yield index
