"""Warnings of the library become notes: said at the end, where they are read, and not in between."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from vicinal.errors import VicinalWarning


@contextmanager
def noting(notes: list[str]) -> Iterator[None]:
    """Add to ``notes`` what is warned of inside the block, each thing once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", VicinalWarning)
        yield
    notes.extend(dict.fromkeys(str(warning.message) for warning in caught))
