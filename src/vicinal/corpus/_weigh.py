"""How much there is to read, and how much of it was read: in bytes, so that a long reading can say when it will be done."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

from vicinal.corpus._files import walk


class Scales:
    """Bytes of sources that are paths; of a stream nobody knows its length.

    Parameters
    ----------
    sources : sequence of path or stream
    """

    def __init__(self, sources: Sequence[Path | BinaryIO]) -> None:
        self._sources = sources
        self._total: int | None = None
        self._done = 0
        self._at_hand: BinaryIO | None = None

    def begin(self, stream: BinaryIO) -> None:
        """A file is being read."""
        self._at_hand = stream

    def end(self, stream: BinaryIO) -> None:
        """It was read."""
        self._done += os.fstat(stream.fileno()).st_size
        self._at_hand = None

    def share(self) -> float | None:
        """What part of all bytes was read, from 0 to 1; None where streams are read, or there are no bytes."""
        if self._total is None:
            self._total = self._weigh()
        if not self._total:
            return None
        now = 0 if self._at_hand is None or self._at_hand.closed else self._at_hand.tell()
        return min((self._done + now) / self._total, 1.0)

    def _weigh(self) -> int:
        paths = [source for source in self._sources if isinstance(source, Path)]
        if len(paths) < len(self._sources):
            return 0
        return sum(_size(found.path) for path in paths for found in walk(path, lambda *_: None))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
