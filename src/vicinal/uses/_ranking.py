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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from vicinal._matrix import csr, unit_rows
from vicinal._typing import BoolArray, FloatArray, IntArray, Integers, SparseMatrix, Terms
from vicinal.errors import BadData
from vicinal.projection import Explanation, LinearMap

#: Scores that agree to so many decimals are equal, and equals are taken in document order.
TIE_DECIMALS = 12
#: A standard deviation below this, relative to the largest score, is none.
SMALLEST = 1e-12
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
    """

    evidence: tuple[tuple[float, Evidence], ...]
    add: Callable[[FloatArray], float] = math.fsum
    relevance: Callable[[FloatArray], FloatArray] = lambda scores: np.clip(scores, 0.0, 1.0)

    @cached_property
    def scores(self) -> FloatArray:
        """The score of every document."""
        (weight, first), *others = self.evidence
        total = weight * first.scores
        for weight, each in others:
            total = total + weight * each.scores
        return np.asarray(total, dtype=np.float64)

    def best(self, limit: int, among: BoolArray | None = None) -> IntArray:
        """The documents with the highest scores above 0, best first, equals in document order; only those that ``among`` marks."""
        return highest(self.scores if among is None else np.where(among, self.scores, 0.0), limit)

    def n_above_zero(self, among: BoolArray | None = None) -> int:
        """How many documents `best` could return in all."""
        above = self.scores > 0.5 * 10.0**-TIE_DECIMALS
        return int(np.count_nonzero(above if among is None else above & among))

    def ordered(self, rows: IntArray) -> IntArray:
        """Some documents by decreasing score, whatever it is; equals in document order."""
        return rows[np.argsort(-np.round(self.scores[rows], TIE_DECIMALS), kind="stable")]

    def why(self, document: int) -> Explanation:
        """The contribution of each term to the score of a document; the parts add up to it."""
        found: dict[str, list[float]] = {}
        for weight, each in self.evidence:
            for name, part in zip(*each.explain(document), strict=True):
                found.setdefault(name, []).append(weight * float(part))
        parts = np.array([math.fsum(each) for each in found.values()])
        return Explanation(tuple(found), parts, float(self.add(parts)))


def highest(scores: FloatArray, limit: int) -> IntArray:
    """The positions of the highest scores above 0, best first; scores that agree to 12 decimals in order of position."""
    scores = np.round(scores, TIE_DECIMALS)
    least = np.partition(scores, -limit)[-limit] if limit < len(scores) else -np.inf
    among = np.flatnonzero((scores >= least) & (scores > 0))
    return among[np.argsort(-scores[among], kind="stable")[:limit]].astype(np.int64)


def term_cosines(X: Terms, row: SparseMatrix, name: Callable[[int], str], document: Callable[[int], SparseMatrix]) -> Evidence:
    """The cosine of the terms of each document with those of one row; all rows have unit length.

    Parameters
    ----------
    X : sparse or dense (documents, terms)
    row : sparse (1, terms)
    name : function from a term to its name
    document : function from a document to its row of X, sparse
    """

    def explain(number: int) -> Parts:
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


@final
@dataclass(frozen=True, eq=False)
class Standardized:
    """Evidence in standard deviations above the mean of all documents (R3).

    Attributes
    ----------
    z : float array (documents,)
    spread : float
        The standard deviation.
    means : float array (terms,)
        The mean contribution of each term.
    evidence : Evidence
    ideal : float
        The largest z that a document could have.
    """

    z: FloatArray
    spread: float
    means: FloatArray
    evidence: Evidence
    ideal: float

    def surprise(self) -> Evidence:
        """z |z| of every document, where each term contributes its own deviation times how unusual the whole is."""

        def explain(document: int) -> Parts:
            names, parts = self.evidence.explain(document)
            return names, np.asarray((parts - self.means) / self.spread * abs(self.z[document]))

        return Evidence(self.z * np.abs(self.z), explain)


def standardized(evidence: Evidence, means: FloatArray, ideal: float) -> Standardized:
    """Standardise evidence, and the score of an ideal document; where all documents have one score, z is 0 for each."""
    total = evidence.scores
    spread = float(total.std())
    constant = spread < SMALLEST * max(1.0, float(np.abs(total).max(initial=0.0)))
    z = np.zeros(len(total)) if constant else (total - total.mean()) / spread
    best = 0.0 if constant else max((ideal - float(total.mean())) / spread, 0.0)
    return Standardized(z, 1.0 if constant else spread, means, evidence, best)


def share_of(ideal: float) -> Callable[[FloatArray], FloatArray]:
    """Relevance (R5): the square root of the share of an ideal score, since scores are squares of deviations."""
    return lambda scores: np.sqrt(np.clip(scores / ideal, 0.0, 1.0)) if ideal > 0 else np.zeros(len(scores))


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
    terms : sparse row
        The same weighted for the projection.
    late : tuple of LateTerm
        Terms of it that are not in the vocabulary.
    n_unknown : int
        Words of it that no document has.
    """

    columns: IntArray
    counts: FloatArray
    terms: Terms
    late: tuple[LateTerm, ...] = ()
    n_unknown: int = 0


