"""Stages of a long run: each is shown while it goes on, and its time is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from vicinal.cli.terminal import console


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
