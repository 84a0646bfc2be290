"""Fingerprints: answers of the library, kept before a change of the code and compared after it.

``python -m tools.fingerprints --save before.npz`` records them; with ``--compare before.npz`` they are made anew, and for each
it is printed whether it has the same bits, else the largest difference relative to the largest value. They are embeddings,
clusters and probabilities of the docstrings of NumPy; hits, scores, reasons and exported rows of an index of them; and, where the
real corpora are found, embeddings of TDT2 and 20 Newsgroups (``--clusters``: also the clusters of 20 Newsgroups, a minute more).
A change that is said to alter no answer alters none of these.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import vicinal
from corpora.place import available
from vicinal import RLPI, Classifier, Topics, Vectorizer
from vicinal._typing import LabelArray as Answer
from vicinal.datasets import load_docstrings

QUERIES = ("draw random samples from a normal distribution", "sort an array", '"linear algebra" -inverse')
Answers = Iterator[tuple[str, Answer]]


def of_estimators() -> Answers:
    """Embeddings, clusters with two seeds, and probabilities of a classifier with one label in ten."""
    documents = load_docstrings(["numpy"])
    texts = [document.text for document in documents]
    X = Vectorizer("bm25", min_df=2).fit_transform(texts)
    yield "RLPI: embeddings", RLPI(n_components=20, n_neighbors=10, alpha=1.0).fit_transform(X)
    for seed in (0, 1):
        topics = Topics(random_state=seed).fit(texts)
        yield f"Topics, seed {seed}: clusters", topics.labels_
        yield f"Topics, seed {seed}: uncertainty", topics.uncertainty_
    known = [document.label if i % 10 == 0 else None for i, document in enumerate(documents)]
    yield "Classifier: probabilities", Classifier().fit(texts, known).predict_proba(texts)


def of_an_index() -> Answers:
    """Hits with scores and reasons of three queries, clusters, and what is exported."""
    with TemporaryDirectory() as folder, vicinal.open(Path(folder, "demo.vic"), create=True) as index:
        index.add(load_docstrings(["numpy"]))
        index.fit()
        for query in QUERIES:
            hits = index.search(query, limit=10)
            yield f"search {query!r}: ids", np.array([hit.id for hit in hits])
            yield f"search {query!r}: scores", np.array([hit.score for hit in hits])
            yield f"search {query!r}: reasons", np.array([value for hit in hits for _, value in hit.why.top(5)])
        yield "index: sizes of clusters", np.array([each.size for each in index.clusters()])
        for what, ending in (("documents", "csv"), ("embeddings", "npz"), ("projection", "npz")):
            file = Path(folder, f"{what}.{ending}")
            index.export(file, what=what)
            yield f"export of {what}", np.frombuffer(file.read_bytes(), dtype=np.uint8)


def of_corpora(clusters: bool) -> Answers:
    """Embeddings of the real corpora that are found, and, if asked, the clusters of 20 Newsgroups."""
    from bench.data import newsgroups_bm25, tdt2_tf

    sources: dict[str, Callable[[], tuple[Answer, Answer]]] = {"tdt2": tdt2_tf, "newsgroups": newsgroups_bm25}
    for name in sorted(sources.keys() & set(available())):
        X, _ = sources[name]()
        yield f"RLPI of {name}: embeddings", RLPI(n_components=30, n_neighbors=15, alpha=1.0).fit_transform(X)
    if clusters and "newsgroups" in available():
        from corpora import newsgroups

        yield "Topics of newsgroups: clusters", Topics(n_clusters=20, random_state=0).fit(newsgroups.load()[0]).labels_


def make(clusters: bool) -> dict[str, Answer]:
    """All answers by name; each is named when it is there, since some take a minute."""
    answers = {}
    for source in (of_estimators(), of_an_index(), of_corpora(clusters)):
        for name, answer in source:
            print(name, flush=True, file=sys.stderr)
            answers[name] = np.asarray(answer)
    return answers


def difference(before: Answer, now: Answer) -> str:
    """How two answers differ, in words: "the same bits", a relative difference, or that they cannot be compared by numbers."""
    if before.shape != now.shape:
        return f"another shape: {before.shape} before, {now.shape} now"
    if np.array_equal(before, now):
        return "the same bits"
    if before.dtype.kind != "f":
        return f"{np.mean(before != now):.2%} of {before.size:,} entries differ"
    return f"differs by {np.abs(now - before).max() / max(np.abs(before).max(), np.finfo(float).tiny):.1e} of the largest"


def main() -> int:
    """Parse the command, record or compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--save", type=Path, metavar="FILE", help="record the answers of the present code")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="compare the answers of the present code with recorded ones")
    parser.add_argument("--clusters", action="store_true", help="also the clusters of 20 Newsgroups")
    options = parser.parse_args()
    if not options.save and not options.compare:
        parser.error("name a file: --save FILE before a change, --compare FILE after it")
    answers = make(options.clusters)
    if options.save:
        np.savez_compressed(options.save, allow_pickle=False, **answers)
    if not options.compare:
        return 0
    with np.load(options.compare) as before:
        rows = {name: difference(before[name], answers[name]) if name in answers else "not made now" for name in before.files}
    print("\n".join(f"{name}: {said}" for name, said in rows.items()))
    return int(any(said != "the same bits" for said in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
