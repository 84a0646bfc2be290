"""Ranking: two opinions on every document, by its words and by its place, become one score that is a sum over words.

**Words** are BM25, and a word that a document lacks is lent to it by its neighbours: it counts as in their mean, where that is more
(R1). **Meaning** is the cosine of the places of question and document (R2). Neither scale says anything by itself, so both are
measured in standard deviations z above the mean of *all* documents, and a score counts by how much it surprises: z |z|, which under
a normal law is about twice the nats (R3). Surprises of independent witnesses add up, and the second witness is believed as far as
it agrees with the first on the whole, which is their correlation over all documents (R4):

    score = z_w |z_w| + max(0, mean(z_w z_m)) z_m |z_m|

On a corpus of precise statements the two hardly agree and words decide; where people ask in other words than authors write, they
do. No part of it is set by hand, and every part is a sum over the question's words, so the score is too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import unit_rows
from vicinal._typing import FloatArray, IntArray, Terms
from vicinal.errors import BadData
from vicinal.projection import Explanation, Projection
from vicinal.uses._search import TIE_DECIMALS

SMALLEST = 1e-12  # a spread below this is none


@final
@dataclass(frozen=True, eq=False)
class Late:
    """A word that nothing was learnt of: it has no neighbours to be lent to, and no direction.

    Attributes
    ----------
    name : str
    documents : int array (k,)
        Who has it, rising.
    weights : float array (k,)
        What it counts there.
    """

    name: str
    documents: IntArray
    weights: FloatArray


@final
@dataclass(frozen=True, eq=False)
class Question:
    """What is asked, as numbers.

    Attributes
    ----------
    columns : int array (k,)
        The question's words, as columns of the documents' words.
    counts : float array (k,)
        How often it has each.
    terms : sparse row
        The same weighted for the projection.
    late : tuple of Late
        Words of it that are no columns: they came with documents that came later.
    """

    columns: IntArray
    counts: FloatArray
    terms: Terms
    late: tuple[Late, ...] = ()


@final
@dataclass(frozen=True, eq=False)
class Opinion:
    """What one witness says of all documents: a sum over the words of the question, in standard deviations.

    Attributes
    ----------
    names : tuple of str
        The words.
    z : float array (documents,)
        Of the sum, above its mean.
    spread : float
        Its standard deviation.
    means : float array (words,)
        What each word adds on average.
    adds : function from a document to a float array (words,)
        What each word adds to it.
    """

    names: tuple[str, ...]
    z: FloatArray
    spread: float
    means: FloatArray
    adds: Callable[[int], FloatArray]

    @property
    def surprise(self) -> FloatArray:
        """z |z| of every document."""
        return self.z * np.abs(self.z)

    def parts(self, document: int) -> FloatArray:
        """What each word adds to the surprise of one document: its own deviation, times how unusual the whole is."""
        return np.asarray((self.adds(document) - self.means) / self.spread * abs(self.z[document]))


def opinion(names: Sequence[str], total: FloatArray, means: FloatArray, adds: Callable[[int], FloatArray]) -> Opinion:
    """Measure a sum in standard deviations; where all documents are alike, nothing is said of any."""
    spread = float(total.std())
    alike = spread < SMALLEST * max(1.0, float(np.abs(total).max(initial=0.0)))
    z = np.zeros(len(total)) if alike else (total - total.mean()) / spread
    return Opinion(tuple(names), z, 1.0 if alike else spread, means, adds)


def highest(scores: FloatArray, limit: int) -> IntArray:
    """The places of the highest scores above 0, best first; equals in order."""
    scores = np.round(scores, TIE_DECIMALS)
    least = np.partition(scores, -limit)[-limit] if limit < len(scores) else -np.inf
    among = np.flatnonzero((scores >= least) & (scores > 0))
    return among[np.argsort(-scores[among], kind="stable")[:limit]].astype(np.int64)


@final
@dataclass(frozen=True, eq=False)
class Ranked:
    """Both opinions on a question, and the score that they make together.

    Attributes
    ----------
    words, meaning : Opinion
    agreement : float
        How far the second is believed: their correlation, or 0 where it is below.
    scores : float array (documents,)
    """

    words: Opinion
    meaning: Opinion
    agreement: float
    scores: FloatArray

    def best(self, limit: int) -> IntArray:
        """The documents with the highest scores above 0, best first; equals in document order."""
        return highest(self.scores, limit)

    def why(self, document: int) -> Explanation:
        """What each word of the question added to the score of a document; the parts add up to it."""
        found: dict[str, list[float]] = {}
        for share, side in ((1.0, self.words), (self.agreement, self.meaning)):
            for name, part in zip(side.names, side.parts(document), strict=True):
                found.setdefault(name, []).append(share * float(part))
        parts = np.array([math.fsum(each) for each in found.values()])
        return Explanation(tuple(found), parts, math.fsum(parts))


@final
@dataclass(frozen=True, eq=False)
class Ranking:
    """What is needed to rank documents by a question.

    Attributes
    ----------
    words : sparse (documents, words)
        BM25 weights, by columns, each in document order.
    names : array of str (words,)
    lenders : sparse (documents, documents), by rows
        Who is near whom, each row adding up to one.
    projection : Projection
        From weighted terms to places.
    places : float array (documents, d)
        Rows of length one, or of zeros.
    """

    words: Any
    names: Any
    lenders: Any
    projection: Projection
    places: FloatArray

    def rank(self, question: Question, *, words: bool = True, meaning: bool = True) -> Ranked:
        """Score every document; without ``words`` or without ``meaning`` by the other alone.

        Parameters
        ----------
        question : Question
        words, meaning : bool
            Which opinions are asked for.
        """
        silent = opinion((), np.zeros(self.places.shape[0]), np.zeros(0), lambda document: np.zeros(0))
        by_words = self._by_words(question) if words else silent
        by_meaning = self._by_meaning(question) if meaning else silent
        agreement = max(float(np.mean(by_words.z * by_meaning.z)), 0.0) if words else 1.0
        scores = by_words.surprise + agreement * by_meaning.surprise
        return Ranked(by_words, by_meaning, agreement, scores)

    def _by_words(self, question: Question) -> Opinion:
        """A word counts as in the document or as in the mean of its neighbours, whichever is more, once per time it is asked."""
        n_documents, means = self.places.shape[0], []
        total = np.zeros(n_documents)
        for column, times in zip(question.columns, question.counts, strict=True):
            counted = times * self._with_neighbours(int(column))
            means.append(counted.mean())
            total += counted
        for word in question.late:
            means.append(word.weights.sum() / n_documents)
            total[word.documents] += word.weights
        names = [*(str(self.names[each]) for each in question.columns), *(word.name for word in question.late)]
        return opinion(names, total, np.array(means), lambda document: self._adds(question, document))

    def _adds(self, question: Question, document: int) -> FloatArray:
        """What each word of the question, known or late, adds to one document."""
        late = [_values(word.documents, word.weights, np.array([document])) for word in question.late]
        return np.concatenate([question.counts * self._of_document(document, question.columns), *late])

    def _with_neighbours(self, column: int) -> FloatArray:
        """One word in all documents: only those that have it, and those that these lend to, are looked at."""
        holders, weights = self._posting(column)
        lent = self._borrowers[holders]
        parts = lent.data * np.repeat(weights, np.diff(lent.indptr))
        found = np.bincount(lent.indices, weights=parts, minlength=self.places.shape[0]).astype(np.float64, copy=False)
        found[holders] = np.maximum(found[holders], weights)
        return found

    def _of_document(self, document: int, columns: IntArray) -> FloatArray:
        """All words of the question in one document, or as its neighbours lend them."""
        start, stop = self.lenders.indptr[document : document + 2]
        near = self.lenders.indices[start:stop]
        found = np.zeros(len(columns))
        for i, column in enumerate(columns):
            holders, weights = self._posting(int(column))
            there = _values(holders, weights, np.append(near, document))
            found[i] = max(float(self.lenders.data[start:stop] @ there[:-1]), float(there[-1]))
        return found

    def _posting(self, column: int) -> tuple[IntArray, FloatArray]:
        """Who has a word, in document order, and how much it weighs there."""
        start, stop = self.words.indptr[column : column + 2]
        return self.words.indices[start:stop], self.words.data[start:stop].astype(np.float64)

    @cached_property
    def _borrowers(self) -> Any:
        """A row for each document: who borrows from it."""
        return sp.csr_array(self.lenders.T)

    def _by_meaning(self, question: Question) -> Opinion:
        """The cosine: each word of the question points somewhere, and documents lie along the sum of these or not."""
        row = sp.csr_array(question.terms)
        if row.shape != (1, self.projection.n_terms):
            raise BadData(f"a question is one row of {self.projection.n_terms} terms, got shape {row.shape}.")
        pointing = row.data[:, None] * self.projection.weights[row.indices]
        names = self._names(row.indices)
        if self.projection.offset is not None and row.nnz:
            pointing, names = np.vstack([pointing, -self.projection.offset]), [*names, "(centre)"]
        direction = pointing.sum(axis=0)
        length = float(np.linalg.norm(direction))
        pointing = pointing / length if length > 0 else pointing
        total = np.asarray(self.places @ pointing.sum(axis=0).astype(self.places.dtype), dtype=np.float64)
        return opinion(names, total, pointing @ self._middle, lambda i: pointing @ self.places[i])

    @cached_property
    def _middle(self) -> FloatArray:
        return np.asarray(self.places.mean(axis=0), dtype=np.float64)

    def _names(self, terms: IntArray) -> list[str]:
        vocabulary = self.projection.vocabulary
        return [f"term {each}" if vocabulary is None else str(vocabulary[each]) for each in terms]


def _values(places: IntArray, values: FloatArray, wanted: IntArray) -> FloatArray:
    """What stands at the wanted places of a sparse column, 0 where nothing does; places rise."""
    at = np.searchsorted(places, wanted)
    there = at < len(places)
    there[there] = places[at[there]] == wanted[there]
    found = np.zeros(len(wanted))
    found[there] = values[at[there]]
    return found


def averaging(weights: Any) -> Any:
    """Rows of a graph's weights, each scaled to add up to one; a document without neighbours borrows nothing."""
    W = sp.csr_array(weights)
    degrees = np.asarray(W.sum(axis=1)).ravel()
    return sp.csr_array(sp.diags_array(np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0)) @ W)


def places_of(projection: Projection, X: Terms) -> FloatArray:
    """Places of documents, as rows of length one."""
    return np.asarray(unit_rows(projection.transform(X)))
