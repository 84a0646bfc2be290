"""Vicinal, as a user calls it: texts in, answers out, nothing set but the number of clusters where it is given to all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bench.leaderboard.kit import Kit
from bench.leaderboard.words import FIRST, Labels


def topics(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """Topics, told how many clusters."""
    from vicinal import Topics

    return Topics(k, random_state=kit.seed).fit_predict(texts)


def auto(texts: Sequence[str], k: int, kit: Kit) -> Labels:
    """Topics, told nothing."""
    from vicinal import Topics

    return Topics(random_state=kit.seed).fit_predict(texts)


def classify(texts: Sequence[str], labels: Sequence[str | None], asked: Sequence[str], kit: Kit) -> list[str]:
    """The classifier; where this state of the library has none, that of an index."""
    import vicinal

    classifier = getattr(vicinal, "Classifier", None)
    if classifier is None:
        return index_classify(texts, labels, asked, kit)
    known = np.array(labels, dtype=object)
    return [str(label) for label in classifier(random_state=kit.seed).fit(list(texts), known).predict(list(asked))]


def index_classify(texts: Sequence[str], labels: Sequence[str | None], asked: Sequence[str], kit: Kit) -> list[str]:
    """An index of the training set, some of which are labelled."""
    with _index(texts, kit) as index:
        index.label({str(i): label for i, label in enumerate(labels) if label is not None})
        return [each.label for each in index.classify(asked)]


def search(documents: Sequence[str], questions: Sequence[str], kit: Kit) -> list[Labels]:
    """An index of all documents, asked one question after another."""
    with _index(documents, kit) as index:
        return [np.array([int(hit.id) for hit in index.search(each, FIRST, plain=True)], dtype=np.int64) for each in questions]


@contextmanager
def _index(texts: Sequence[str], kit: Kit) -> Iterator[Any]:
    import vicinal

    with tempfile.TemporaryDirectory() as folder, vicinal.open(Path(folder) / "texts.vic", create=True) as index:
        index.add(vicinal.Document(str(i), text) for i, text in enumerate(texts))
        index.fit(random_state=kit.seed)
        yield index
