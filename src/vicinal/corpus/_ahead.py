"""The files that come next: processes that extract their texts are started ahead, and the files are given in their order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vicinal.corpus._files import Found, walk
from vicinal.corpus._formats.extraction import Extraction, started_ahead
from vicinal.corpus._read_options import Limits
from vicinal.corpus._read_report import Skipped


@dataclass
class Next:
    """A file whose turn comes, with the process that was started on it; or what is skipped in its place."""

    file: Found | Skipped
    extraction: Extraction | None = None


class Ahead:
    """The files of a source in their order, while processes extract the text of the next ones.

    Parameters
    ----------
    limits : Limits
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._processes = min(limits.extract_processes, os.cpu_count() or 1)
        self._waiting: deque[Next] = deque()

    def files(self, source: Path) -> Iterator[Next]:
        """Yield the files of a folder, or the file; what cannot be walked into is yielded in its place."""
        found = iter(walk(source, lambda path, reason: self._waiting.append(Next(Skipped(path, reason)))))
        more = True
        while more or self._waiting:
            while more and sum(isinstance(each.file, Found) for each in self._waiting) <= 2 * self._processes:
                file = next(found, None)
                more = file is not None
                if file is not None:
                    self._waiting.append(Next(file))
            if self._waiting:
                current = self._waiting.popleft()
                self._start(current)
                yield current
                _end(current)

    def _start(self, current: Next) -> None:
        """Start processes on the files that come next, unless enough are at work; on one alone there is nothing to gain."""
        if self._processes < 2:
            return
        files = (current, *self._waiting)
        running = sum(each.extraction is not None and each.extraction.is_running for each in files)
        for each in files:
            if running >= self._processes:
                break
            if each.extraction is None and isinstance(each.file, Found):
                each.extraction = started_ahead(each.file, self._limits)
                running += each.extraction is not None

    def end(self) -> None:
        """End all processes."""
        for each in self._waiting:
            _end(each)
        self._waiting.clear()


def _end(each: Next) -> None:
    if each.extraction is not None:
        each.extraction.end()
