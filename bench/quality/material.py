"""A draw becomes counts of words and classes. Texts stay in memory; nothing of a corpus is written down."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from bench.quality.draws import Draw
from corpora import arxiv, newsgroups, reuters, smart, tdt2
from vicinal import Vectorizer, Weighting
from vicinal._matrix import csr, unit_rows
from vicinal._typing import IntArray, SparseMatrix, Terms

RARE, COMMON = 2, 0.5  # the limits that Vectorizer sets by default, for the corpus that comes as counts


@final
@dataclass(eq=False)
class Material:
    """The documents of one draw.

    Attributes
    ----------
    counts : documents x terms
    classes : int array (documents,)
    seconds : float
        What counting took, from texts, of the processor; 0 where counts were given.
    """

    counts: Terms
    classes: IntArray
    seconds: float = 0.0

    @property
    def n_classes(self) -> int:
        """How many there truly are."""
        return len(np.unique(self.classes))

    @property
    def tf(self) -> Terms:
        """Counts with rows of length one; made anew each time, so that who needs it pays for it."""
        return unit_rows(self.counts)

    @property
    def bm25(self) -> Terms:
        """BM25 with rows of length one; made anew each time."""
        weights: Terms = Weighting("bm25").fit_transform(self.counts)
        return weights

    @cached_property
    def kept(self) -> dict[str, Any]:
        """What ablations share, which are not timed."""
        return {}


def prepare(draw: Draw) -> Material:
    """Read, draw and count."""
    found, y = documents(draw)
    chosen = choose(draw, y)
    classes = np.unique(y[chosen], return_inverse=True)[1].astype(np.int64)
    if sp.issparse(found):
        return Material(_usable(found[chosen]), classes)
    start = time.process_time()
    counts = Vectorizer("tf", unit=False).fit_transform([found[i] for i in chosen])
    return Material(counts, classes, time.process_time() - start)


def documents(draw: Draw) -> tuple[Any, IntArray]:
    """Texts, or counts where there are no texts, of the whole corpus that a draw is from, and classes."""
    return _source(draw.source)


def forget() -> None:
    """Let go of the corpus that was read last."""
    _source.cache_clear()


def choose(draw: Draw, y: IntArray) -> IntArray:
    """Numbers of the documents that are drawn, rising. The order in which random numbers are used must not change."""
    if draw.n_classes == 0:
        return np.arange(len(y))
    random = np.random.RandomState(draw.seed)
    # arXiv has classes enough to take only those that can be filled; elsewhere a class gives what it has
    needed = 1 if draw.size == 0 else draw.size if draw.source.startswith("arxiv") else 2
    classes = random.permutation(np.flatnonzero(np.bincount(y) >= needed))[: draw.n_classes]
    sizes: Sequence[int | None] = draw.sizes or [None] * len(classes)
    members = [random.permutation(np.flatnonzero(y == c))[:size] for c, size in zip(classes, sizes, strict=True)]
    return np.sort(np.concatenate(members))


@lru_cache(maxsize=1)
def _source(name: str) -> tuple[Any, IntArray]:
    """Texts or counts of a whole corpus, and classes. The last one is kept: draws come sorted by corpus."""
    if name == "tdt2":
        return tdt2.load()
    if name == "smart":
        collections = [smart.load(each) for each in smart.NAMES]
        sizes = [len(each.texts) for each in collections]
        return [text for each in collections for text in each.texts], np.repeat(np.arange(len(sizes)), sizes)
    if name.startswith("arxiv"):
        column = "title" if name == "arxiv_titles" else "abstract"
        found = arxiv.load((column, "category"))
        return found[column], np.unique(found["category"], return_inverse=True)[1]
    texts, y, _ = {"ng": newsgroups, "reuters": reuters}[name].load()
    return texts, y


def _usable(counts: SparseMatrix) -> SparseMatrix:
    """Without the terms that are too rare or too common among these documents, as Vectorizer leaves them out of texts."""
    frequencies = np.bincount(counts.indices[counts.data > 0], minlength=counts.shape[1])
    return csr(counts[:, np.flatnonzero((frequencies >= RARE) & (frequencies <= COMMON * counts.shape[0]))])
