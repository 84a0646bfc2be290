"""Evidence for documents, as scores that are sums over terms; and documents as they are retrieved by a weighted sum of evidence."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from vicinal._typing import BoolArray, FloatArray, IntArray, SparseMatrix, Terms
from vicinal.projection import Explanation
from vicinal.uses._scores import TIE_DECIMALS, Plain, Scores

#: The name of a part of a score that comes from the embeddings of two documents and not from one term.
EMBEDDING = "(embedding)"

#: The terms of one document's score, and what each contributes.
Parts = tuple[tuple[str, ...], FloatArray]


@final
@dataclass(frozen=True, eq=False)
class Evidence:
    """A score of every document that can be decomposed over terms.

    Attributes
    ----------
    scores : float array (documents,)
    explain : function from a document to its Parts
        They add up to its score.
    """

    scores: FloatArray
    explain: Callable[[int], Parts]


@final
@dataclass(frozen=True, eq=False)
class Retrieved:
    """Every document scored for one query: a weighted sum of evidence.

    Attributes
    ----------
    evidence : tuple of (float, Evidence)
        Each with its weight.
    add : function from a float array to a float
        How the parts of an explanation are summed.
    relevance : function from scores to numbers from 0 to 1
        It rises with the score: see `share_of` (R5).
    combined : Scores, optional
        The scores, where they are combined already: evidence then only explains.
    few : function from an int array to evidence, optional
        The evidence for some documents, in place of that for all: it holds nothing of any others.
    """

    evidence: tuple[tuple[float, Evidence], ...]
    add: Callable[[FloatArray], float] = math.fsum
    relevance: Callable[[FloatArray], FloatArray] = lambda scores: np.clip(scores, 0.0, 1.0)
    combined: Scores | None = None
    few: Callable[[IntArray], tuple[tuple[float, Evidence], ...]] | None = None

    @cached_property
    def ranked(self) -> Scores:
        """The score of every document, which ranks it."""
        if self.combined is not None:
            return self.combined
        (weight, first), *others = self.evidence
        total = weight * first.scores
        for weight, each in others:
            total = total + weight * each.scores
        return Plain(np.asarray(total, dtype=np.float64))

    @property
    def scores(self) -> FloatArray:
        """The score of every document."""
        return self.ranked.whole

    def best(self, limit: int, among: BoolArray | None = None) -> IntArray:
        """The documents with the highest scores above 0, best first, equals in document order; only those that ``among`` marks."""
        return self.ranked.best(limit, among)

    def n_above_zero(self, among: BoolArray | None = None) -> int:
        """How many documents `best` could return in all."""
        return self.ranked.n_above_zero(among)

    def ordered(self, rows: IntArray) -> IntArray:
        """Some documents by decreasing score, whatever it is; equals in document order."""
        return rows[np.argsort(-np.round(self.ranked.of(rows), TIE_DECIMALS), kind="stable")]

    def why(self, document: int) -> Explanation:
        """The contribution of each term to the score of a document; the parts add up to it."""
        return self._summed(self.evidence, document)

    def whys(self, documents: IntArray) -> Callable[[], list[Explanation]]:
        """The same for several documents, made when they are asked for; nothing of any others is kept for it."""
        if self.few is None:
            made = [self.why(document) for document in documents.tolist()]
            return lambda: made
        evidence, summed = self.few(documents), replace(self, evidence=(), combined=None, few=None)._summed
        return lambda: [summed(evidence, document) for document in documents.tolist()]

    def _summed(self, evidence: Sequence[tuple[float, Evidence]], document: int) -> Explanation:
        found: dict[str, list[float]] = {}
        for weight, each in evidence:
            for name, part in zip(*each.explain(document), strict=True):
                found.setdefault(name, []).append(weight * float(part))
        parts = np.array([math.fsum(each) for each in found.values()])
        return Explanation(tuple(found), parts, float(self.add(parts)))


def term_cosines(X: Terms, row: SparseMatrix, name: Callable[[int], str], document: Callable[[int], SparseMatrix]) -> Evidence:
    """The cosine of the terms of each document with those of one row; all rows have unit length.

    Parameters
    ----------
    X : sparse or dense (documents, terms)
    row : sparse (1, terms)
    name : function from a term to its name
    document : function from a document to its row of X, sparse
    """

    import scipy.sparse as sp

    def explain(number: int) -> Parts:
        """The terms that a document shares with the query, and what each adds."""
        shared = sp.coo_array(document(number).multiply(row))
        return tuple(name(int(term)) for term in shared.col), shared.data.astype(np.float64)

    return Evidence(np.asarray(X @ row.toarray().ravel(), dtype=np.float64), explain)


def embedding_cosines(embeddings: FloatArray, direction: FloatArray, explain: Callable[[int], Parts]) -> Evidence:
    """The cosine of each embedding with a direction; both have unit length.

    In double precision a document's score does not depend on the documents beside it; in single precision, which an index keeps,
    BLAS sums a row in an order that depends on how many rows there are, and is several times faster.
    """
    if embeddings.dtype == np.float32:
        return Evidence(np.asarray(embeddings @ direction.astype(np.float32), dtype=np.float64), explain)
    return Evidence(np.asarray(np.einsum("ij,j->i", embeddings, direction)), explain)


def share_of(ideal: float) -> Callable[[FloatArray], FloatArray]:
    """Relevance (R5): the square root of the share of an ideal score, since scores are squares of deviations."""
    return lambda scores: np.sqrt(np.clip(scores / ideal, 0.0, 1.0)) if ideal > 0 else np.zeros(len(scores))
