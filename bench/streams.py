"""Does a fit that goes on with each tenth of a corpus, in the order of time, give what a fit to all of it gives, and at what cost?

Abstracts of arXiv by the day they were created. The first tenth is fitted; each later one is learnt with `Vectorizer.partial_fit`
and `RLPI.partial_fit`, and beside it, in the same run, vectorizer and RLPI are fitted to all documents so far. CPU seconds of one
thread; those of counting words are told apart, as a refit need not read its texts again where counts are kept.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from bench.harness import Answer
from corpora import arxiv
from vicinal import RLPI, Vectorizer
from vicinal._matrix import unit_rows
from vicinal._typing import FloatArray, IntArray, SparseMatrix
from vicinal.errors import VicinalWarning

SIZE, TENTHS = 30_000, 10
NEIGHBORS = 10
ASKED = 5_000  # documents whose category is predicted from their nearest others, at most
SMALL = 300  # documents of a last, small batch
WITHIN, SHARE = 0.01, 0.25  # of accuracy, and of the cost, that are asked for


def in_order(size: int = SIZE) -> tuple[list[str], IntArray]:
    """Texts and categories, the oldest first."""
    papers = arxiv.load(("abstract", "category", "created"), limit=size)
    order = np.argsort(np.array(papers["created"]), kind="stable")
    _, categories = np.unique(papers["category"], return_inverse=True)
    return [papers["abstract"][each] for each in order], categories[order]


def accuracy(Z: FloatArray, categories: IntArray, asked: IntArray) -> float:
    """How often most of a document's nearest others, weighed by their cosines, are of its category."""
    U = np.asarray(unit_rows(Z))
    right = 0
    for part in np.array_split(asked, max(1, len(asked) // 500)):
        cosines = U[part] @ U.T
        cosines[np.arange(len(part)), part] = -np.inf
        near = np.argpartition(-cosines, NEIGHBORS, axis=1)[:, :NEIGHBORS]
        votes = np.zeros((len(part), categories.max() + 1))
        for column in near.T:
            np.add.at(votes, (np.arange(len(part)), categories[column]), cosines[np.arange(len(part)), column])
        right += int(np.sum(votes.argmax(axis=1) == categories[part]))
    return right / len(asked)


def timed(job: Callable[[], Any]) -> tuple[float, Any]:
    """CPU seconds, and what was returned."""
    start = time.process_time()
    result = job()
    return time.process_time() - start, result


class Going:
    """A vectorizer and RLPI that go on, with the rows of all documents so far."""

    def __init__(self) -> None:
        self.vectorizer, self.method, self.words, self.learning = Vectorizer(), RLPI(n_jobs=1), 0.0, 0.0

    def take(self, texts: list[str]) -> None:
        """Learn from a batch."""
        self.words, rows = timed(lambda: self.vectorizer.partial_fit(texts).transform(texts))
        self.learning, _ = timed(lambda: self.method.partial_fit(rows))

    def embed(self, texts: list[str]) -> FloatArray:
        """As any text is embedded now."""
        return self.method.transform(self.vectorizer.transform(texts))


def refitted(texts: list[str]) -> tuple[float, float, SparseMatrix, RLPI]:
    """CPU seconds for words and for learning, rows, and the method."""
    words, rows = timed(lambda: Vectorizer().fit_transform(texts))
    learning, method = timed(lambda: RLPI(n_jobs=1).fit(rows))
    return words, learning, rows, method


def row(tenth: int, going: Going, first: Going, texts: list[str], categories: IntArray) -> dict[str, Any]:
    """One tenth: accuracies and costs."""
    words, learning, rows, method = refitted(texts)
    asked = np.random.RandomState(tenth).permutation(len(texts))[:ASKED]
    found = accuracy(going.embed(texts), categories, asked)
    anew = accuracy(method.transform(rows), categories, asked)
    return {
        "after tenth": tenth,
        "documents": len(texts),
        "terms": len(going.vectorizer.terms_),
        "partial_fit: accuracy": round(found, 4),
        "refit": round(anew, 4),
        "difference": round(found - anew, 4),
        "first map, never refitted": round(accuracy(first.embed(texts), categories, asked), 4),
        "partial_fit: CPU s": round(going.learning, 2),
        "refit: CPU s": round(learning, 2),
        "share": round(going.learning / learning, 2),
        "share with words": round((going.learning + going.words) / (learning + words), 2),
        "steps of the regression": going.method.n_iter_,
    }


def verdicts(rows: list[dict[str, Any]], small: tuple[float, float]) -> list[str]:
    """What the rows say of what was asked."""
    later = rows[1:]
    differences = [each["difference"] for each in later]
    worst, mean = min(differences), float(np.mean(differences))
    cheap = [each["after tenth"] for each in later if each["share"] <= SHARE]
    ours, anew = (sum(each[f"{who}: CPU s"] for each in later) for who in ("partial_fit", "refit"))
    return [
        f"accuracy: {worst:+.4f} from a refit at worst (asked: {-WITHIN:+.2f}), {mean:+.4f} in the mean of nine tenths",
        f"at most {SHARE} of the cost of a refit after {', '.join(map(str, cheap)) or 'no'} tenths; of all nine {ours / anew:.2f}",
        "after tenth t the new documents are a t-th of all, and to search for their neighbours both ways costs 2/t of all pairs",
        f"{SMALL} more documents at the end: {small[0]:.2f} CPU s, {small[0] / small[1]:.2f} of a refit",
    ]


def main() -> None:
    """Measure every tenth."""
    warnings.simplefilter("ignore", VicinalWarning)
    texts, categories = in_order(SIZE + SMALL)
    _warm_up(texts)
    going, first, rows, step = Going(), Going(), list[dict[str, Any]](), SIZE // TENTHS
    first.take(texts[:step])
    for tenth in range(1, TENTHS + 1):
        going.take(texts[(tenth - 1) * step : tenth * step])
        rows.append(row(tenth, going, first, texts[: tenth * step], categories[: tenth * step]))
        print(rows[-1], flush=True)
    going.take(texts[SIZE:])
    checks = verdicts(rows, (going.learning, rows[-1]["refit: CPU s"]))
    print(*checks, sep="\n")
    setting = f"{SIZE:,} arXiv abstracts in the order of their dates, 89 categories, RLPI(), one thread"
    Answer("Does a fit that goes on keep up with a refit?", setting, rows, checks).save("streams")


def _warm_up(texts: list[str]) -> None:
    """Compile what both use."""
    going = Going()
    going.take(texts[:700])
    going.take(texts[700:1_500])
    refitted(texts[:1_000])


if __name__ == "__main__":
    main()
