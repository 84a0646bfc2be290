from __future__ import annotations

import pytest
from hypothesis import settings

from corpora import place

# The same examples on every run: a red test must stay red until it is mended.
settings.register_profile("same examples", derandomize=True, deadline=None)
settings.load_profile("same examples")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked ``corpus`` where no folder of corpora exists; a corpus missing from one is a failure."""
    if item.get_closest_marker("corpus") and not any(folder.is_dir() for folder in place.places()):
        pytest.skip(f"the real corpora are not here: {place.explain()}")
