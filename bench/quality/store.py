"""Results as lines of JSON: each is written as soon as it is there, so that a run may stop anywhere and go on later."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, final

from bench.harness import RESULTS
from bench.records import append_line, read_lines, typed

FILE = RESULTS / "quality.jsonl"
ADDED = {"seed": 0, "largest": 0.0, "largest_class": 0.0}  # what lines did not say at first


@final
@dataclass(frozen=True)
class Result:
    """What one setting did on one draw with one random seed.

    Attributes
    ----------
    corpus, setting : str
    nmi, accuracy : float
    found, classes : int
        Groups that were found, and classes that there are.
    documents, terms : int
    seconds : float
        From counts to labels, of the processor: those of all threads, whatever else the machine does.
    counting : float
        Seconds from texts to counts, which every setting shares; 0 where counts were given.
    code : str
        Fingerprint of the library that gave this.
    warned : list of str
        Warnings that were given, by class.
    seed : int
    largest, largest_class : float
        Shares of all documents that the largest cluster and the largest class have; 0 where this was not noted.
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
    seed: int = 0
    largest: float = 0.0
    largest_class: float = 0.0

    @property
    def key(self) -> Key:
        """What it is found by."""
        return self.corpus, self.setting, self.seed


Key = tuple[str, str, int]
Runs = dict[Key, Result]


def append(result: Result, file: Path = FILE) -> None:
    """Add a result at the end."""
    append_line(asdict(result), file)


def read(file: Path, corpora: Iterable[str], settings: Iterable[str]) -> tuple[Runs, list[str]]:
    """The last result of each draw, setting and seed, oldest first; a complaint per line that is none of ours, which stays."""
    known = set(corpora), set(settings)

    def parse(values: Any) -> Result:
        result: Result = typed(Result, ADDED | values if isinstance(values, dict) else values)
        if result.corpus not in known[0] or result.setting not in known[1]:
            raise ValueError(f"no such corpus and setting: {result.corpus!r}, {result.setting!r}")
        return result

    found, complaints = read_lines(file, parse)
    runs: Runs = {}
    for result in found:
        keep(runs, result)
    return runs, complaints


def keep(runs: Runs, result: Result) -> None:
    """Put a result at the end, in the place of an earlier one of the same key."""
    runs.pop(result.key, None)
    runs[result.key] = result


def of_one_state(runs: Runs, seeded: Iterable[str], same: Collection[str] = ()) -> Runs:
    """Without results of seeded settings that an older state of the library gave than the setting's last: states are not mixed.

    ``same`` names states that answer as the last one does.
    """
    last = {setting: result.code for (_, setting, _), result in runs.items()}
    watched = set(seeded)
    return {
        key: result for key, result in runs.items() if result.setting not in watched or result.code in {last[result.setting], *same}
    }
