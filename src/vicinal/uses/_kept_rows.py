"""Some rows of what is kept for all: documents that are gone are passed over when rows are looked up, and nothing is copied."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from vicinal._typing import FloatArray, Floats, IntArray, Integers
from vicinal.uses._postings import Lenders, NeighborPairs


@final
@dataclass(frozen=True, eq=False)
class KeptRows:
    """Some rows of an array, by their positions.

    Attributes
    ----------
    every : float array (rows, components)
    kept : int array (documents,)
        The row of each document.
    """

    every: FloatArray
    kept: IntArray

    @property
    def shape(self) -> tuple[int, ...]:
        """Documents, and components."""
        return len(self.kept), *self.every.shape[1:]

    def __len__(self) -> int:
        return len(self.kept)

    def __getitem__(self, documents: int | slice | IntArray) -> FloatArray:
        found: FloatArray = self.every[self.kept[documents]]
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        found = self.every[self.kept]
        return found if dtype is None else found.astype(dtype, copy=False)


@final
@dataclass(frozen=True, eq=False)
class KeptLenders:
    """The neighbours of some documents among themselves, as `Lenders` has them.

    Attributes
    ----------
    every : Lenders
        Of all rows.
    kept : int array (documents,)
        The row of each document.
    positions : int array (rows,)
        From a row to its document, -1 for one that is left out.
    """

    every: Lenders
    kept: IntArray
    positions: IntArray

    def pairs(self, documents: IntArray) -> NeighborPairs:
        """Some documents with their neighbours."""
        found = self.every.pairs(self.kept[documents])
        lenders = self.positions[found.lenders]
        there = np.flatnonzero(lenders >= 0)
        borrowers, entries = found.borrowers.take(there), found.entries.take(there)
        return NeighborPairs(borrowers, lenders.take(there), entries, self.every.weights, len(documents))

    def count(self, documents: IntArray) -> int:
        """How many neighbours some documents have in all."""
        return self.alone.count(documents)

    @cached_property
    def alone(self) -> Lenders:
        """The same with lists of their own, for compiled loops: all neighbours of all documents are looked at for it, once."""
        return self.every.restricted(self.kept, self.positions)

    @property
    def starts(self) -> Integers:
        """Where the list of each document begins."""
        return self.alone.starts

    @property
    def lenders(self) -> Integers:
        """All lists, one behind the other."""
        return self.alone.lenders

    @property
    def weights(self) -> Floats:
        """The weight of each entry."""
        return self.alone.weights


#: Embeddings and neighbours of documents, whether or not some rows are passed over.
AnyRows: TypeAlias = "FloatArray | KeptRows"
AnyLenders: TypeAlias = "Lenders | KeptLenders"
