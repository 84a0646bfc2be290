"""Where the real corpora are: the folder that VICINAL_DATA names, else ``../shared/data`` beside the project."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from vicinal.datasets import Dataset
from vicinal.datasets._dataset import check_subset, in_subset
from vicinal.errors import BadParameter

FILES = {
    "arxiv": "arxiv/arxiv-200k.parquet",
    "newsgroups": "20newsgroups/20news-bydate.tar.xz",
    "reuters": "reuters21578/reuters21578.tar.xz",
    "smart": "smart/smart.tar.xz",
    "tdt2": "tdt2/TDT2.mat",
}

VARIABLE = "VICINAL_DATA"
BESIDE = Path(__file__).resolve().parents[1].parent / "shared" / "data"


class CorpusMissing(FileNotFoundError):
    """A real corpus is in neither of the two places where it is looked for."""


def places() -> list[Path]:
    """The folders to look in, first the one to prefer; they need not exist."""
    named = os.environ.get(VARIABLE)
    return [Path(named), BESIDE] if named else [BESIDE]


def locate(name: str) -> Path:
    """Return the file of one corpus.

    Parameters
    ----------
    name : {"arxiv", "newsgroups", "reuters", "smart", "tdt2"}

    Raises
    ------
    CorpusMissing
        When it is in neither place; the message names both.
    """
    if name not in FILES:
        raise BadParameter(f"name must be one of {', '.join(map(repr, FILES))}, got {name!r}.")
    for folder in places():
        if (folder / FILES[name]).is_file():
            return folder / FILES[name]
    raise CorpusMissing(f"the corpus {name!r} ({FILES[name]}) was not found. {explain()}")


def available() -> tuple[str, ...]:
    """Names of the corpora that are here."""
    return tuple(name for name, path in FILES.items() if any((folder / path).is_file() for folder in places()))


def explain() -> str:
    """Say in a sentence or two where corpora were looked for and what to do."""
    named = os.environ.get(VARIABLE)
    first = f"{VARIABLE} is {named}" if named else f"{VARIABLE} is not set"
    return f"{first}; beside the project it would be {BESIDE}. Set {VARIABLE} to the folder that holds the corpora."


def part(dataset: Dataset, subset: str) -> Dataset:
    """The documents of one part of a corpus, with the classes of all of it."""
    check_subset(subset)
    return replace(dataset, documents=tuple(document for document in dataset if in_subset(document, subset)))


def joined(dataset: Dataset) -> list[str]:
    """Each document's title and text with a blank line between them, as they are written in the files."""
    return [f"{document.title}\n\n{document.text}" if document.title else document.text for document in dataset]
