"""Results as lines of one file: a job, a line. A later line takes the place of an earlier one of the same job."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, final

from bench.harness import RESULTS
from bench.records import append_line, read_lines, typed

FILE = RESULTS / "leaderboard.jsonl"
OUTCOMES = ("done", "timeout", "failed")
Key = tuple[str, str, str]


@final
@dataclass(frozen=True)
class Result:
    """What became of one job.

    Attributes
    ----------
    contest, task, who : str
    outcome : {"done", "timeout", "failed"}
    figures : dict of str to float
        How the answer was judged; empty where there is none.
    seconds, cpu : float
        From texts in memory to the answer, by the clock and by the processor; of a job that was stopped, until then.
    memory : float
        MB that its process held at most, everything counted.
    cores : int
        That it was held to.
    code : str
        The fingerprint of the library, or the versions of the packages that gave it.
    why : str
        What was said last by a job that failed.
    """

    contest: str
    task: str
    who: str
    outcome: str
    seconds: float
    cpu: float
    memory: float
    cores: int
    code: str
    figures: dict[str, float] = field(default_factory=dict)
    why: str = ""

    @property
    def key(self) -> Key:
        """What it is found by."""
        return self.contest, self.task, self.who


def append(result: Result, file: Path = FILE) -> None:
    """Add a result at the end."""
    append_line(asdict(result), file)


def read(file: Path, jobs: Iterable[Key]) -> tuple[dict[Key, Result], list[str]]:
    """The last result of each job, and a complaint per line that is none of ours; such lines stay as they are."""
    known = set(jobs)

    def parse(values: Any) -> Result:
        result: Result = typed(Result, values)
        if result.key not in known or result.outcome not in OUTCOMES:
            raise ValueError(f"no such job: {'/'.join(result.key)}, {result.outcome}")
        return result

    found, complaints = read_lines(file, parse)
    return {result.key: result for result in found}, complaints
