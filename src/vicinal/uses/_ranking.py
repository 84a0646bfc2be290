"""The retrieval engine: evidence from terms and from embeddings, combined into one score per document that is a sum over terms.

`vicinal.search`, `Index.search` and `Index.near` are three combinations of the same parts:

* `Evidence` is a score of every document with its decomposition over terms: cosines of weighted terms (`term_cosines`), or of
  embeddings (`embedding_cosines`);
* `Retrieved` is a weighted sum of evidence: it ranks documents and explains each score.

`vicinal.search` and `Index.near` add up cosines with fixed weights. `Index.search` combines BM25 (R1) and cosines of embeddings
(R2), which are on different scales. Both are standardised to z, the number of standard deviations above the mean of all documents,
and count by their surprise z |z| (R3); the embedding counts by its correlation with the terms over all documents (R4). The best
documents and their neighbours are then scored again with what their neighbours have (`_ranking_candidates`, R6 to R8).
docs/maths/search.md derives the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, final

import numpy as np

from vicinal._typing import BoolArray, FloatArray, IntArray, SparseMatrix
from vicinal.uses._kept_rows import AnyLenders, AnyRows
from vicinal.uses._postings import Postings
from vicinal.uses._ranking_candidates import Candidates, Direction, FirstPass, Sampled, candidates
from vicinal.uses._ranking_reasons import Few, deviations
from vicinal.uses._ranking_steps import BY_ARRAYS, RankingSteps
from vicinal.uses._retrieved import (
    EMBEDDING,
    Evidence,
    Parts,
    Retrieved,
    embedding_cosines,
    share_of,
    term_cosines,
)
from vicinal.uses._scores import Rescored, Scale, Surprises, surprise
from vicinal.uses._term_scores import AskedTerm, TermScores

#: In place of the scores of evidence that is summed with others already, and only explains.
_NOT_ALONE: FloatArray = np.zeros(0)


@final
@dataclass(frozen=True, eq=False)
class LateTerm:
    """A term that is not in the vocabulary: it came with documents added since the fit.

    Attributes
    ----------
    name : str
    documents : int array (k,)
        The documents that have it, rising.
    weights : float array (k,)
        Its weight in each.
    """

    name: str
    documents: IntArray
    weights: FloatArray


@final
@dataclass(frozen=True, eq=False)
class Query:
    """A query as numbers.

    Attributes
    ----------
    columns : int array (k,)
        Its terms, as columns of the BM25 weights.
    counts : float array (k,)
        How often it has each.
    positions : int array (m,)
        Its terms that the embedding has, as rows of the projection.
    terms : float array (m,)
        The weight of each there.
    late : tuple of LateTerm
        Terms of it that are not in the vocabulary.
    n_unknown : int
        Words of it that no document has.
    """

    columns: IntArray
    counts: FloatArray
    positions: IntArray
    terms: FloatArray
    late: tuple[LateTerm, ...] = ()
    n_unknown: int = 0


@final
@dataclass(frozen=True, eq=False)
class Asked:
    """What a query is made of: the documents that have its terms, and its embedding.

    Attributes
    ----------
    terms : TermScores or None
        None where documents are ranked by their embeddings alone.
    direction : Direction or None
        None where they are ranked by their terms alone.
    """

    terms: TermScores | None
    direction: Direction | None

    @property
    def whole_direction(self) -> Direction:
        """The direction, where documents are ranked by it."""
        assert self.direction is not None
        return self.direction


class Names(Protocol):
    """The names of terms."""

    def __getitem__(self, term: int, /) -> object: ...


class TermVectors(Protocol):
    """What is used of a projection: a vector for each term. `LinearMap` has it, and so has what reads vectors from a file."""

    @property
    def weights(self) -> Any:
        """From some terms to their vectors, by ``weights[terms]``."""

    @property
    def offset(self) -> FloatArray | None:
        """What is subtracted from every embedding."""

    @property
    def vocabulary(self) -> Any:
        """From a term to its name; None where terms have none."""


@final
@dataclass(frozen=True, eq=False)
class Ranking:
    """Documents that can be ranked by a query.

    Attributes
    ----------
    weights : Postings
        BM25 weights.
    names : sequence of str (terms,)
    lenders : Lenders or KeptLenders
        The neighbours that documents borrow terms from.
    projection : TermVectors
        From weighted terms to embeddings.
    embeddings : float array (documents, components)
        Rows of unit length, or zero.
    """

    weights: Postings
    names: Names
    lenders: AnyLenders
    projection: TermVectors
    embeddings: AnyRows

    def asked(self, query: Query, *, terms: bool = True, embedding: bool = True) -> Asked:
        """Look up what a query is made of: after this nothing is read any more, and any thread may rank by it."""
        return Asked(self._terms(query) if terms else None, self._direction(query) if embedding or not terms else None)

    def ranked(self, asked: Asked, among: BoolArray | None = None, steps: RankingSteps = BY_ARRAYS) -> Retrieved:
        """Score every document by both kinds of evidence, or by the one that was asked for.

        Parameters
        ----------
        asked : Asked
            What a query is made of.
        among : bool array (documents,), optional
            The documents that may be found, which candidates are chosen from; all by default.
        steps : RankingSteps
            What takes most of the time, by NumPy or compiled.
        """
        if asked.terms is None:
            return self._by_embedding(asked.whole_direction)
        first = self._first_pass(asked.terms, asked.direction, steps)
        if math.isinf(first.by_terms.spread) and first.totals.any():
            return _by_weights(first)
        again = candidates(first, self.lenders, self._sampled, among, steps)
        scores = Rescored(first.scores, again.rows, again.scores(first))
        ideal = (1.0 + first.neighbor_weight) * first.by_terms.ideal(first.terms.ideal) ** 2
        ideal += first.embedding_weight * first.by_cosine.ideal(1.0) ** 2
        return Retrieved(
            self._evidence(first, again, None),
            relevance=share_of(ideal),
            combined=scores,
            few=lambda rows: self._evidence(first, again, rows),
        )

    def _evidence(self, first: FirstPass, again: Candidates, rows: IntArray | None) -> tuple[tuple[float, Evidence], ...]:
        """The evidence for a few documents, which holds nothing of any others; for all where these are None."""
        weights = (1.0, first.embedding_weight, first.neighbor_weight)[: 1 if first.direction is None else 3]
        if rows is not None:
            known = Few.of(first, again, self._sampled, rows)
            return tuple((weight, Evidence(_NOT_ALONE, each)) for weight, each in zip(weights, known.kinds, strict=False))

        def explain(kind: int) -> Callable[[int], Parts]:
            """What explains one kind of evidence for any document."""
            return lambda document: Few.of(first, again, self._sampled, np.array([document])).kinds[kind](document)

        return tuple((weight, Evidence(_NOT_ALONE, explain(kind))) for kind, weight in enumerate(weights))

    def _first_pass(self, terms: TermScores, direction: Direction | None, steps: RankingSteps) -> FirstPass:
        """All documents by their own terms, and how far the embedding agrees with them (R1 to R4)."""
        totals = steps.totals(terms.terms, terms.n_documents)
        scores = Surprises(totals, Scale.of(totals))
        if direction is None:
            return FirstPass(terms, scores, None, Scale(0.0, math.inf), 0.0)
        by_cosine = self._sampled.scale(direction)
        agreement = self._sampled.agreement(scores, direction, by_cosine)
        return FirstPass(terms, scores, direction, by_cosine, agreement)

    def _terms(self, query: Query) -> TermScores:
        """The terms of a query, in the vocabulary or late, with the documents that have each."""
        known = (
            AskedTerm(str(self.names[column]), float(times), *self.weights.posting(int(column)))
            for column, times in zip(query.columns, query.counts, strict=True)
        )
        late = (AskedTerm(term.name, 1.0, term.documents, term.weights, is_lent=False) for term in query.late)
        return TermScores((*known, *late), self.embeddings.shape[0], query.n_unknown)

    def _direction(self, query: Query) -> Direction:
        """What each term contributes to the embedding of a query, of unit length in all."""
        contributions = query.terms[:, None] * self.projection.weights[query.positions]
        names = tuple(self._name(int(term)) for term in query.positions)
        if self.projection.offset is not None and len(query.positions):
            contributions, names = np.vstack([contributions, -self.projection.offset]), (*names, "(centre)")
        length = float(np.linalg.norm(contributions.sum(axis=0)))
        return Direction(names, contributions / length if length > 0 else contributions)

    def _by_embedding(self, direction: Direction) -> Retrieved:
        """The cosine of embeddings by itself (R2)."""
        found = embedding_cosines(np.asarray(self.embeddings), direction.whole, lambda _: ((), np.zeros(0))).scores
        scale = Scale.of(found)
        z = scale.z(found)

        def explain(document: int) -> Parts:
            """The terms of a document and what each adds."""
            return direction.names, deviations(direction, self.embeddings[document], self._mean_embedding, scale, z[document])

        return Retrieved(((1.0, Evidence(surprise(z), explain)),), relevance=share_of(scale.ideal(1.0) ** 2))

    def prepare(self) -> None:
        """Compute what all queries share, before several threads rank by it."""
        _ = self._sampled.some, self._sampled.mean

    @cached_property
    def _sampled(self) -> Sampled:
        return Sampled(self.embeddings)

    @cached_property
    def _mean_embedding(self) -> FloatArray:
        return np.asarray(np.asarray(self.embeddings).mean(axis=0), dtype=np.float64)

    def _name(self, term: int) -> str:
        vocabulary = self.projection.vocabulary
        return f"term {term}" if vocabulary is None else str(vocabulary[term])


def near(unit_terms: SparseMatrix, names: Names, embeddings: FloatArray, document: int) -> Retrieved:
    """Score every document by its similarity to one of them: the mean of two cosines, of terms and of embeddings.

    Parameters
    ----------
    unit_terms : sparse (documents, terms)
        BM25 weights by rows, each of unit length.
    names : sequence of str (terms,)
    embeddings : float array (documents, components)
        Rows of unit length, or zero.
    document : int
    """
    X, own = unit_terms, unit_terms[[document]]
    by_terms = term_cosines(X, own, lambda term: str(names[term]), lambda i: X[[i]])
    by_embedding = embedding_cosines(embeddings, embeddings[document], lambda i: ((EMBEDDING,), by_embedding.scores[[i]]))
    return Retrieved(((0.5, by_terms), (0.5, by_embedding)), add=np.sum)


def _by_weights(first: FirstPass) -> Retrieved:
    """Documents that all have the terms of a query as much as each other, so that none is surprising: scored by BM25 weights."""
    terms, ideal = first.terms, first.terms.ideal
    weights = Evidence(first.totals, lambda i: (terms.names, terms.of(np.array([i]))[0]))
    return Retrieved(((1.0, weights),), relevance=lambda scores: np.clip(scores / ideal, 0.0, 1.0))


def row_stochastic(weights: SparseMatrix) -> SparseMatrix:
    """The weights of a graph with each row scaled to add up to one; a document without neighbours keeps a zero row."""
    import scipy.sparse as sp

    from vicinal._matrix import csr

    W = sp.csr_array(weights)
    degrees = np.asarray(W.sum(axis=1)).ravel()
    return csr(sp.diags_array(np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0)) @ W)
