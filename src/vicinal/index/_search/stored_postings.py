"""What a search reads of the documents of an index: lists of documents by term, what neighbours lend, and embeddings.

A fit writes the lists; documents that came later are found through their own rows. A search reads the lists of its terms and
all embeddings, and neither the counts of all documents nor the values of the neighbour graph.
"""

from __future__ import annotations

from functools import cached_property
from threading import Lock
from typing import Protocol, TypeAlias, final

import numpy as np

from vicinal._store import Arrays, PartialArray, Settings, Store
from vicinal._typing import FloatArray, Floats, IntArray, Integers, SparseMatrix
from vicinal.errors import DamagedIndex
from vicinal.index import _stored
from vicinal.index._search.stored_vocabulary import StoredVocabulary
from vicinal.uses._postings import Lenders

#: Terms, rows and counts of documents that came later, in order of the terms.
LaterRows: TypeAlias = "tuple[Integers, IntArray, Integers]"
#: Entries of lists that are kept weighted, in all.
_MOST_KEPT = 1 << 22
_LARGEST_BYTE = 255


def save_postings(store: Store, counts: SparseMatrix) -> None:
    """Write the lists of a fit: documents by term with their counts, and the lengths of documents.

    Parameters
    ----------
    store : Store
        Inside a transaction that has saved the model.
    counts : sparse (documents, terms)
    """
    import scipy.sparse as sp

    arrays, by_term = Arrays(store), sp.csr_array(sp.csr_array(counts).T)
    small = by_term.data.max(initial=0) <= _LARGEST_BYTE
    arrays.put(_stored.POSTINGS, by_term.astype(np.uint8 if small else np.int32))
    arrays.put(_stored.LENGTHS, lengths_of(counts))
    arrays.drop(_stored.LENT)
    generation = int(Settings(store).get(_stored.MODEL)["generation"])
    arrays.put(_stored.LISTED_FIT, np.array([generation], dtype=np.int64))


def lengths_of(counts: SparseMatrix) -> IntArray:
    """How many occurrences of terms each document has."""
    return np.asarray(counts.sum(axis=1), dtype=np.int64).ravel()


def has_postings(store: Store) -> bool:
    """Whether the lists are there and of the present model and rows: earlier versions write none, and do not change these."""
    arrays, model = Arrays(store), Settings(store).get(_stored.MODEL)
    if not arrays.has(_stored.LISTED_FIT) or arrays.get(_stored.LISTED_FIT).tolist() != [model["generation"]]:
        return False
    sizes = arrays.outline(_stored.TERMS).shape[0], _stored.n_fitted_to(store), arrays.outline(_stored.NUMBERS).shape[0]
    return (*arrays.outline(_stored.POSTINGS).shape, *arrays.outline(_stored.LENGTHS).shape) == sizes


class Lists(Protocol):
    """Lists of documents by term, and neighbours of documents, in rows of the file."""

    n_rows: int

    @property
    def lenders(self) -> Lenders:
        """Of these rows."""

    def entries(self, column: int) -> tuple[Integers, Integers]:
        """The rows that have a term, rising, and how often."""


@final
class StoredLists:
    """The lists that a fit wrote; nobody changes them until the next.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._arrays = Arrays(store)
        self._postings = PartialArray(self._arrays, _stored.POSTINGS)
        self.n_rows = self._postings.outline.shape[1]
        self.entries = self._postings.entries

    @cached_property
    def lenders(self) -> Lenders:
        """Of the rows that the model was fitted to."""
        return _lenders_in(self._arrays, _stored.NEIGHBORS)


def _lenders_in(arrays: Arrays, name: str) -> Lenders:
    """The rows of a sparse array as lenders."""
    starts, neighbors = arrays.pattern(name)
    weights = [arrays.read_piece(piece, ("values",))["values"] for piece in arrays.pieces(name)]
    return Lenders(starts, neighbors, np.concatenate([np.zeros(0, dtype=np.float32), *weights]))


def with_later(arrays: Arrays, lenders: Lenders, n_rows: int) -> Lenders:
    """Lenders of all rows: those that came after the fit have the ones that were found when they came, or none.

    Parameters
    ----------
    arrays : Arrays
    lenders : Lenders
        Of the rows that the model was fitted to.
    n_rows : int
        In all.
    """
    n_fitted = len(lenders.starts) - 1
    shape = arrays.outline(_stored.LATER_LENDERS).shape if arrays.has(_stored.LATER_LENDERS) else ()
    if shape != (n_rows - n_fitted, n_fitted):
        return Lenders(np.pad(lenders.starts, (0, n_rows - n_fitted), mode="edge"), lenders.lenders, lenders.weights)
    later = _lenders_in(arrays, _stored.LATER_LENDERS)
    return Lenders(
        np.concatenate([lenders.starts, lenders.starts[-1] + later.starts[1:]]),
        np.concatenate([lenders.lenders, later.lenders]),
        np.concatenate([lenders.weights, later.weights]),
    )


@final
class ComputedLists:
    """Lists computed from the rows of an index that was written without them.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        import scipy.sparse as sp

        arrays = Arrays(store)
        self._postings = sp.csr_array(sp.csr_array(arrays.get(_stored.COUNTS)).T)
        self.n_rows = self._postings.shape[1]
        self.lenders = Lenders.of(arrays.get(_stored.NEIGHBORS))

    def entries(self, column: int) -> tuple[Integers, Integers]:
        """The rows that have a term, rising, and how often."""
        start, stop = self._postings.indptr[column : column + 2]
        return self._postings.indices[start:stop], self._postings.data[start:stop]

    @cached_property
    def lengths(self) -> IntArray:
        """How many occurrences of terms each row has."""
        return lengths_of(self._postings.T)


