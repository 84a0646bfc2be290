"""Results as lines of JSON: each is written as soon as it is there, so that a run may stop anywhere and go on later."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, final

from bench.harness import RESULTS
from bench.records import append_line

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
    found: dict[Key, Result] = {}
    complaints = []
    lines = file.read_bytes().split(b"\n") if file.exists() else []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            result = _parse(line, *known)
        except ValueError as reason:
            complaints.append(f"{file.name}, line {number}: {reason}; the line is not used.")
        else:
            found[result.corpus, result.setting] = result
    return found, complaints


def _parse(line: bytes, corpora: set[str], settings: set[str]) -> Result:
    try:
        values = json.loads(line)
    except ValueError:  # also what is not UTF-8
        raise ValueError(f"no JSON ({len(line)} bytes)") from None
    if not isinstance(values, dict):
        raise ValueError("not a result")
    wrong = [each.name for each in fields(Result) if not _fits(values.get(each.name), str(each.type))]
    if wrong or len(values) != len(fields(Result)):
        raise ValueError(f"not a result ({', '.join(wrong)} missing or of another kind)" if wrong else "more than a result")
    result = Result(**values)
    if result.corpus not in corpora or result.setting not in settings:
        raise ValueError(f"no such corpus and setting: {result.corpus!r}, {result.setting!r}")
    return result


def _fits(value: Any, kind: str) -> bool:
    kinds: dict[str, tuple[type, ...]] = {"str": (str,), "int": (int,), "float": (int, float), "list[str]": (list,)}
    return isinstance(value, kinds[kind]) and not isinstance(value, bool)
