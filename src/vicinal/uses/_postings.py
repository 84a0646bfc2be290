"""Postings: the documents that have a term, with its weight in each; and what a document lends to those whose neighbour it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

from vicinal._typing import FloatArray, IntArray


class Postings(Protocol):
    """Weights of terms that can be asked for a term at a time."""

    def posting(self, column: int) -> tuple[IntArray, FloatArray]:
        """The documents that have a term, rising, and its weight in each."""


@final
class ColumnPostings:
    """Postings of a sparse array in memory.

    Parameters
    ----------
    weights : sparse (documents, terms), by columns
        Each column in document order.
    """

    def __init__(self, weights: Any) -> None:
        self.weights = weights

    def posting(self, column: int) -> tuple[IntArray, FloatArray]:
        """The documents that have a term, rising, and its weight in each."""
        start, stop = self.weights.indptr[column : column + 2]
        return self.weights.indices[start:stop], self.weights.data[start:stop].astype(np.float64)


@final
@dataclass(frozen=True, eq=False)
class Lent:
    """For each document the documents that it is a neighbour of, and the weight that it has for each of them.

    Attributes
    ----------
    starts : int array (documents + 1,)
        Where the list of each document begins.
    borrowers : int array
    weights : float array
    """

    starts: NDArray[Any]
    borrowers: NDArray[Any]
    weights: NDArray[Any]

    @classmethod
    def of(cls, neighbors: Any) -> Lent:
        """What is lent by the weights of neighbours (documents x documents), each row adding up to one."""
        import scipy.sparse as sp

        transposed = sp.csr_array(sp.csr_array(neighbors).T)
        return cls(transposed.indptr, transposed.indices, transposed.data)

    def borrowed(self, holders: IntArray, weights: FloatArray, n_documents: int) -> FloatArray:
        """The weight of a term in the mean of the neighbours of every document, given the documents that have it."""
        starts = self.starts[holders]
        lengths = self.starts[holders + 1] - starts
        entries = _ranges(starts, lengths)
        parts = self.weights[entries] * np.repeat(weights, lengths)
        return np.bincount(self.borrowers[entries], weights=parts, minlength=n_documents).astype(np.float64, copy=False)

    def restricted(self, kept: IntArray, positions: IntArray) -> Lent:
        """Among some documents only.

        Parameters
        ----------
        kept : int array
            The documents, in the order that they are to have.
        positions : int array
            From each document to its new place, -1 for one that is left out.
        """
        lengths = np.diff(self.starts)[kept]
        entries = _ranges(self.starts[kept], lengths)
        borrowers = positions[self.borrowers[entries]]
        there = borrowers >= 0
        left = np.bincount(np.repeat(np.arange(len(kept)), lengths)[there], minlength=len(kept))
        return Lent(np.concatenate([[0], np.cumsum(left)]), borrowers[there], self.weights[entries][there])


def _ranges(starts: IntArray, lengths: IntArray) -> IntArray:
    """Several ranges of positions, one behind the other."""
    positions: IntArray = np.arange(int(lengths.sum())) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    return positions
