"""Stages of a fit that are kept in a folder when they are finished, so that a rerun goes on from them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, final
from zipfile import BadZipFile

import numpy as np

from vicinal._whole_file import written_whole

#: The arrays that a stage results in, by name.
Arrays: TypeAlias = dict[str, np.ndarray[Any, np.dtype[Any]]]


@final
@dataclass(frozen=True)
class Stages:
    """The stages of one fit: a file each, named by what was done and by a digest of all that it depends on.

    Attributes
    ----------
    folder : Path or None
        Where the files are; with None nothing is kept.
    key : str
        Stands for the documents.
    """

    folder: Path | None
    key: str = ""

    def file(self, name: str, *depends_on: object) -> Path | None:
        """The file of a stage, whether it is there or not."""
        if self.folder is None:
            return None
        return self.folder / f"{name}-{digest(self.key, *depends_on)[:16]}.npz"

    def read(self, file: Path | None) -> Arrays | None:
        """The arrays of a stage that was finished before; None where it was not, or where its file cannot be read."""
        if file is None or not file.is_file():
            return None
        try:
            with np.load(file, allow_pickle=False) as kept:
                return {name: kept[name] for name in kept.files}
        except (OSError, ValueError, EOFError, KeyError, BadZipFile):  # of another program, or cut short by another file system
            return None

    def write(self, file: Path | None, arrays: Arrays) -> None:
        """Keep the arrays of a stage: whole, or not at all."""
        if file is None:
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(file) as unfinished, unfinished.open("wb") as out:
            np.savez(out, **arrays)  # type: ignore[arg-type]

    def once(self, name: str, depends_on: tuple[object, ...], compute: Callable[[], Arrays]) -> Arrays:
        """The arrays of a stage, as they were kept, or computed and kept."""
        file = self.file(name, *depends_on)
        kept = self.read(file)
        if kept is None:
            kept = compute()
            self.write(file, kept)
        return kept


def digest(*parts: object) -> str:
    """A text that stands for values: other values have another one. Arrays count by their bytes, other values by their repr."""
    found = hashlib.blake2b(digest_size=16)
    for part in parts:
        found.update(np.ascontiguousarray(part).data if isinstance(part, np.ndarray) else repr(part).encode())
        found.update(b"\0")
    return found.hexdigest()