@final
@dataclass(frozen=True, eq=False)
class Ranking:
    """Documents that can be ranked by a query, or by one of them.

    Attributes
    ----------
    weights : sparse (documents, terms), by columns
        BM25 weights, each column in document order.
    names : array of str (terms,)
    neighbors : sparse (documents, documents), by rows
        Weights of the neighbour graph, each row adding up to one.
    projection : LinearMap
        From weighted terms to embeddings.
    embeddings : float array (documents, components)
        Rows of unit length, or zero.
    """

    weights: SparseMatrix
    names: Sequence[str] | NDArray[np.object_]
    neighbors: SparseMatrix
    projection: LinearMap
    embeddings: FloatArray

    def rank(self, query: Query, *, terms: bool = True, embedding: bool = True) -> Retrieved:
        """Score every document by both kinds of evidence, or by one of them.

        Parameters
        ----------
        query : Query
        terms, embedding : bool
            Which evidence is used.
        """
        by_terms = self._by_terms(query) if terms else None
        by_embedding = self._by_embedding(query) if embedding else None
        if by_terms is None or by_embedding is None:
            [one] = [each for each in (by_terms, by_embedding) if each is not None]
            return Retrieved(((1.0, one.surprise()),), relevance=share_of(one.ideal**2))
        agreement = max(float(np.mean(by_terms.z * by_embedding.z)), 0.0)
        ideal = by_terms.ideal**2 + agreement * by_embedding.ideal**2
        return Retrieved(((1.0, by_terms.surprise()), (agreement, by_embedding.surprise())), relevance=share_of(ideal))

    def near(self, document: int) -> Retrieved:
        """Score every document by its similarity to one of them: the mean of two cosines, of terms and of embeddings."""
        X, own = self.unit_terms, self.unit_terms[[document]]
        by_terms = term_cosines(X, own, lambda term: str(self.names[term]), lambda i: X[[i]])
        by_embedding = embedding_cosines(
            self.embeddings, self.embeddings[document], lambda i: ((EMBEDDING,), by_embedding.scores[[i]])
        )
        return Retrieved(((0.5, by_terms), (0.5, by_embedding)), add=np.sum)

    @cached_property
    def unit_terms(self) -> SparseMatrix:
        """The BM25 weights by rows, each of unit length."""
        return csr(unit_rows(csr(self.weights)))

    def _by_terms(self, query: Query) -> Standardized:
        """BM25, where a term counts as in the document or as in the mean of its neighbours, whichever is more (R1)."""
        n_documents, means, most = self.embeddings.shape[0], [], []
        total = np.zeros(n_documents)
        for column, times in zip(query.columns, query.counts, strict=True):
            counted = times * self._with_neighbors(int(column))
            means.append(counted.mean())
            most.append(counted.max(initial=0.0))
            total += counted
        for term in query.late:
            means.append(term.weights.sum() / n_documents)
            most.append(term.weights.max())
            total[term.documents] += term.weights
        names = (*(str(self.names[each]) for each in query.columns), *(term.name for term in query.late))
        ideal = (
            math.fsum(most) * (len(most) + query.n_unknown) / max(len(most), 1)
        )  # an unknown word counts as the others on average
        return standardized(Evidence(total, lambda i: (names, self._of_document(query, i))), np.array(means), ideal)

    def holders(self, query: Query) -> BoolArray:
        """Which documents have a term of a query themselves."""
        found = np.zeros(self.embeddings.shape[0], dtype=np.bool_)
        for documents in (*(self._posting(int(column))[0] for column in query.columns), *(term.documents for term in query.late)):
            found[documents] = True
        return found

    def _of_document(self, query: Query, document: int) -> FloatArray:
        """What each term of the query, in the vocabulary or late, contributes to one document."""
        late = [_values(term.documents, term.weights, np.array([document])) for term in query.late]
        return np.concatenate([query.counts * self._own_or_lent(document, query.columns), *late])

    def _with_neighbors(self, column: int) -> FloatArray:
        """One term in all documents: only those that have it and their neighbours are looked at."""
        holders, weights = self._posting(column)
        lent = self._lent_to[holders]
        parts = lent.data * np.repeat(weights, np.diff(lent.indptr))
        found = np.bincount(lent.indices, weights=parts, minlength=self.embeddings.shape[0]).astype(np.float64, copy=False)
        found[holders] = np.maximum(found[holders], weights)
        return found

    def _own_or_lent(self, document: int, columns: IntArray) -> FloatArray:
        """The weight of each term in one document, or in the mean of its neighbours where that is more."""
        start, stop = self.neighbors.indptr[document : document + 2]
        near = self.neighbors.indices[start:stop]
        found = np.zeros(len(columns))
        for i, column in enumerate(columns):
            holders, weights = self._posting(int(column))
            there = _values(holders, weights, np.append(near, document))
            found[i] = max(float(self.neighbors.data[start:stop] @ there[:-1]), float(there[-1]))
        return found

    def _posting(self, column: int) -> tuple[Integers, FloatArray]:
        """The documents that have a term, rising, and its weight in each."""
        start, stop = self.weights.indptr[column : column + 2]
        return self.weights.indices[start:stop], self.weights.data[start:stop].astype(np.float64)

    @cached_property
    def _lent_to(self) -> SparseMatrix:
        """The neighbour weights transposed: a row for each document with the documents that it is a neighbour of."""
        return csr(self.neighbors.T)

    def _by_embedding(self, query: Query) -> Standardized:
        """The cosine of embeddings (R2): the query's is the sum of what each of its terms contributes."""
        row = sp.csr_array(query.terms)
        if row.shape != (1, self.projection.n_terms):
            raise BadData(f"a query is one row of {self.projection.n_terms} terms, got shape {row.shape}. Weigh it as the others.")
        contributions = row.data[:, None] * self.projection.weights[row.indices]
        names = tuple(self._name(int(term)) for term in row.indices)
        if self.projection.offset is not None and row.nnz:
            contributions, names = np.vstack([contributions, -self.projection.offset]), (*names, "(centre)")
        length = float(np.linalg.norm(contributions.sum(axis=0)))
        contributions = contributions / length if length > 0 else contributions
        cosines = embedding_cosines(
            self.embeddings, contributions.sum(axis=0), lambda i: (names, np.asarray(contributions @ self.embeddings[i]))
        )
        return standardized(cosines, contributions @ self._mean_embedding, 1.0)

    @cached_property
    def _mean_embedding(self) -> FloatArray:
        return np.asarray(self.embeddings.mean(axis=0), dtype=np.float64)

    def _name(self, term: int) -> str:
        vocabulary = self.projection.vocabulary
        return f"term {term}" if vocabulary is None else str(vocabulary[term])


def _values(positions: Integers, values: FloatArray, wanted: IntArray) -> FloatArray:
    """The values at the wanted positions of a sparse column, 0 where there is none; ``positions`` rise."""
    at = np.searchsorted(positions, wanted)
    there = at < len(positions)
    there[there] = positions[at[there]] == wanted[there]
    found = np.zeros(len(wanted))
    found[there] = values[at[there]]
    return found


def row_stochastic(weights: SparseMatrix) -> SparseMatrix:
    """The weights of a graph with each row scaled to add up to one; a document without neighbours keeps a zero row."""
    W = sp.csr_array(weights)
    degrees = np.asarray(W.sum(axis=1)).ravel()
    return csr(sp.diags_array(np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0)) @ W)
