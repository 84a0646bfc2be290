"""A task becomes texts and what is known of them. Texts stay in memory; nothing of a corpus is written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from bench import retrieval
from bench.leaderboard.tasks import COLLECTIONS, SPLIT, Task, drawn
from bench.quality.draws import parse
from bench.quality.material import choose, documents
from corpora import newsgroups, reuters
from vicinal._typing import IntArray

LETTERS = str.maketrans("0123456789", "bcdfghjklm")


@final
@dataclass(frozen=True, eq=False)
class ToCluster:
    """Texts, and the classes that clusters are compared with."""

    texts: Sequence[str]
    classes: IntArray


@final
@dataclass(frozen=True, eq=False)
class ToClassify:
    """A training set of which some have labels, and a test set with its classes.

    Attributes
    ----------
    texts : sequence of str
        The training set.
    labels : list of str or None
        None where it is not told.
    asked : sequence of str
        The test set; nobody sees it before the question is put.
    classes : list of str
        Of the test set.
    """

    texts: Sequence[str]
    labels: list[str | None]
    asked: Sequence[str]
    classes: list[str]


def to_cluster(task: Task) -> ToCluster:
    """The documents of a draw."""
    draw = parse(task.name, task.part)
    found, y = documents(draw)
    chosen = choose(draw, y)
    return ToCluster(_texts(found, chosen), np.unique(y[chosen], return_inverse=True)[1].astype(np.int64))


def to_classify(task: Task) -> ToClassify:
    """A training set with few or many labels, and a test set: by date, by Lewis' split, or halves drawn at random."""
    source, labels, seed = task.name.split(":")
    random = np.random.RandomState(int(seed))
    train, y, test, y_test = _split(source, int(seed), random)
    told = np.ones(len(y), bool) if labels == "all" else some_of_each(y, int(labels), random)
    known = [f"class {c}" if tell else None for c, tell in zip(y, told, strict=True)]
    return ToClassify(train, known, test, [f"class {c}" for c in y_test])


def to_search(task: Task) -> retrieval.Task:
    """A collection with its questions and judged answers."""
    return retrieval.TASKS[COLLECTIONS[task.name][0]]()


def some_of_each(y: IntArray, most: int, random: np.random.RandomState) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which documents are drawn when each class gives so many, or all that it has."""
    told = np.zeros(len(y), bool)
    for c in np.unique(y):
        told[random.permutation(np.flatnonzero(y == c))[:most]] = True
    return told


def _split(source: str, seed: int, random: np.random.RandomState) -> tuple[Sequence[str], IntArray, Sequence[str], IntArray]:
    """Texts and classes of the training set, then of the test set."""
    if source in SPLIT:
        load = {"ng": newsgroups, "reuters": reuters}[source].load
        (train, y, _), (test, y_test, _) = load("train"), load("test")
        return train, y, test, y_test
    draw = parse(drawn(source, seed), "")
    found, y = documents(draw)
    order = random.permutation(choose(draw, y))
    train, test = np.sort(order[: len(order) // 2]), np.sort(order[len(order) // 2 :])
    return _texts(found, train), y[train], _texts(found, test), y[test]


def _texts(found: Any, chosen: IntArray) -> Sequence[str]:
    """Texts; for a corpus that comes as counts, words without meaning, each as often as it is counted."""
    if not sp.issparse(found):
        return [found[i] for i in chosen]
    rows = found[chosen]
    terms, times = np.split(rows.indices, rows.indptr[1:-1]), np.split(rows.data.astype(np.int64), rows.indptr[1:-1])
    return [" ".join(np.repeat([_word(term) for term in row], n)) for row, n in zip(terms, times, strict=True)]


def _word(term: int) -> str:
    return f"q{str(term).translate(LETTERS)}"
