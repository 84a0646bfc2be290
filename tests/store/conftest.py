from __future__ import annotations

import pytest

from tests.store.samples import made
from vicinal._store import Store, check


@pytest.fixture
def store(tmp_path):
    """A new index, which must be sound when the test is over."""
    with Store.open(tmp_path / "news.vic", create=True) as store:
        yield store
    assert check(tmp_path / "news.vic") == []


@pytest.fixture(scope="session")
def sound(tmp_path_factory):
    """The bytes of a sound index with something in every table."""
    return made(tmp_path_factory.mktemp("sound") / "sound.vic").read_bytes()
