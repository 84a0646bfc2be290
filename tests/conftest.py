from __future__ import annotations

import pytest

from corpora import place


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked ``corpus`` where no folder of corpora exists; a corpus missing from one is a failure."""
    if item.get_closest_marker("corpus") and not any(folder.is_dir() for folder in place.places()):
        pytest.skip(f"the real corpora are not here: {place.explain()}")
