"""The corpus of the demonstration: all of it, or as many documents as a quick run wants."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, zip_longest

from vicinal.cli.stages import Running, Stages
from vicinal.corpus.docstrings import docstrings
from vicinal.corpus.document import Document
from vicinal.corpus.sources import PACKAGES


def read(limit: int | None, stages: Stages) -> list[Document]:
    """Read the documentation of every package, or ``limit`` documents taken from the packages in turn."""
    with stages.measure("read") as stage:
        found = docstrings(progress=stage.advance) if limit is None else _counted(islice(_in_turn(), limit), limit, stage)
        documents = list(found)
        stage.outcome = f"{len(documents):,} documents from {len({document.label for document in documents})} modules"
    return documents


def _in_turn() -> Iterator[Document]:
    rounds = zip_longest(*(docstrings(package) for package in PACKAGES))
    return (document for document in chain.from_iterable(rounds) if document is not None)


def _counted(documents: Iterator[Document], total: int, stage: Running) -> Iterator[Document]:
    for done, document in enumerate(documents, start=1):
        stage.advance(done, total)
        yield document
