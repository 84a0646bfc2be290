"""What everybody is asked, as data: draws to cluster, corpora to classify with few or many labels, collections to search.

A task of clusters is a draw of ``bench.quality``; one of classes is written ``source:labels:seed``, with ``all`` for all labels of
the training set; one of search is a collection of ``bench.retrieval``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from bench.quality.draws import SOURCES, draws, parse

CLUSTERS, CLASSES, SEARCH = "clusters", "classes", "search"
CONTESTS = (CLUSTERS, CLASSES, SEARCH)
LABELS = ("5", "20", "100", "all")  # per class
SEEDS = range(5)
SPLIT = ("ng", "reuters")  # corpora that come in a training and a test set; of the others halves are drawn
COLLECTIONS = {  # name here: name in bench.retrieval, roughly how many documents
    "med": ("MED", 1_033),
    "cranfield": ("Cranfield", 1_400),
    "cisi": ("CISI", 1_460),
    "arxiv-title": ("arXiv by title", 5_000),
    "arxiv-sentence": ("arXiv by sentence", 5_000),
    "reuters-headline": ("Reuters by headline", 8_067),
}
COUNTS_ONLY = "tdt2"  # has no texts: who reads more than counts of words cannot take part


@final
@dataclass(frozen=True)
class Task:
    """One question to everybody of a contest.

    Attributes
    ----------
    contest : {"clusters", "classes", "search"}
    name : str
    title : str
        For people.
    source : str
        The corpus.
    about : int
        Roughly how many documents.
    part : {"tuning", "held", ""}
        Whether choices of the library were made with it in view; empty where that was not noted.
    """

    contest: str
    name: str
    title: str
    source: str
    about: int
    part: str = ""

    @property
    def key(self) -> str:
        """What it is found by among all tasks."""
        return f"{self.contest}/{self.name}"

    @property
    def has_texts(self) -> bool:
        """Whether there are texts, not only counts of words."""
        return self.source != COUNTS_ONLY

    @property
    def length(self) -> float:
        """How long its texts are, in abstracts: for estimates of time only."""
        return 0.1 if self.source == "arxiv_titles" else 1.0


def drawn(source: str, seed: int) -> str:
    """The draw that a corpus of the contest of classes is: whole, or 20 classes of 1,000 from arXiv."""
    return f"{source}:20:1000:{seed}" if source.startswith("arxiv") else source


def _classes() -> list[Task]:
    found = []
    for source in ("reuters", "tdt2", "ng", "arxiv_titles", "arxiv_abs"):
        for labels in LABELS:
            for seed in SEEDS if not (labels == "all" and source in SPLIT) else SEEDS[:1]:
                about = parse(drawn(source, seed), "").about
                found.append(Task(CLASSES, f"{source}:{labels}:{seed}", SOURCES[source], source, about))
    return found


def tasks() -> list[Task]:
    """All of them."""
    clusters = [Task(CLUSTERS, draw.name, draw.title, draw.source, draw.about, draw.part) for draw in draws()]
    search = [Task(SEARCH, name, title, name.partition("-")[0], about) for name, (title, about) in COLLECTIONS.items()]
    return [*clusters, *_classes(), *search]
