"""Postings: the documents that have a term, with its weight in each; and the neighbours that a document borrows terms from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, final

import numpy as np

from vicinal._typing import FloatArray, Floats, IntArray, Integers


class Postings(Protocol):
    """Weights of terms that can be asked for a term at a time."""

    def posting(self, column: int) -> tuple[Integers, FloatArray]:
        """The documents that have a term, rising, and its weight in each."""


@final
@dataclass(frozen=True, eq=False)
class NeighborPairs:
    """Some documents with each of their neighbours.

    Attributes
    ----------
    borrowers : int array (pairs,)
        Positions among these documents, rising.
    lenders : int array (pairs,)
    entries : int array (pairs,)
        Where the weight of each pair is.
    every_weight : float array
    n_documents : int
        How many documents these are.
    """

    borrowers: IntArray
    lenders: IntArray
    entries: IntArray
    every_weight: Floats
    n_documents: int

    @cached_property
    def weights(self) -> FloatArray:
        """The weight that the lender of each pair has in the mean of its borrower."""
        return self.every_weight.take(self.entries).astype(np.float64)

    def means(self, values: FloatArray) -> FloatArray:
        """For each of the documents the mean of its neighbours' values, given that of the lender of each pair; added in order."""
        found = np.bincount(self.borrowers, self.weights * values, minlength=self.n_documents)
        return np.asarray(found, dtype=np.float64)

    def lending(self, values: FloatArray) -> NeighborPairs:
        """The pairs whose lender has a value other than zero, given those of all documents."""
        there = np.flatnonzero(values.take(self.lenders) != 0)
        borrowers, lenders, entries = (each.take(there) for each in (self.borrowers, self.lenders, self.entries))
        return NeighborPairs(borrowers, lenders, entries, self.every_weight, self.n_documents)


@final
@dataclass(frozen=True, eq=False)
class Lenders:
    """For each document its neighbours, and the weight that each of them has in their mean.

    Attributes
    ----------
    starts : int array (documents + 1,)
        Where the list of each document begins.
    lenders : int array
    weights : float array
        Of each document they add up to one, or less where a neighbour is gone.
    """

    starts: Integers
    lenders: Integers
    weights: Floats

    def pairs(self, documents: IntArray) -> NeighborPairs:
        """Some documents with their neighbours."""
        lengths = self.starts[documents + 1] - self.starts[documents]
        entries = _ranges(self.starts[documents], lengths)
        borrowers = np.repeat(np.arange(len(documents)), lengths)
        lenders = self.lenders.take(entries).astype(np.int64)
        return NeighborPairs(borrowers, lenders, entries, self.weights, len(documents))

    def count(self, documents: IntArray) -> int:
        """How many neighbours some documents have in all."""
        return int((self.starts[documents + 1] - self.starts[documents]).sum())

    def restricted(self, kept: IntArray, positions: IntArray) -> Lenders:
        """Among some documents only.

        Parameters
        ----------
        kept : int array
            The documents, in the order that they are to have.
        positions : int array
            From each document to its new number, -1 for one that is left out.
        """
        lengths = np.diff(self.starts)[kept]
        entries = _ranges(self.starts[kept], lengths)
        lenders = positions[self.lenders[entries]]
        there = lenders >= 0
        left = np.bincount(np.repeat(np.arange(len(kept)), lengths)[there], minlength=len(kept))
        return Lenders(np.concatenate([[0], np.cumsum(left)]), lenders[there], self.weights[entries][there])


def _ranges(starts: Integers, lengths: Integers) -> IntArray:
    """Several ranges of positions, one behind the other."""
    positions: IntArray = np.arange(int(lengths.sum())) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    return positions
