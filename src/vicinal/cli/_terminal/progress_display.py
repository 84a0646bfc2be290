"""Progress on standard error: bars on a terminal, plain lines elsewhere; the time of each step is kept."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from vicinal.cli._terminal.exit_codes import line
from vicinal.cli._terminal.output import console
from vicinal.cli._terminal.text import lasting

if TYPE_CHECKING:
    from vicinal.corpus import Document

#: Seconds between two sayings, on a terminal and elsewhere, where each is a line that stays.
ON_TERMINAL, IN_FILE = 0.1, 10.0
#: Seconds after which one begins to wonder.
MOMENT = 2.0


@dataclass(frozen=True)
class Stage:
    """One finished stage: its name, its time and what came out of it."""

    name: str
    seconds: float
    outcome: str


@dataclass
class Running:
    """A stage that goes on: it can say how far it is, and in the end what came out."""

    progress: Progress
    task: TaskID
    outcome: str = ""

    def advance(self, done: int, total: int) -> None:
        """Say how much of the whole is done."""
        self.progress.update(self.task, completed=done, total=max(total, 1))


@dataclass
class Stages:
    """Measure stages and show them: bars on a terminal, which go away in the end, or one plain line for each elsewhere."""

    screen: Console = field(default_factory=lambda: console(stderr=True))
    done: list[Stage] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._progress = Progress(
            SpinnerColumn(finished_text="[green]✓[/]"),
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self.screen,
            transient=True,
            disable=not self.screen.is_terminal,
        )
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._progress.stop()

    @contextmanager
    def measure(self, name: str) -> Iterator[Running]:
        """Run one stage inside the block."""
        running = Running(self._progress, self._progress.add_task(name, total=None))
        start = time.perf_counter()
        yield running
        seconds = time.perf_counter() - start
        self._progress.update(running.task, total=1, completed=1)
        self.done.append(Stage(name, seconds, running.outcome))
        if not self.screen.is_terminal:
            what = f"{name}: {running.outcome}" if running.outcome else name
            self.screen.print(f"{what} ({seconds:.1f} s)", soft_wrap=True)

    @contextmanager
    def steps(self) -> Iterator[Callable[[str, int, int], None]]:
        """Give the block a function to be told by: each new name ends the stage before and begins the next."""
        current = ExitStack()
        running: dict[str, Running] = {}

        def tell(name: str, done: int, total: int) -> None:
            if name not in running:
                current.close()
                running.clear()
                running[name] = current.enter_context(self.measure(name))
            if total:
                running[name].advance(done, total)
                running[name].outcome = f"{total:,} documents"

        with current:
            yield tell


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


@contextmanager
def patiently(text: str, moment: float = MOMENT) -> Iterator[threading.Timer]:
    """Say what is being done if the block takes longer than a moment.

    Parameters
    ----------
    text : str
    moment : float, default=2.0
        In seconds.
    """
    timer = threading.Timer(moment, line, [text])
    timer.daemon = True
    timer.start()
    try:
        yield timer
    finally:
        timer.cancel()
