"""The files and folders that documents of an index were read from, and how."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from vicinal._store import Origins, Store
from vicinal._store.provenance import named_root


def read_sources(store: Store) -> list[str]:
    """Absolute paths, in the order in which they were first read; streams have none."""
    return [root.path for root in Origins(store).roots() if root.beside]


def reading_options(store: Store, source: str | os.PathLike[str]) -> dict[str, Any] | None:
    """The columns, the encoding and the parts that a source, or a folder around it, was read with last; None where it is new."""
    known = {root.path: root.options for root in Origins(store).roots()}
    path = named_root(source, is_folder=os.path.isdir(source))
    return next((dict(known[each]) for each in (path, *map(str, Path(path).parents)) if each in known), None)


def recorded_options(store: Store, sources: Iterable[str | os.PathLike[str]]) -> dict[str, Any]:
    """The options that the first known of these sources was read with last; none where all are new."""
    found = (reading_options(store, source) for source in sources)
    return next((options for options in found if options is not None), {})
