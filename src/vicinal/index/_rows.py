"""Rows: the documents that the present model has embedded, read array by array when first asked for, and how they are kept."""

from __future__ import annotations

from functools import cached_property
from typing import Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._store import Arrays, Store
from vicinal._typing import FloatArray, IntArray, SparseMatrix
from vicinal.errors import DamagedIndex
from vicinal.index import _stored
from vicinal.index._model import Embedded
from vicinal.index._search.stored_postings import has_postings, lengths_of, save_postings
from vicinal.index._stored import consistent, current_rows, kept_rows


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


def put_rows(store: Store, numbers: IntArray, embedded: Embedded, neighbors: SparseMatrix) -> None:
    """Keep the rows of the documents that a model was fitted to, in place of all others."""
    arrays = Arrays(store)
    for name, array in _row_arrays(numbers, embedded).items():
        arrays.put(name, array)
    rows = sp.csr_array(neighbors)
    rows.sort_indices()
    arrays.put(_stored.NEIGHBORS, rows)
    save_postings(store, embedded.counts)


def put_clusters(store: Store, rows: Rows, clusters: IntArray, uncertainty: FloatArray) -> IntArray:
    """Keep other clusters of the rows that are current, and their uncertainty; rows that were left behind have none.

    Returns the rows of the file.
    """
    arrays = Arrays(store)
    kept = current_rows(store, arrays.get(_stored.NUMBERS), rows.numbers)
    for name, values in ((_stored.CLUSTERS, clusters), (_stored.UNCERTAINTY, uncertainty)):
        every = np.full_like(arrays.get(name), -1)
        every[kept] = values
        arrays.put(name, every)
    return kept


def append_rows(store: Store, numbers: IntArray, embedded: Embedded) -> None:
    """Keep the rows of documents that were embedded since."""
    arrays, rows = Arrays(store), _row_arrays(numbers, embedded)
    if has_postings(store):
        rows[_stored.LENGTHS] = lengths_of(embedded.counts)
    for name, array in rows.items():
        arrays.append(name, array)


def _row_arrays(numbers: IntArray, embedded: Embedded) -> dict[str, Any]:
    return {
        _stored.NUMBERS: np.asarray(numbers, dtype=np.int64),
        _stored.COUNTS: sp.csr_array(embedded.counts),
        _stored.EMBEDDINGS: embedded.embeddings,
        _stored.CLUSTERS: embedded.clusters,
        _stored.UNCERTAINTY: embedded.uncertainty,
    }
