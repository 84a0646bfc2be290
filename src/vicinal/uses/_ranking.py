"""The retrieval engine: evidence from terms and from embeddings, combined into one score per document that is a sum over terms.

`vicinal.search`, `Index.search` and `Index.near` are three combinations of the same parts:

* `Evidence` is a score of every document with its decomposition over terms: cosines of weighted terms (`term_cosines`), cosines of
  embeddings (`embedding_cosines`), or BM25 with the mean of the neighbours (R1, in `Ranking`);
* `Retrieved` is a weighted sum of evidence: it ranks documents and explains each score.

`vicinal.search` and `Index.near` add up cosines with fixed weights. `Index.search` combines BM25 (R1) and cosines of embeddings
(R2), which are on different scales. Both are standardised to z, the number of standard deviations above the mean of all documents,
and count by their surprise z |z| (R3); the embedding counts by its correlation with the terms over all documents (R4):

    score = z_t |z_t| + max(0, mean(z_t z_e)) z_e |z_e|

No weight is set by hand. docs/maths/search.md derives the formulas.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, final

import numpy as np

from vicinal._threads import count_threads
from vicinal._typing import BoolArray, FloatArray, IntArray, SparseMatrix
from vicinal.uses._postings import ColumnPostings, Lent, Postings
from vicinal.uses._retrieved import (
    EMBEDDING,
    Evidence,
    Parts,
    Retrieved,
    Standardized,
    embedding_cosines,
    share_of,
    standardized,
    term_cosines,
)
from vicinal.uses._term_scores import TermScores, TermScoresCache, term_scores


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


class Names(Protocol):
    """The names of terms."""

    def __getitem__(self, term: int, /) -> Any: ...


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
    lent : Lent
        What documents lend to those that they are neighbours of.
    projection : TermVectors
        From weighted terms to embeddings.
    embeddings : float array (documents, components)
        Rows of unit length, or zero.
    compiled : bool, default=False
        Whether loops are compiled, which takes half a second once: not for a single query.
    """

    weights: Postings
    names: Names
    lent: Lent
    projection: TermVectors
    embeddings: FloatArray
    compiled: bool = False

    @classmethod
    def of(cls, weights: Any, names: Any, neighbors: Any, projection: TermVectors, embeddings: FloatArray) -> Ranking:
        """From sparse arrays: BM25 weights by columns, and weights of neighbours by rows, each row adding up to one."""
        return cls(ColumnPostings(weights), names, Lent.of(neighbors), projection, embeddings)

    def rank(self, query: Query, *, terms: bool = True, embedding: bool = True, cosines: FloatArray | None = None) -> Retrieved:
        """Score every document by both kinds of evidence, or by one of them.

        Parameters
        ----------
        query : Query
        terms, embedding : bool
            Which evidence is used.
        cosines : float array (documents,), optional
            Of the embeddings with the query, where `prepare` has computed them.
        """
        by_terms = self._by_terms(query) if terms else None
        by_embedding = self._by_embedding(query, cosines) if embedding else None
        if by_terms is None or by_embedding is None:
            [one] = [each for each in (by_terms, by_embedding) if each is not None]
            return Retrieved(((1.0, one.surprise()),), relevance=share_of(one.ideal**2))
        agreement = max(float(np.mean(by_terms.z * by_embedding.z)), 0.0)
        ideal = by_terms.ideal**2 + agreement * by_embedding.ideal**2
        return Retrieved(((1.0, by_terms.surprise()), (agreement, by_embedding.surprise())), relevance=share_of(ideal))

    def _by_terms(self, query: Query) -> Standardized:
        """BM25, where a term counts as in the document or as in the mean of its neighbours, whichever is more (R1)."""
        n_documents, means, most = self.embeddings.shape[0], [], []
        total, each = np.zeros(n_documents), []
        for column, times in zip(query.columns, query.counts, strict=True):
            scores = self._with_neighbors(int(column))
            means.append(times * scores.mean)
            most.append(times * scores.largest)
            scores.add_to(total, times)
            each.append((times, scores))
        for term in query.late:
            means.append(term.weights.sum() / n_documents)
            most.append(term.weights.max())
            total[term.documents] += term.weights
        names = (*(str(self.names[each]) for each in query.columns), *(term.name for term in query.late))
        ideal = (
            math.fsum(most) * (len(most) + query.n_unknown) / max(len(most), 1)
        )  # an unknown word counts as the others on average
        return standardized(Evidence(total, lambda i: (names, _of_document(each, query.late, i))), np.array(means), ideal)

    def holders(self, query: Query) -> BoolArray:
        """Which documents have a term of a query themselves."""
        found = np.zeros(self.embeddings.shape[0], dtype=np.bool_)
        lists = (self.weights.posting(int(column))[0] for column in query.columns)
        for documents in (*lists, *(term.documents for term in query.late)):
            found[documents] = True
        return found

    def _with_neighbors(self, column: int) -> TermScores:
        """One term in all documents: only those that have it and their neighbours are looked at."""
        found = self._kept.get(column)
        if found is None:
            found = term_scores(self.lent, *self.weights.posting(column), self.embeddings.shape[0], self.compiled)
            self._kept.put(column, found)
        return found

    @cached_property
    def _kept(self) -> TermScoresCache:
        return TermScoresCache()

    def prepare(self, queries: Sequence[Query], *, terms: bool = True, embedding: bool = True) -> list[FloatArray | None]:
        """Compute what is slow for several queries together: the scores of their terms in threads, and all cosines by one product.

        Parameters
        ----------
        queries : sequence of Query
        terms, embedding : bool
            Which evidence will be used.

        Returns
        -------
        list of float arrays (documents,), or of None
            For each query what `rank` takes as ``cosines``.
        """
        if terms and self.compiled:
            columns = np.unique(np.concatenate([query.columns for query in queries]))
            threads = count_threads(None)
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(self._with_neighbors, columns.tolist()))
        if not embedding or self.embeddings.dtype != np.float32:
            return [None] * len(queries)
        directions = np.array([self._direction(query)[0].sum(axis=0) for query in queries], dtype=np.float32)
        return list(np.ascontiguousarray((self.embeddings @ directions.T).T, dtype=np.float64))

    def _direction(self, query: Query) -> tuple[FloatArray, tuple[str, ...]]:
        """What each term contributes to the embedding of a query, of unit length in all, and the names of these parts."""
        contributions = query.terms[:, None] * self.projection.weights[query.positions]
        names = tuple(self._name(int(term)) for term in query.positions)
        if self.projection.offset is not None and len(query.positions):
            contributions, names = np.vstack([contributions, -self.projection.offset]), (*names, "(centre)")
        length = float(np.linalg.norm(contributions.sum(axis=0)))
        return contributions / length if length > 0 else contributions, names

    def _by_embedding(self, query: Query, cosines: FloatArray | None) -> Standardized:
        """The cosine of embeddings (R2): the query's is the sum of what each of its terms contributes."""
        contributions, names = self._direction(query)

        def explain(document: int) -> Parts:
            return names, np.asarray(contributions @ self.embeddings[document])

        if cosines is None:
            evidence = embedding_cosines(self.embeddings, contributions.sum(axis=0), explain)
        else:
            evidence = Evidence(cosines, explain)
        return standardized(evidence, contributions @ self._mean_embedding, 1.0)

    @cached_property
    def _mean_embedding(self) -> FloatArray:
        return np.asarray(self.embeddings.mean(axis=0), dtype=np.float64)

    def _name(self, term: int) -> str:
        vocabulary = self.projection.vocabulary
        return f"term {term}" if vocabulary is None else str(vocabulary[term])


def near(unit_terms: Any, names: Any, embeddings: FloatArray, document: int) -> Retrieved:
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


def _of_document(each: list[tuple[float, TermScores]], late: tuple[LateTerm, ...], document: int) -> FloatArray:
    """What each term of a query, in the vocabulary or late, contributes to one document."""
    found = [times * scores.of(document) for times, scores in each]
    return np.array([*found, *(float(_values(term.documents, term.weights, np.array([document]))[0]) for term in late)])


def _values(positions: IntArray, values: FloatArray, wanted: IntArray) -> FloatArray:
    """The values at the wanted positions of a sparse column, 0 where there is none; ``positions`` rise."""
    at = np.searchsorted(positions, wanted)
    there = at < len(positions)
    there[there] = positions[at[there]] == wanted[there]
    found = np.zeros(len(wanted))
    found[there] = values[at[there]]
    return found


def row_stochastic(weights: SparseMatrix) -> SparseMatrix:
    """The weights of a graph with each row scaled to add up to one; a document without neighbours keeps a zero row."""
    import scipy.sparse as sp

    from vicinal._matrix import csr

    W = sp.csr_array(weights)
    degrees = np.asarray(W.sum(axis=1)).ravel()
    return csr(sp.diags_array(np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0)) @ W)
