"""What is compared: each setting is a function from documents to labels, told the true number of classes unless it finds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from bench.quality import ablations
from bench.quality.draws import Draw, ablated
from bench.quality.material import Material
from vicinal import LSI, RLPI, Topics, cluster
from vicinal.typing import IntArray

STARTS = 10


@final
@dataclass(frozen=True)
class Setting:
    """One column of the table.

    Attributes
    ----------
    name : str
        For the command line and the file of results.
    title : str
        For the page.
    label : function from Material to labels
    ablation : bool
        Whether it is run on few draws only, and shown in a table of its own.
    unasked : bool
        Whether it is run without being named on the command line.
    """

    name: str
    title: str
    label: Callable[[Material], IntArray]
    ablation: bool = False
    unasked: bool = True

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


def topics(material: Material) -> IntArray:
    """Topics, told how many."""
    return Topics(material.n_classes).fit_predict(material.counts)


def auto(material: Material) -> IntArray:
    """Topics, told nothing."""
    return Topics("auto").fit_predict(material.counts)


SETTINGS = (
    Setting("lsi", "LSI-100 + k-means", lsi),
    Setting("paper", "RLPI as in the paper", paper),
    Setting("bm25", "RLPI BM25", bm25),
    Setting("consensus", "RLPI consensus", consensus, unasked=False),
    Setting("topics", "Topics(k)", topics),
    Setting("auto", 'Topics("auto")', auto),
    *(Setting(f"ablation-{name}", title, run, ablation=True) for name, title, run in ablations.ABLATIONS),
)