@final
class CurrentPostings:
    """The lists of documents by term, with BM25 weights, for the rows that are current.

    Parameters
    ----------
    vocabulary : StoredVocabulary
    lists : Lists
    lengths : int array (rows of the file,)
    positions : int array (rows of the file,) or None
        From a row to its document, -1 for a row that was left behind; None where each row is a document.
    later : (terms, rows, counts) or None
        The terms of rows behind those of the lists, in order of terms.
    """

    def __init__(
        self,
        vocabulary: StoredVocabulary,
        lists: Lists,
        lengths: IntArray,
        positions: IntArray | None,
        later: LaterRows | None = None,
    ) -> None:
        self._vocabulary, self._lists, self._positions, self._later = vocabulary, lists, positions, later
        self._lengths = lengths.astype(np.float64)
        self._kept: dict[int, tuple[IntArray, FloatArray]] = {}
        self._n_kept = 0

    def posting(self, column: int) -> tuple[IntArray, FloatArray]:
        """The documents that have a term, rising, and its weight in each."""
        found = self._kept.get(column)
        if found is None:
            found = self._read(column)
            self._n_kept += len(found[0])
            if self._n_kept > _MOST_KEPT:
                self._kept, self._n_kept = {}, len(found[0])
            self._kept[column] = found
        return found

    def _read(self, column: int) -> tuple[IntArray, FloatArray]:
        rows, counts = self._lists.entries(column)
        if self._later is not None:
            columns, owners, times = self._later
            new = slice(*np.searchsorted(columns, [column, column + 1]))
            rows, counts = np.concatenate([rows, owners[new]]), np.concatenate([counts, times[new]])
        weights = self._vocabulary.bm25(column, counts, self._lengths[rows])
        if self._positions is None:
            return rows.astype(np.int64), weights
        documents = self._positions[rows]
        there = documents >= 0
        order = np.argsort(documents[there], kind="stable")
        return documents[there][order], weights[there][order]


def later_rows(arrays: Arrays, first_row: int) -> LaterRows | None:
    """The terms of rows from one on, in order of the terms: terms, rows and counts; None where there are no such rows."""
    read = [(piece.first_row, arrays.read_piece(piece)) for piece in arrays.pieces(_stored.COUNTS) if piece.first_row >= first_row]
    if not read:
        return None
    columns = np.concatenate([parts["columns"] for _, parts in read])
    owners = [first + np.repeat(np.arange(len(parts["starts"]) - 1), np.diff(parts["starts"])) for first, parts in read]
    counts = np.concatenate([parts["values"] for _, parts in read])
    order = np.argsort(columns, kind="stable")
    return columns[order], np.concatenate(owners)[order], counts[order]


@final
class GrowingRows:
    """A dense array in memory whose new rows alone are read when rows were added to it in the file.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._room: Floats | None = None
        self._n_rows = 0
        self._lock = Lock()

    def read(self, arrays: Arrays) -> Floats:
        """The array as it is in the file now; only rows at its end may have been added since the last call.

        Threads may see different states of the file: one reads at a time, and rows that another has read already stay.
        """
        with self._lock:
            return self._grown(arrays)

    def _grown(self, arrays: Arrays) -> Floats:
        outline = arrays.outline(self._name)
        n_rows = outline.shape[0]
        if n_rows != arrays.outline(_stored.NUMBERS).shape[0]:
            raise DamagedIndex(f"array {self._name!r} has {n_rows:,} rows, not one for each document. Fit the index again.")
        if self._room is not None and n_rows <= self._n_rows:
            return self._room[:n_rows]
        if self._room is None or n_rows > len(self._room):
            grown = np.empty((n_rows + n_rows // 8, *outline.shape[1:]), dtype=outline.dtype)
            if self._room is not None:
                grown[: self._n_rows] = self._room[: self._n_rows]
            self._room = grown
        if not arrays.rows_from(self._name, self._n_rows, self._room[self._n_rows : n_rows]):
            arrays.rows_from(self._name, 0, self._room[:n_rows])
        self._n_rows = n_rows
        return self._room[:n_rows]
