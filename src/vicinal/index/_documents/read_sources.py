"""The files and folders that documents of an index were read from, and how."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from vicinal._store import Origins, Store
from vicinal._store.provenance import named_root
from vicinal.corpus._options_by_file import Recorded


def read_sources(store: Store) -> list[str]:
    """Absolute paths, in the order in which they were first read; streams have none."""
    return [root.path for root in Origins(store).roots() if root.beside]


def reading_options(store: Store, source: str | os.PathLike[str]) -> dict[str, Any] | None:
    """The columns, the encoding and the parts that a source, or a folder around it, was read with last; None where it is new."""
    known = {root.path: root.options for root in Origins(store).roots()}
    path = named_root(source, is_folder=os.path.isdir(source))
    return next((dict(known[each]) for each in (path, *map(str, Path(path).parents)) if each in known), None)


def recorded_options(store: Store) -> Recorded:
    """The options that each file or folder was read with last, by absolute path."""
    return {root.path: root.options for root in Origins(store).roots() if root.beside}
