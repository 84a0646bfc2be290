"""The lists of documents by term that a search reads.

A fit writes the lists; documents that came later are found through their own rows. A search reads the lists of its terms, and not
the counts of all documents.
"""

from __future__ import annotations

from functools import cached_property
from typing import Protocol, TypeAlias, final

import numpy as np

from vicinal._store import Arrays, PartialArray, Settings, Store
from vicinal._typing import FloatArray, IntArray, Integers, SparseMatrix
from vicinal.index import _stored
from vicinal.index._search.growing_arrays import LaterTerms
from vicinal.index._search.stored_vocabulary import StoredVocabulary

#: Rows or documents, rising, and a weight for each.
Posting: TypeAlias = "tuple[IntArray, FloatArray]"
#: Entries of lists that are kept weighted, in all: as a fit wrote them, and as they are in one state of the file.
_MOST_KEPT, _MOST_KEPT_CURRENT = 1 << 22, 1 << 20
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
    """Lists of documents by term, in rows of the file."""

    n_rows: int

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

    def entries(self, column: int) -> tuple[Integers, Integers]:
        """The rows that have a term, rising, and how often."""
        start, stop = self._postings.indptr[column : column + 2]
        return self._postings.indices[start:stop], self._postings.data[start:stop]

    @cached_property
    def lengths(self) -> IntArray:
        """How many occurrences of terms each row has."""
        return lengths_of(self._postings.T)


@final
class WeightedLists:
    """The lists of documents by term with BM25 weights, of which those of the last queries are kept.

    Parameters
    ----------
    vocabulary : StoredVocabulary
    lists : Lists
    """

    def __init__(self, vocabulary: StoredVocabulary, lists: Lists) -> None:
        self.vocabulary, self._lists, self.n_rows = vocabulary, lists, lists.n_rows
        self._kept = _KeptPostings(_MOST_KEPT)

    def posting(self, column: int, lengths: IntArray) -> Posting:
        """The rows that have a term, rising, and its weight in each, given the lengths of all rows of the file."""
        found = self._kept.get(column)
        if found is None:
            rows, counts = self._lists.entries(column)
            found = rows.astype(np.int64), self.vocabulary.bm25(column, counts, lengths[rows].astype(np.float64))
            self._kept.put(column, found)
        return found


@final
class CurrentPostings:
    """The lists of documents by term, with BM25 weights, for the rows that are current.

    Parameters
    ----------
    fitted : WeightedLists
    lengths : int array (rows of the file,)
    positions : int array (rows of the file,) or None
        From a row to its document, -1 for a row that was left behind; None where each row is a document.
    later : LaterTerms or None
        The terms of rows behind those of the lists.
    """

    def __init__(
        self, fitted: WeightedLists, lengths: IntArray, positions: IntArray | None, later: LaterTerms | None = None
    ) -> None:
        self._fitted, self._lengths, self._positions, self._later = fitted, lengths, positions, later
        self._kept = _KeptPostings(_MOST_KEPT_CURRENT)

    def posting(self, column: int) -> Posting:
        """The documents that have a term, rising, and its weight in each."""
        found = self._kept.get(column)
        if found is None:
            fitted = self._fitted.posting(column, self._lengths)
            found = self._current(*self._with_later(column, *fitted))
            if found[0] is not fitted[0]:
                self._kept.put(column, found)
        return found

    def _with_later(self, column: int, rows: IntArray, weights: FloatArray) -> Posting:
        if self._later is None:
            return rows, weights
        new, counts = self._later.entries(column)
        if not len(new):
            return rows, weights
        added = self._fitted.vocabulary.bm25(column, counts, self._lengths[new].astype(np.float64))
        return np.concatenate([rows, new]), np.concatenate([weights, added])

    def _current(self, rows: IntArray, weights: FloatArray) -> Posting:
        if self._positions is None:
            return rows, weights
        documents = self._positions[rows]
        there = documents >= 0
        order = np.argsort(documents[there], kind="stable")
        return documents[there][order], weights[there][order]


@final
class _KeptPostings:
    """Postings that are kept, up to some entries in all; then all are dropped.

    Parameters
    ----------
    most : int
        Entries.
    """

    def __init__(self, most: int) -> None:
        self._most, self._n_entries = most, 0
        self._postings: dict[int, Posting] = {}

    def get(self, column: int) -> Posting | None:
        """The posting of a term, if it is kept."""
        return self._postings.get(column)

    def put(self, column: int, posting: Posting) -> None:
        """Keep the posting of a term."""
        self._n_entries += len(posting[0])
        if self._n_entries > self._most:
            self._postings, self._n_entries = {}, len(posting[0])
        self._postings[column] = posting
