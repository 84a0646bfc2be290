"""Results as lines of JSON: each is written as soon as it is there, so that a run may stop anywhere and go on later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, final

from bench.harness import RESULTS
from bench.records import append_line, read_lines, typed

FILE = RESULTS / "quality.jsonl"


@final
@dataclass(frozen=True)
class Result:
    """What one setting did on one draw.

    Attributes
    ----------
    corpus, setting : str
    nmi, accuracy : float
    found, classes : int
        Groups that were found, and classes that there are.
    documents, terms : int
    seconds : float
        From counts to labels.
    counting : float
        Seconds from texts to counts, which every setting shares; 0 where counts were given.
    code : str
        Fingerprint of the library that gave this.
    warned : list of str
        Warnings that were given, by class.
    """

    corpus: str
    setting: str
    nmi: float
    accuracy: float
    found: int
    classes: int
    documents: int
    terms: int
    seconds: float
    counting: float
    code: str
    warned: list[str] = field(default_factory=list)


Key = tuple[str, str]


def append(result: Result, file: Path = FILE) -> None:
    """Add a result at the end."""
    append_line(asdict(result), file)


def read(file: Path, corpora: Iterable[str], settings: Iterable[str]) -> tuple[dict[Key, Result], list[str]]:
    """The last result of each draw and setting, and a complaint per line that is none of ours; such lines stay as they are."""
    known = set(corpora), set(settings)

    def parse(values: Any) -> Result:
        result: Result = typed(Result, values)
        if result.corpus not in known[0] or result.setting not in known[1]:
            raise ValueError(f"no such corpus and setting: {result.corpus!r}, {result.setting!r}")
        return result

    found, complaints = read_lines(file, parse)
    return {(result.corpus, result.setting): result for result in found}, complaints
