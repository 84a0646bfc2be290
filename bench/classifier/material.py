"""Corpora split into documents to learn from and later or other ones to be tested with; labels that a draw keeps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from corpora import arxiv, newsgroups, reuters, tdt2
from vicinal import Vectorizer
from vicinal._matrix import csr
from vicinal._typing import IntArray, Terms

CORPORA = ("newsgroups", "reuters", "tdt2", "arxiv")
N_CLASSES, PER_CLASS = 20, 1000  # of arXiv
RARE, COMMON = 2, 0.5  # the limits that Vectorizer sets by default, for the corpus that comes as counts


@final
@dataclass(frozen=True, eq=False)
class Split:
    """Counts of terms and classes; the vocabulary is that of the documents to learn from."""

    counts: Terms
    classes: IntArray
    test_counts: Terms
    test_classes: IntArray


@lru_cache(maxsize=1)
def split(corpus: str, seed: int) -> Split:
    """20 Newsgroups and Reuters by date, as published; TDT2 and twenty classes of arXiv in two random halves."""
    if corpus in ("newsgroups", "reuters"):
        module = {"newsgroups": newsgroups, "reuters": reuters}[corpus]
        (texts, y, _), (test_texts, test_y, _) = module.load("train"), module.load("test")
        return _counted(texts, y, test_texts, test_y)
    random = np.random.RandomState(seed)
    return _halves_of_tdt2(random) if corpus == "tdt2" else _halves_of_arxiv(random)


def seed_of_split(corpus: str, seed: int) -> int:
    """Corpora with a split of their own have the same one in every draw."""
    return 0 if corpus in ("newsgroups", "reuters") else seed


def some_labels(classes: IntArray, per_class: int, seed: int) -> IntArray:
    """Labels of so many documents of each class, -1 for all others; 0 stands for all labels."""
    random, labels = np.random.RandomState(seed), np.full(len(classes), -1, dtype=np.int64)
    for each in np.unique(classes):
        members = random.permutation(np.flatnonzero(classes == each))
        labels[members[: per_class or len(members)]] = each
    return labels


def _counted(texts: list[str], y: IntArray, test_texts: list[str], test_y: IntArray) -> Split:
    vectorizer = Vectorizer("tf", unit=False)
    return Split(vectorizer.fit_transform(texts), y, vectorizer.transform(test_texts), test_y)


def _halves_of_tdt2(random: Any) -> Split:
    counts, y = tdt2.load()
    order = random.permutation(len(y))
    train, test = np.sort(order[: len(y) // 2]), np.sort(order[len(y) // 2 :])
    X: Any = csr(counts[train])
    frequencies = np.bincount(X.indices, minlength=X.shape[1])
    kept = np.flatnonzero((frequencies >= RARE) & (frequencies <= COMMON * X.shape[0]))
    return Split(csr(X[:, kept]), y[train], csr(counts[test][:, kept]), y[test])


def _halves_of_arxiv(random: Any) -> Split:
    found = arxiv.load(("abstract", "category"))
    y = np.unique(found["category"], return_inverse=True)[1]
    classes = np.sort(random.permutation(np.flatnonzero(np.bincount(y) >= PER_CLASS))[:N_CLASSES])
    members = [random.permutation(np.flatnonzero(y == each))[:PER_CLASS] for each in classes]
    half = PER_CLASS // 2
    train, test = (np.sort(np.concatenate(part)) for part in ([m[:half] for m in members], [m[half:] for m in members]))
    code = np.searchsorted(classes, y)
    abstracts = found["abstract"]
    return _counted([abstracts[i] for i in train], code[train], [abstracts[i] for i in test], code[test])
