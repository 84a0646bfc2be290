"""Active labelling on 20 Newsgroups: labels that are asked for, twenty at a time as a person would, against random ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from bench.classifier.material import Split, split
from bench.classifier.run import DRAWS
from bench.classifier.store import lines
from bench.harness import RESULTS
from bench.records import append_line
from vicinal import RLPI, Weighting
from vicinal._content_keys import content_order
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.projection import LinearMap
from vicinal.uses._classifier.ask import worth_labelling
from vicinal.uses._classifier.classifier_fit import fit_rule
from vicinal.uses._classifier.classifier_rule import ClassifierRule

FILE = RESULTS / "ask.jsonl"
BATCH = 20
SIZES = (20, 40, 60, 80, 100, 140, 200, 300, 400)  # after which accuracy is measured
WAYS = ("asked", "random")


@final
@dataclass(frozen=True, eq=False)
class Pool:
    """Documents to label, embedded once for all ways and seeds as labels do not change the embedding, and those to test with."""

    X: Terms
    classes: IntArray
    test: Terms
    test_classes: IntArray
    projection: LinearMap
    embeddings: FloatArray
    order: IntArray


def pool(data: Split, **settings: Any) -> Pool:
    """The documents weighted and embedded as `vicinal.Classifier` does."""
    weights = Weighting("bm25").fit(data.counts)
    X, test = weights.transform(data.counts), weights.transform(data.test_counts)
    projection: Any = RLPI(**{"n_components": 100, "n_neighbors": 15, "alpha": 15.0, **settings}).fit(X).projection_
    return Pool(X, data.classes, test, data.test_classes, projection, projection.transform(X), content_order(X))


def run(seeds: Sequence[int] = DRAWS, file: Path = FILE) -> None:
    """Every seed and way that has no result yet."""
    done = {(line["way"], line["seed"]) for line in lines(file)}
    wanted = [(way, seed) for seed in seeds for way in WAYS if (way, seed) not in done]
    if not wanted:
        return
    documents = pool(split("newsgroups", 0))
    for way, seed in wanted:
        line = {"way": way, "seed": seed, "accuracy": curve(documents, way, seed)}
        append_line(line, file)
        print(line, flush=True)


def curve(documents: Pool, way: str, seed: int, sizes: Sequence[int] = SIZES, batch: int = BATCH) -> dict[str, float]:
    """Accuracy on unseen documents after so many labels."""
    known, found = np.zeros(len(documents.classes), dtype=bool), {}
    rule: ClassifierRule | None = None
    for n in range(batch, max(sizes) + 1, batch):
        known[_next(documents, known, rule, batch, way, seed)] = True
        rule, accuracy = _learn(documents, known) if way == "asked" or n in sizes else (None, 0.0)
        if n in sizes:
            found[str(n)] = round(accuracy, 4)
    return found


def _next(documents: Pool, known: Any, rule: ClassifierRule | None, n: int, way: str, seed: int) -> IntArray:
    """The next documents to label."""
    if way == "random":
        return np.random.RandomState(seed).permutation(len(known))[known.sum() : known.sum() + n]
    logs = None if rule is None else rule.log_probabilities(documents.X)
    return worth_labelling(documents.embeddings, logs, n, order=documents.order, labelled=known, random_state=seed)


def _learn(documents: Pool, known: Any) -> tuple[ClassifierRule | None, float]:
    """The rule by the labels that are known, and its accuracy on unseen documents; none of a single class."""
    labels = np.full(len(known), -1, dtype=np.int64)
    names, labels[known] = np.unique(documents.classes[known], return_inverse=True)
    if len(names) < 2:
        return None, float(np.mean(documents.test_classes == names[0]))
    rule = fit_rule(documents.X, labels, len(names), documents.projection)
    predicted = names[rule.log_probabilities(documents.test).argmax(axis=1)]
    return rule, float(np.mean(predicted == documents.test_classes))
