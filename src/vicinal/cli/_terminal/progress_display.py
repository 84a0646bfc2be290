"""Progress on standard error: bars on a terminal, plain lines elsewhere; the time of each step is kept."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from vicinal._plural import counted
from vicinal.cli._terminal.exit_codes import print_to_stderr
from vicinal.cli._terminal.output import console
from vicinal.cli._terminal.text import duration

#: Steps that are counted in documents; of others, such as "read", the share is shown.
IN_DOCUMENTS = frozenset({"add", "terms", "embed"})
#: Seconds between two lines about one step where there is no terminal.
PAUSE = 10.0
#: Seconds after which a silent command says what it is doing.
SLOW = 2.0


@dataclass(frozen=True)
class FinishedStep:
    """A finished step: its name, its time and its outcome in a few words."""

    name: str
    seconds: float
    outcome: str


@dataclass
class RunningStep:
    """A step that is running: how much of it is done, of how much (0 where that is not known), and its outcome."""

    name: str
    task: TaskID
    done: int = 0
    total: int = 0
    outcome: str = ""
    started: float = field(default_factory=time.perf_counter)
    printed: float = field(default_factory=time.perf_counter)

    @property
    def seconds(self) -> float:
        """Seconds since the step began."""
        return time.perf_counter() - self.started

    def count(self, number: int) -> str:
        """So many documents, and how many a second; of steps that are not counted in documents the share that is done."""
        if self.name in IN_DOCUMENTS and number:
            return f"{counted(number, 'document')}, {number / max(self.seconds, 1e-9):,.0f} a second"
        return f"{number / self.total:.0%}" if self.total else ""

    def remaining(self) -> str:
        """How long the rest will take at the same rate; empty where that is not known."""
        left = self.seconds * (self.total - self.done) / self.done if self.done else 0.0
        return f", about {duration(left)} left" if self.total > self.done > 0 else ""


@dataclass
class ProgressDisplay:
    """Show the steps of a command; it is a `vicinal._progress.Progress` that every long call of the library can report to.

    A step that is reported begins with its first report and ends when another begins. On a terminal each step is a bar, which goes
    away in the end; elsewhere it is a line when it is done, and one every few seconds while it goes on.

    Parameters
    ----------
    screen : Console
    finished : list of FinishedStep
    pause : float
        Seconds between two lines about one step where there is no terminal.
    """

    screen: Console = field(default_factory=lambda: console(stderr=True))
    finished: list[FinishedStep] = field(default_factory=list)
    pause: float = PAUSE

    def __post_init__(self) -> None:
        self._running: dict[str, RunningStep] = {}
        self._reported: RunningStep | None = None
        self._bars = Progress(
            SpinnerColumn(finished_text="[green]✓[/]"),
            TextColumn("{task.description:<9} {task.fields[detail]}"),
            BarColumn(bar_width=30),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self.screen,
            transient=True,
            disable=not self.screen.is_terminal,
        )

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self._end_reported()
        self._bars.stop()

    def __call__(self, step: str, done: int, total: int, /) -> None:
        """Show how much of a step is done."""
        running = self._running.get(step)
        if running is None:
            self._end_reported()
            running = self._reported = self._begin(step)
        running.done, running.total = done, total
        self._show(running)

    @contextmanager
    def step(self, name: str) -> Iterator[RunningStep]:
        """Run one step inside the block."""
        self._end_reported()
        running = self._begin(name)
        yield running
        self._end_reported()
        self._end(running)

    @contextmanager
    def beside(self, name: str) -> Iterator[None]:
        """Show reports of a step that runs beside another one, inside the block; it is not listed as a step of its own."""
        running = self._begin(name)
        try:
            yield
        finally:
            del self._running[name]
            self._bars.remove_task(running.task)

    def _begin(self, name: str) -> RunningStep:
        self._running[name] = running = RunningStep(name, self._bars.add_task(name, total=None, detail=""))
        return running

    def _show(self, running: RunningStep) -> None:
        if self.screen.is_terminal:
            self._bars.update(running.task, completed=running.done, total=running.total or None, detail=running.count(running.done))
        elif running.count(running.done) and time.perf_counter() - running.printed >= self.pause:
            running.printed = time.perf_counter()
            self.screen.print(f"{running.name}: {running.count(running.done)}{running.remaining()}", soft_wrap=True)

    def _end_reported(self) -> None:
        if self._reported is not None:
            running, self._reported = self._reported, None
            self._end(running)

    def _end(self, running: RunningStep) -> None:
        del self._running[running.name]
        whole = max(running.done, running.total)
        outcome = running.outcome or (running.count(whole) if running.name in IN_DOCUMENTS else "")
        self._bars.update(running.task, total=1, completed=1, detail=outcome)
        self.finished.append(FinishedStep(running.name, running.seconds, outcome))
        if not self.screen.is_terminal:
            named = f"{running.name}: {outcome}" if outcome else running.name
            self.screen.print(f"{named} ({running.seconds:.1f} s)", soft_wrap=True)


@contextmanager
def notice_if_slow(text: str, seconds: float = SLOW) -> Iterator[threading.Timer]:
    """Print a line on standard error if the block takes longer than so many seconds.

    Parameters
    ----------
    text : str
    seconds : float, default=2.0
    """
    timer = threading.Timer(seconds, print_to_stderr, [text])
    timer.daemon = True
    timer.start()
    try:
        yield timer
    finally:
        timer.cancel()
