"""How many documents went by, and how fast: said while it goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from vicinal.cli.numbers import lasting

if TYPE_CHECKING:
    from vicinal.cli.stages import Running
    from vicinal.corpus._document import Document

#: Seconds between two sayings, on a terminal and elsewhere, where each is a line that stays.
ON_TERMINAL, IN_FILE = 0.1, 10.0


class Rate:
    """Counts documents on their way into an index.

    Parameters
    ----------
    stage : Running
    name : str
        What is being done.
    share : callable
        What part of all there is was read, from 0 to 1; None where nobody knows.
    """

    def __init__(self, stage: Running, name: str, share: Callable[[], float | None] = lambda: None) -> None:
        self._stage, self._name, self._share = stage, name, share
        self._screen = stage.progress.console
        self._pause = ON_TERMINAL if self._screen.is_terminal else IN_FILE
        self._start = self._said = self._last = time.perf_counter()
        self.done = self.kept = 0

    def through(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Give the documents on, and say from time to time how many there were."""
        for document in documents:
            self.done += 1
            self._last = time.perf_counter()
            if self._last - self._said >= self._pause:
                self._say(f"{self._name}: {self.sentence()}{self._left()}", f", {self.kept:,} in the file")
            yield document

    def told(self, step: str, done: int, total: int) -> None:
        """Take note of how many are safely in the file; once all are, of how many of them have their place."""
        if step == "add":
            self.kept, self._last = done, time.perf_counter()
        else:
            self._stage.advance(done, total)
            if time.perf_counter() - self._said >= self._pause:
                self._say(f"{step}: {done:,} of {total:,} documents", "")

    def sentence(self) -> str:
        """How many there were, and how fast they came."""
        seconds = max(self._last - self._start, 1e-9)
        return f"{self.done:,} documents, {self.done / seconds:,.0f} a second"

    def _left(self) -> str:
        """How long the rest will take, if it goes on like this."""
        share, seconds = self._share(), self._last - self._start
        return f", about {lasting(seconds * (1 - share) / share)} left" if share else ""

    def _say(self, what: str, more: str) -> None:
        self._said = time.perf_counter()
        if self._screen.is_terminal:
            self._stage.progress.update(self._stage.task, description=what)
        else:
            self._screen.print(what + more, soft_wrap=True)
