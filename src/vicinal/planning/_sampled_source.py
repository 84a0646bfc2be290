"""A sample of the documents that a plan is for, and how many there are."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

if TYPE_CHECKING:
    from vicinal.index import Index

SAMPLE = 1_000  # documents that are looked at


@final
@dataclass(frozen=True, eq=False)
class SampledTexts:
    """Some texts of a corpus, how many documents it has, and whether that number is an estimate."""

    texts: list[str]
    n_documents: float
    estimated: bool = False


def sample_documents(documents: Sequence[Any]) -> SampledTexts:
    """Documents or texts in memory, evenly spread."""
    chosen = [documents[row] for row in _spread(len(documents))]
    return SampledTexts([each if isinstance(each, str) else each.full_text for each in chosen], len(documents))


def sample_index(index: Index) -> SampledTexts:
    """Documents of an open index, evenly spread."""
    from vicinal._store import Documents

    with index._store.reading():
        documents = Documents(index._store)
        numbers = documents.numbers().tolist()
        chosen = documents.at([numbers[row] for row in _spread(len(numbers))])
        return SampledTexts([stored.document.full_text for stored in chosen], len(numbers))


def sample_path(path: str | os.PathLike[str], how_to_read: Mapping[str, Any]) -> SampledTexts:
    """The first documents of a file or folder, and how many all of its bytes would be; of an index file those of the index."""
    from vicinal.corpus import read
    from vicinal.index import open as open_index

    if is_index(path):
        with open_index(path) as index:
            return sample_index(index)
    at = [0, 0]

    def told(step: str, done: int, total: int) -> None:
        """Keep how many bytes were read, and of how many."""
        at[:] = done, total

    with read(path, progress=told, **how_to_read) as reading:
        texts = [document.full_text for document in itertools.islice(reading, SAMPLE)]
        ended = len(texts) < SAMPLE or next(reading, None) is None
    if ended or not at[0]:
        return SampledTexts(texts, len(texts))
    return SampledTexts(texts, max(len(texts), len(texts) * at[1] / at[0]), estimated=True)


def _spread(n_documents: int) -> range:
    return range(0, n_documents, max(1, n_documents // SAMPLE))


def is_index(path: str | os.PathLike[str]) -> bool:
    """Whether a path is that of an index file."""
    return os.fspath(path).endswith(".vic") and os.path.lexists(path)
