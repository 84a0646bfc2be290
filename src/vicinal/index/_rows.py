"""Rows: the documents that the present model has embedded, of which each array is read when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._store import Arrays, Store
from vicinal._typing import FloatArray, IntArray, SparseMatrix
from vicinal.errors import DamagedIndex
from vicinal.index import _stored
from vicinal.index._stored import consistent, kept_rows


@final
class Rows:
    """The documents that the present model has embedded, a row each; each array is read when it is first asked for.

    Parameters
    ----------
    store : Store
    generation : int
        Of the present model.
    """

    def __init__(self, store: Store, generation: int) -> None:
        self._store = store
        self._generation = generation

    @cached_property
    def _kept(self) -> tuple[IntArray, IntArray]:
        """The document of each row of the file, and the rows that are current."""
        with consistent(self._store):
            numbers = Arrays(self._store).get(_stored.NUMBERS)
            return numbers, kept_rows(self._store, numbers, self._generation)

    def _of(self, name: str) -> Any:
        """The current rows of an array of the file."""
        numbers, kept = self._kept
        with consistent(self._store):
            found = Arrays(self._store).get(name)
            if found.shape[0] != len(numbers):
                raise DamagedIndex(
                    f"{name!r} has {found.shape[0]} rows, and {len(numbers)} documents have one. Fit the index again."
                )
            return found[kept]

    @cached_property
    def numbers(self) -> IntArray:
        """The number of each document in the store, rising."""
        numbers, kept = self._kept
        return numbers[kept]

    @cached_property
    def counts(self) -> SparseMatrix:
        """How often each document has each term: sparse (rows, terms)."""
        found: SparseMatrix = sp.csr_array(self._of(_stored.COUNTS))
        return found

    @cached_property
    def embeddings(self) -> FloatArray:
        """The embedding of each document: (rows, components)."""
        found: FloatArray = self._of(_stored.EMBEDDINGS)
        return found

    @cached_property
    def clusters(self) -> IntArray:
        """The cluster of each document, from 0, in the order of the cluster table; -1 for none."""
        found: IntArray = self._of(_stored.CLUSTERS)
        with consistent(self._store):
            if found.max(initial=-1) >= _stored.n_clusters_of(self._store):
                raise DamagedIndex(f"{self._store.path}: the clusters are not those of the model. Fit the index again.")
        return found

    @cached_property
    def uncertainty(self) -> FloatArray:
        """How uncertain the cluster of each document is, from 0 to 1."""
        found: FloatArray = self._of(_stored.UNCERTAINTY)
        return found

    def row(self, number: int) -> int:
        """The row of a document, -1 where it has none."""
        at = int(np.searchsorted(self.numbers, number))
        return at if at < len(self.numbers) and self.numbers[at] == number else -1
