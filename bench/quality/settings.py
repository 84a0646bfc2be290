"""What is compared: each setting is a function from documents to labels, told the true number of classes unless it finds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from sklearn.svm import LinearSVC

from bench.columns import Column
from bench.quality import ablations
from bench.quality.draws import Draw, ablated
from bench.quality.material import Material
from vicinal import LSI, RLPI, Topics, cluster
from vicinal._typing import IntArray

STARTS = 10
SOFTNESS = 0.2  # C of the classifier that is given labels


@final
@dataclass(frozen=True)
class Setting(Column):
    """One column of the table, with name and title.

    Attributes
    ----------
    label : function from Material to labels
        If it is seeded, from Material and a random seed.
    ablation : bool
        Whether it is run on few draws only, and shown in a table of its own.
    unasked : bool
        Whether it is run without being named on the command line.
    labelled : bool
        Whether it is given classes, so that it is no rival of the others and is shown in a table of its own.
    seeded : bool
        Whether it is run with several random seeds.
    """

    label: Callable[..., IntArray]
    ablation: bool = False
    unasked: bool = True
    labelled: bool = False
    seeded: bool = False

    def answer(self, material: Material, seed: int) -> IntArray:
        """Labels of the documents; the seed matters to settings that are seeded."""
        return self.label(material, seed) if self.seeded else self.label(material)

    def suits(self, draw: Draw) -> bool:
        """Whether it is meant for a draw."""
        return not self.ablation or draw.name in ablated()


def lsi(material: Material) -> IntArray:
    """LSI with 100 dimensions of BM25, directions clustered."""
    Z = LSI(min(100, *(side - 1 for side in material.counts.shape))).fit_transform(material.bm25)
    return cluster(Z, material.n_classes, n_init=STARTS).labels


def paper(material: Material) -> IntArray:
    """RLPI as published: term frequencies, 7 neighbours, as many dimensions as classes, rows as they are."""
    Z = RLPI(material.n_classes, n_neighbors=7, weight="cosine", alpha=0.1).fit_transform(material.tf)
    return cluster(Z, material.n_classes, n_init=STARTS, normalize=False).labels


def bm25(material: Material) -> IntArray:
    """RLPI on BM25 with 15 neighbours and half as many dimensions again as classes, directions clustered."""
    return _rlpi(material, n_neighbors=15)


def consensus(material: Material) -> IntArray:
    """RLPI on the graph of what several views agree on, directions clustered."""
    return _rlpi(material, graph="consensus")


def _rlpi(material: Material, **options: Any) -> IntArray:
    Z = RLPI(max(2, round(1.5 * material.n_classes)), alpha=1.0, **options).fit_transform(material.bm25)
    return cluster(Z, material.n_classes, n_init=STARTS).labels


def topics(material: Material, seed: int) -> IntArray:
    """Topics, told how many."""
    return Topics(material.n_classes, random_state=seed).fit_predict(material.counts)


def auto(material: Material, seed: int) -> IntArray:
    """Topics, told nothing."""
    return Topics("auto", random_state=seed).fit_predict(material.counts)


def half(material: Material) -> IntArray:
    """Topics, told how many, of which views were taken of every other document only, as it does with large corpora."""
    return Topics(material.n_classes, max_documents=len(material.classes) // 2).fit_predict(material.counts)


def ceiling(material: Material) -> IntArray:
    """The ceiling of what weights of words can do *with* labels: each half of the documents classified by the labels of the other.

    A linear SVM on BM25. What lies between it and a setting without labels is left to be found; as it learns from half of the
    documents only, topics of a clear corpus, which come from all of them, may end just above it.
    """
    X, n_documents = material.bm25, len(material.classes)
    order = np.random.RandomState(0).permutation(n_documents)
    halves = order[: n_documents // 2], order[n_documents // 2 :]
    found = np.empty(n_documents, dtype=np.int64)
    for taught, asked in (halves, halves[::-1]):
        found[asked] = LinearSVC(C=SOFTNESS, random_state=0).fit(X[taught], material.classes[taught]).predict(X[asked])
    return found


SETTINGS = (
    Setting("lsi", "LSI-100 + k-means", lsi),
    Setting("paper", "RLPI as in the paper", paper),
    Setting("bm25", "RLPI BM25", bm25),
    Setting("consensus", "RLPI consensus", consensus, unasked=False),
    Setting("topics", "Topics(k)", topics, seeded=True),
    Setting("auto", 'Topics("auto")', auto, seeded=True),
    Setting("half", "Topics(k) of half", half, unasked=False),
    Setting("ceiling", "LinearSVC, half of the labels", ceiling, unasked=False, labelled=True),
    *(Setting(f"ablation-{name}", title, run, ablation=True) for name, title, run in ablations.ABLATIONS),
)
