"""How good is search? Judged questions on three collections, and questions with one known answer on three more.

MAP is the mean of average precision over questions; nDCG@10 looks at the first ten. In collections without judgements a question is
the title of one abstract, the headline of one story, or one sentence taken out of an abstract, and that document is the only
answer: there, precise words are worth most, and a second opinion can only do harm.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from bench.harness import Answer
from bench.ranking_arrays import rank, ranking_of
from corpora import arxiv, reuters, smart
from vicinal import LPI, LSI, RLPI, Vectorizer
from vicinal._matrix import csr, unit_rows
from vicinal._typing import FloatArray, IntArray
from vicinal.errors import VicinalWarning
from vicinal.uses._ranking import Query, Ranking, row_stochastic

DIMENSIONS, NEIGHBORS, ALPHA = 100, 15, 15.0
ALL_WORDS: dict[str, Any] = {"stem": "english", "min_df": 1, "max_df": 1.0, "unit": False}  # BM25 must know words of one document
FIRST = 10
SIZE, FROM, ASKED = 5_000, 25_000, 500  # abstracts, where they start, and questions
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@dataclass(frozen=True)
class Task:
    """Documents, questions, and which documents answer each."""

    documents: Sequence[str]
    questions: Sequence[str]
    relevant: Sequence[IntArray]


def judged(name: str) -> Task:
    """One of the collections with judgements."""
    found = smart.load(name)
    answers = [np.array(sorted(found.relevant[i])) for i in found.judged]
    return Task(found.texts, [found.queries[i] for i in found.judged], answers)


def titles() -> Task:
    """Abstracts, asked for by their titles."""
    papers = arxiv.load(("title", "abstract"), limit=FROM + SIZE)
    rows = np.random.RandomState(0).permutation(SIZE)[:ASKED]
    return Task(papers["abstract"][FROM:], [papers["title"][FROM + i] for i in rows], [np.array([i]) for i in rows])


def claims() -> Task:
    """Abstracts, asked for by one of their sentences, which is taken out."""
    documents = list(arxiv.load(("abstract",), limit=FROM + SIZE)["abstract"][FROM:])
    random, asked, rows = np.random.RandomState(0), [], []
    for i in random.permutation(SIZE)[:ASKED]:
        parts = SENTENCE.split(" ".join(documents[i].split()))
        if len(parts) >= 3:
            k = random.randint(len(parts))
            asked.append(parts[k])
            rows.append(np.array([i]))
            documents[i] = " ".join(parts[:k] + parts[k + 1 :])
    return Task(documents, asked, rows)


def headlines() -> Task:
    """Stories, asked for by their headlines."""
    split = [re.split(r"\n\s*\n|\n", text, maxsplit=1) for text in reuters.load()[0]]
    able = [i for i in np.random.RandomState(0).permutation(len(split)) if len(split[i]) == 2 and len(split[i][0].split()) >= 4]
    rows = able[:ASKED]
    return Task([each[-1] for each in split], [split[i][0] for i in rows], [np.array([i]) for i in rows])


TASKS: dict[str, Callable[[], Task]] = {
    "Cranfield": lambda: judged("cranfield"),
    "MED": lambda: judged("med"),
    "CISI": lambda: judged("cisi"),
    "arXiv by title": titles,
    "arXiv by sentence": claims,
    "Reuters by headline": headlines,
}


def measures(scores: FloatArray, relevant: IntArray) -> tuple[float, float]:
    """Average precision and nDCG@10 in per cent; equals in document order."""
    order = np.argsort(-np.round(scores, 9), kind="stable")
    places = np.sort(np.argsort(order, kind="stable")[relevant]) + 1
    precision = float(np.mean(np.arange(1, len(places) + 1) / places))
    ideal = np.sum(1.0 / np.log2(np.arange(2, min(FIRST, len(places)) + 2)))
    return 100.0 * precision, 100.0 * float(np.sum(1.0 / np.log2(places[places <= FIRST] + 1)) / ideal)


class Prepared:
    """One task with everything that the contenders need."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.words, self.counts = Vectorizer("bm25", **ALL_WORDS), Vectorizer("tf", **ALL_WORDS).fit(task.documents)
        self.terms = Vectorizer("bm25", stem="english")
        self.B = sp.csc_array(self.words.fit_transform(task.documents))
        self.X = self.terms.fit_transform(task.documents)
        self.method: Any = RLPI(DIMENSIONS, n_neighbors=NEIGHBORS, alpha=ALPHA).fit(self.X)

    def ranking(self, method: Any, lend: bool = True) -> Ranking:
        """With the embeddings of a method."""
        n = self.X.shape[0]
        lenders = row_stochastic(self.method.graph_.weights) if lend else sp.csr_array((n, n))
        projection = method.projection_.named(self.terms.terms_)
        return ranking_of(self.B, self.words.terms_, lenders, projection, np.asarray(unit_rows(projection.transform(self.X))))

    def question(self, text: str) -> Query:
        """As numbers."""
        row, weighted = csr(self.counts.transform([text])), csr(self.terms.transform([text]))
        return Query(
            *(row.indices.astype(np.int64), row.data.astype(np.float64)),
            *(weighted.indices.astype(np.int64), weighted.data.astype(np.float64)),
        )

    def scored(self, ranking: Ranking, *, terms: bool = True, embedding: bool = True) -> tuple[float, float]:
        """MAP and nDCG@10."""
        asked = zip(self.task.questions, self.task.relevant, strict=True)
        found = [
            measures(rank(ranking, self.question(text), terms=terms, embedding=embedding).scores, relevant)
            for text, relevant in asked
        ]
        means = np.mean(found, axis=0)
        return float(means[0]), float(means[1])


def contenders(prepared: Prepared) -> dict[str, tuple[float, float]]:
    """Everyone on one task."""
    fused = prepared.ranking(prepared.method)
    others = {f"LSI, {DIMENSIONS}": LSI(DIMENSIONS), "LPI, 30": LPI(30, n_neighbors=NEIGHBORS)}
    return {
        "BM25": prepared.scored(prepared.ranking(prepared.method, lend=False), embedding=False),
        **{name: prepared.scored(prepared.ranking(each.fit(prepared.X)), terms=False) for name, each in others.items()},
        f"RLPI, {DIMENSIONS}": prepared.scored(fused, terms=False),
        "BM25, words lent by neighbours": prepared.scored(fused, embedding=False),
        "both (vicinal)": prepared.scored(fused),
    }


def main() -> None:
    """MAP and nDCG@10 of everyone on every task."""
    rows: dict[str, dict[str, Any]] = {}
    for name, make in TASKS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", VicinalWarning)
            for who, (precision, gain) in contenders(Prepared(make())).items():
                rows.setdefault(who, {"who": who})[name] = f"{precision:.1f} / {gain:.1f}"
    setting = (
        f"MAP / nDCG@10, %. Stems; RLPI with {NEIGHBORS} neighbours and α = {ALPHA:g} on BM25 weights. Of the last three each "
        "question has one answer."
    )
    Answer("How good is search?", setting, list(rows.values())).save("retrieval")
