"""The corpus of the demonstration: all of it, or as many documents as a quick run wants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice, zip_longest

from vicinal.cli._terminal.progress_display import Running, Stages
from vicinal.corpus import Document
from vicinal.datasets import PACKAGES, load_docstrings
from vicinal.errors import EmptyCorpus

#: The column that says where a document is from.
MODULE = "module"


def read(limit: int | None, stages: Stages) -> list[Document]:
    """Read the documentation of every package, or ``limit`` documents taken from the packages in turn."""
    with stages.measure("read") as stage:
        if limit is None:
            found: Iterable[Document] = load_docstrings(progress=lambda step, done, total: stage.advance(done, total))
        else:
            found = _counted(islice(_in_turn(limit), limit), limit, stage)
        documents = list(_to_show(found))
        if not documents:
            raise EmptyCorpus(
                "reading found no documents: no source files of Python, NumPy, SciPy or scikit-learn are installed here."
            )
        stage.outcome = f"{len(documents):,} documents from {len({each.metadata[MODULE] for each in documents})} modules"
    return documents


def _in_turn(limit: int) -> Iterator[Document]:
    rounds = zip_longest(*(load_docstrings(package, limit=limit) for package in PACKAGES))
    return (document for document in chain.from_iterable(rounds) if document is not None)


def _counted(documents: Iterator[Document], total: int, stage: Running) -> Iterator[Document]:
    for done, document in enumerate(documents, start=1):
        stage.advance(done, total)
        yield document


def _to_show(documents: Iterable[Document]) -> Iterator[Document]:
    """Call each document by its public name, and take its module out of its title, which is learnt from."""
    names: Counter[str] = Counter()
    for document in documents:
        name, module = document.title, document.label
        names[name] += 1
        id = name if names[name] == 1 else f"{name}#{names[name]}"
        yield replace(document, id=id, title=name.removeprefix(f"{module}."), label="", metadata={MODULE: module})
