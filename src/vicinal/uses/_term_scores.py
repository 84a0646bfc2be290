"""What the terms of a query are worth: in all documents by themselves, and in some of them with what neighbours lend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from vicinal._typing import FloatArray, IntArray, Integers
from vicinal.uses._postings import NeighborPairs
from vicinal.uses._zero_arrays import zeros_for_a_while


@final
@dataclass(frozen=True, eq=False)
class AskedTerm:
    """One term of a query, and the documents that have it.

    Attributes
    ----------
    name : str
    times : float
        How often the query has it.
    documents : int array (k,)
        Those that have it, rising.
    weights : float array (k,)
        Its weight in each.
    is_lent : bool, default=True
        Whether it is lent to neighbours: not a term that came after the fit.
    """

    name: str
    times: float
    documents: Integers
    weights: FloatArray
    is_lent: bool = True


@final
@dataclass(frozen=True, eq=False)
class TermScores:
    """The terms of a query in all documents (R1).

    Attributes
    ----------
    terms : sequence of AskedTerm
    n_documents : int
    n_unknown : int
        Words of the query that no document has.
    """

    terms: Sequence[AskedTerm]
    n_documents: int
    n_unknown: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Of the terms."""
        return tuple(term.name for term in self.terms)

    @cached_property
    def means(self) -> FloatArray:
        """What each term is worth on average over all documents."""
        return np.array([term.times * term.weights.sum() / self.n_documents for term in self.terms])

    @property
    def ideal(self) -> float:
        """The sum of what each term is worth at most; an unknown word counts as the others on average (R5)."""
        most = [term.times * float(term.weights.max(initial=0.0)) for term in self.terms]
        return math.fsum(most) * (len(most) + self.n_unknown) / max(len(most), 1)

    def of(self, documents: IntArray) -> FloatArray:
        """What each term is worth in some documents by themselves, a row for each document."""
        found = np.empty((len(documents), len(self.terms)))
        for column, term in enumerate(self.terms):
            found[:, column] = term.times * _values(term, documents)
        return found

    def with_neighbors(self, documents: IntArray, pairs: NeighborPairs) -> FloatArray:
        """What each term is worth in some documents, or in the mean of their neighbours where that is more (R1).

        Parameters
        ----------
        documents : int array (k,)
        pairs : NeighborPairs
            Of these documents with neighbours that have a term.

        Returns
        -------
        float array (k, terms)
        """
        found = np.empty((len(documents), len(self.terms)))
        with zeros_for_a_while(self.n_documents, float) as weights:
            for column, term in enumerate(self.terms):
                weights[term.documents] = term.weights
                own = weights.take(documents)
                lent = pairs.means(weights.take(pairs.lenders)) if term.is_lent else own
                found[:, column] = term.times * np.maximum(own, lent)
                weights[term.documents] = 0.0
        return found


def _values(term: AskedTerm, wanted: IntArray) -> FloatArray:
    """The weights of a term in some documents, 0 where it is not."""
    at = np.searchsorted(term.documents, wanted)
    there = at < len(term.documents)
    there[there] = term.documents[at[there]] == wanted[there]
    found = np.zeros(len(wanted))
    found[there] = term.weights[at[there]]
    return found
