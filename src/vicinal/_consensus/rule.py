"""The rule that sorts a document into a topic: a linear score per topic, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from vicinal._centroids import class_means, half_squared_norms
from vicinal._consensus.word_model import learn_words
from vicinal._probabilities import best_scaled, log_softmax
from vicinal._threads import single_threaded_libraries
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.projection import LinearMap, Projection
from vicinal.projection._products import Products
from vicinal.projection._projection import embed

TEMPERATURES = np.geomspace(0.25, 256.0, 41)
SAMPLE = 4000  # documents that the temperature is found from


@final
@dataclass(frozen=True, eq=False)
class Rule:
    """Scores that are sums over words, x A + b, so that every decision can be taken apart.

    Attributes
    ----------
    scores : LinearMap
        From what is counted, or from weights where nothing can be counted, to one score per topic.
    temperature : float
        What scores are divided by before they become probabilities (V12).
    log_shares : float array (topics,)
        ln of how common each topic is: all that is known of a document without words.
    telling : float array (terms, topics)
        How much each word tells a topic from the rest: its score, times how common it is there where words are counted (V13).
    """

    scores: LinearMap
    temperature: float
    log_shares: FloatArray
    telling: FloatArray

    def log_probabilities(self, rows: Terms) -> FloatArray:
        """ln p(topic | document) for each row; rows without words get the shares of the topics."""
        scaled = embed(self.scores, rows) / self.temperature
        empty = np.diff(rows.indptr) == 0 if hasattr(rows, "indptr") else ~np.any(rows, axis=1)
        scaled[empty] = self.log_shares
        return log_softmax(scaled)


def rule_of_words(evidence: Products, labels: IntArray, n_topics: int) -> Rule:
    """The rule under which each document's words are likeliest (V2)."""
    model = learn_words(evidence, labels, n_topics)
    scores = model.projection
    telling = np.exp(model.log_words) * scores.weights
    return Rule(scores, _temperature(evidence, labels, n_topics), model.log_shares, telling)


def rule_of_centres(projection: Projection, X: Terms, labels: IntArray, n_topics: int) -> Rule:
    """The nearest centre, for rows without countable words: linear too, -½‖z - c‖² = z·c - ½‖c‖² + the same for all topics."""
    Z = embed(projection, X)
    centres = class_means(Z, labels, n_topics)
    offset = half_squared_norms(centres)
    shift = np.zeros(n_topics) if projection.offset is None else projection.offset @ centres.T
    spread = float(np.mean(np.sum((Z[labels >= 0] - centres[labels[labels >= 0]]) ** 2, axis=1))) / max(1, Z.shape[1])
    sizes = np.maximum(np.bincount(labels[labels >= 0], minlength=n_topics), 0.5)
    scores = LinearMap(projection.weights @ centres.T, offset + shift)
    return Rule(scores, max(spread, 1e-12), np.log(sizes / sizes.sum()), scores.weights)


def _temperature(evidence: Products, labels: IntArray, n_topics: int) -> float:
    """The temperature at which one half of a document's words best foretells where the other half puts it (V12).

    A mixture of multinomials takes words to be independent, which they are not, and so is far too sure. Every other word of the
    vocabulary goes into one half. The words of topics are counted in other documents than those that are asked: a rare word
    knows its own document too well.
    """
    side = _sides(labels, n_topics)
    told: list[IntArray] = []
    foretold: list[FloatArray] = []
    with single_threaded_libraries():
        for taught, asked in ((0, 1), (1, 0)):
            scores = learn_words(evidence, np.where(side == taught, labels, -1), n_topics).projection
            documents = np.flatnonzero(side == asked)
            halves = _by_halves(evidence.X[documents[:: max(1, 2 * len(documents) // SAMPLE)]], scores)
            told += [np.argmax(half, axis=1) for half in halves]
            foretold += halves[::-1]
    answers, guesses = np.concatenate(told), np.concatenate(foretold)
    return float(TEMPERATURES[best_scaled((guesses / temperature for temperature in TEMPERATURES), answers)])


def _sides(labels: IntArray, n_topics: int) -> IntArray:
    """Halve the documents of every topic at random, but each time the same way: 0 or 1.

    -1 for documents without a topic, and for one that is its whole topic: no other knows its words.
    """
    mixed = np.random.RandomState(0).permutation(len(labels))
    order = mixed[np.argsort(labels[mixed], kind="stable")]  # topic after topic, mixed inside
    sizes = np.bincount(labels[labels >= 0], minlength=n_topics)
    counted = order[labels[order] >= 0]
    counted = counted[sizes[labels[counted]] > 1]
    side = np.full(len(labels), -1)
    side[counted] = np.arange(len(counted)) % 2
    return side


def _by_halves(rows: Any, scores: LinearMap) -> list[FloatArray]:
    """The scores of documents by every other word, and by the rest."""
    found = []
    for part in (0, 1):
        weights = scores.weights.copy()
        weights[part::2] = 0.0
        found.append(np.asarray(rows @ weights) - scores.offset)
    return found
