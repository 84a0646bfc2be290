"""Results as lines of JSON, one file per corpus: each is written as soon as it is there, so a run may stop and go on later."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, final

from bench.records import append_line
from papers.samples import is_sample, source_of

FOLDER = Path(__file__).parent / "results"

#: A sample and a procedure.
Job = tuple[str, str]

SHARES = ("accuracy", "nmi", "sparsity", "precision", "neighbours")  # metrics that lie between 0 and 1


@final
@dataclass(frozen=True)
class Result:
    """What one procedure gave on one sample.

    Attributes
    ----------
    sample, procedure : str
    values : dict from variant to dict from metric to number
    seconds : float
        In all.
    code : str
        Fingerprint of the library.
    """

    sample: str
    procedure: str
    values: dict[str, dict[str, float]]
    seconds: float
    code: str

    @property
    def job(self) -> Job:
        """What it is found by."""
        return self.sample, self.procedure


@contextmanager
def claimed(source: str, folder: Path = FOLDER) -> Iterator[bool]:
    """Whether this process alone adds to the file of a corpus inside the block; a process that dies gives it back.

    On a machine without such locks everyone is told yes, and two runs at once do work twice, without loss.
    """
    locks = import_module("fcntl") if find_spec("fcntl") else None
    if locks is None:
        yield True
        return
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{source}.jsonl").open("ab") as stream:
        try:
            locks.flock(stream, locks.LOCK_EX | locks.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


def append(result: Result, folder: Path = FOLDER) -> None:
    """Add a result at the end of its corpus's file."""
    append_line(asdict(result), folder / f"{source_of(result.sample)}.jsonl")


def read(known: Collection[str], folder: Path = FOLDER) -> tuple[dict[Job, Result], list[str]]:
    """The last result of each job, and a complaint per line that is none of ours; such lines stay as they are.

    Parameters
    ----------
    known : collection of str
        Names of procedures.
    folder : Path
    """
    found: dict[Job, Result] = {}
    complaints = []
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_bytes().split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                result = _parse(line, known, file.stem)
            except ValueError as reason:
                complaints.append(f"{file.name}, line {number}: {reason}; the line is not used.")
            else:
                found[result.job] = result
    return found, complaints


def _parse(line: bytes, known: Collection[str], source: str) -> Result:
    try:
        given = json.loads(line)
    except ValueError:  # also what is not UTF-8
        raise ValueError(f"no JSON ({len(line)} bytes)") from None
    if not isinstance(given, dict) or set(given) != {"sample", "procedure", "values", "seconds", "code"}:
        raise ValueError("not a result")
    if not (_is_number(given["seconds"]) and all(isinstance(given[name], str) for name in ("sample", "procedure", "code"))):
        raise ValueError("not a result (sample, procedure, seconds or code of another kind)")
    if not given["values"] or not _are_values(given["values"]):
        raise ValueError("not a result (values are not numbers by variant and metric)")
    if given["seconds"] < 0 or not all(0 <= each.get(name, 0) <= 1 for each in given["values"].values() for name in SHARES):
        raise ValueError("not a result (seconds below 0, or a share that is not between 0 and 1)")
    if given["procedure"] not in known:
        raise ValueError(f"no such procedure: {given['procedure']!r}")
    if not is_sample(given["sample"]):
        raise ValueError(f"no such sample: {given['sample']!r}")
    if source_of(given["sample"]) != source:
        raise ValueError(f"a result of {given['sample']!r} in the file of {source!r}")
    return Result(**given)


def _are_values(values: Any) -> bool:
    return isinstance(values, dict) and all(
        isinstance(each, dict) and all(_is_number(number) for number in each.values()) for each in values.values()
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
