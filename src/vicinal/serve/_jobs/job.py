"""A job: what it is doing, how far it is, and how it ended."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, final

RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"


@final
@dataclass(eq=False)
class Job:
    """Long work on the index.

    Attributes
    ----------
    id : str
    kind : {"fit", "add", "update", "sync"}
    state : {"running", "done", "failed", "cancelled"}
    step, done, total
        As `Progress` reports them.
    steps : list of str
        Steps that were seen so far.
    result, problem : dict or None
        How it ended.
    warnings : list of str
    cancelling : bool
        Whether it was asked to end.
    version : int
        Grows with every change.
    """

    id: str
    kind: str
    state: str = RUNNING
    step: str = ""
    done: int = 0
    total: int = 0
    steps: list[str] = field(default_factory=list)
    result: dict[str, object] | None = None
    problem: dict[str, object] | None = None
    warnings: list[str] = field(default_factory=list)
    cancelling: bool = False
    version: int = 0
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    _begun: float = field(default_factory=time.monotonic)
    _seconds: float | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.state == RUNNING

    def note(self, message: dict[str, Any]) -> None:
        """Take what the process of the job tells: progress, a warning, the result or a problem."""
        with self._lock:
            if "step" in message:
                self.step, self.done, self.total = str(message["step"]), int(message["done"]), int(message["total"])
                self.steps += [self.step] * (self.step not in self.steps)
            elif "warning" in message:
                self.warnings.append(str(message["warning"]))
            else:
                self.result, self.problem = message.get("result", self.result), message.get("problem", self.problem)
            self.version += 1

    def end(self, state: str, problem: dict[str, object] | None = None) -> None:
        """End it; what ended once stays as it is."""
        with self._lock:
            if self.state != RUNNING:
                return
            self.state, self.problem = state, self.problem or problem
            self._seconds = time.monotonic() - self._begun
            self.version += 1

    def facts(self) -> dict[str, object]:
        """The job as plain values."""
        with self._lock:
            return {
                "id": self.id,
                "kind": self.kind,
                "state": self.state,
                "step": self.step,
                "done": self.done,
                "total": self.total,
                "steps": list(self.steps),
                "started": self.started.isoformat(timespec="seconds"),
                "seconds": round(time.monotonic() - self._begun if self._seconds is None else self._seconds, 3),
                "result": self.result,
                "problem": self.problem,
                "warnings": list(self.warnings),
            }
