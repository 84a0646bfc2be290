"""The documents of the demonstration: all docstrings, or as many as a quick run wants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice, zip_longest

from vicinal.cli._terminal.progress_display import ProgressDisplay
from vicinal.corpus import Document
from vicinal.datasets import PACKAGES, load_docstrings
from vicinal.errors import EmptyCorpus

#: The metadata column that holds the module of a document.
MODULE = "module"


def read_documents(limit: int | None, display: ProgressDisplay) -> list[Document]:
    """Read the docstrings of every package, or ``limit`` of them taken from the packages in turn."""
    with display.step("read") as step:
        found = load_docstrings(progress=display) if limit is None else _in_turn(limit)
        documents = list(_without_module(found))
        if not documents:
            raise EmptyCorpus(
                "there are no documents: no source files of Python, NumPy, SciPy or scikit-learn are installed here. "
                "Index a folder of your own: vicinal index FOLDER."
            )
        step.outcome = f"{len(documents):,} documents from {len({each.metadata[MODULE] for each in documents})} modules"
    return documents


def _in_turn(limit: int) -> Iterator[Document]:
    rounds = zip_longest(*(load_docstrings(package, limit=limit) for package in PACKAGES))
    return islice((document for document in chain.from_iterable(rounds) if document is not None), limit)


def _without_module(documents: Iterable[Document]) -> Iterator[Document]:
    """Give each document its public name as id, and take its module out of its title, which is part of the text."""
    ids: Counter[str] = Counter()
    for document in documents:
        name, module = document.title, document.label
        ids[name] += 1
        id = name if ids[name] == 1 else f"{name}#{ids[name]}"
        yield replace(document, id=id, title=name.removeprefix(f"{module}."), label="", metadata={MODULE: module})
