"""How many documents went by, and how fast: said while it goes on."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vicinal.cli.stages import Running
    from vicinal.corpus.document import Document

#: Seconds between two sayings, on a terminal and elsewhere, where each is a line that stays.
ON_TERMINAL, IN_FILE = 0.1, 10.0


class Rate:
    """Counts documents on their way into an index.

    Parameters
    ----------
    stage : Running
    name : str
        What is being done.
    """

    def __init__(self, stage: Running, name: str) -> None:
        self._stage, self._name = stage, name
        self._screen = stage.progress.console
        self._pause = ON_TERMINAL if self._screen.is_terminal else IN_FILE
        self._start = self._said = time.perf_counter()
        self.done = self.kept = 0

    def through(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Give the documents on, and say from time to time how many there were."""
        for document in documents:
            self.done += 1
            now = time.perf_counter()
            if now - self._said >= self._pause:
                self._said = now
                self._say()
            yield document

    def keep(self, kept: int) -> None:
        """Take note of how many are safely in the file."""
        self.kept = kept

    def sentence(self) -> str:
        """How many there were, and how fast they came."""
        seconds = max(time.perf_counter() - self._start, 1e-9)
        return f"{self.done:,} documents, {self.done / seconds:,.0f} a second"

    def _say(self) -> None:
        if self._screen.is_terminal:
            self._stage.progress.update(self._stage.task, description=f"{self._name}: {self.sentence()}")
        else:
            self._screen.print(f"{self._name}: {self.sentence()}, {self.kept:,} in the file", soft_wrap=True)
