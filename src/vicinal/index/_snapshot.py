"""Snapshot: one state of an index, read-only: its documents, model, embedded rows, clusters and labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import unit_rows
from vicinal._store import Arrays, Documents, Label, Labels, Settings, Store
from vicinal._typing import FloatArray, IntArray, SparseMatrix
from vicinal.errors import DamagedIndex, TooFewDocuments, VicinalError
from vicinal.index import _stored
from vicinal.index._clusters.cluster_table import ClusterTable, load_cluster_table, names_of
from vicinal.index._clusters.cluster_tree import load_tree
from vicinal.index._model import Embedded, Model, load_model
from vicinal.index._reader import IndexReader
from vicinal.index._rows import Rows
from vicinal.index._search.search_state import SearchCache, SearchState
from vicinal.index._search.stored_postings import has_postings, lengths_of, save_postings
from vicinal.index._stored import consistent, current_rows

if TYPE_CHECKING:
    from vicinal.index._clusters.cluster_path import ClusterPath
    from vicinal.index._clusters.subclusters import Part
    from vicinal.uses import Tree


@final
class _SavedFit:
    """The last fit as the file has it; the model is loaded when it is first asked for.

    Parameters
    ----------
    store : Store
    kept : dict
        The setting of the model, by which two fits are told apart.
    """

    def __init__(self, store: Store, kept: dict[str, Any]) -> None:
        self._store = store
        self.kept = kept
        with consistent(store):
            self.generation = int(kept["generation"])

    @cached_property
    def model(self) -> Model:
        """What was fitted."""
        with consistent(self._store):
            return load_model(self._store, self.kept)


@final
class Snapshot(IndexReader):
    """One state of an index, which can be read and not written.

    `Index.snapshot` makes it. All its answers are of the same state, whatever others write meanwhile. After the ``with`` block it
    answers as long as the index did not change, and raises an error then.

    Parameters
    ----------
    store : Store
        The open file.
    fit : the fit on file, optional
        None before the first one.
    commits : int
        The number of changes that the file had seen.
    searches : cache of the state for search, optional
        That of the index.

    Examples
    --------
    >>> import vicinal
    >>> with vicinal.open("news.vic", create=True) as index:
    ...     added = index.add([vicinal.Document("a", "wheat exports fell")])
    ...     with index.snapshot() as snapshot:
    ...         found = snapshot.search("wheat")
    ...         print(snapshot.fitted, snapshot.info().documents, found[0].id)
    False 1 a
    """

    def __init__(self, store: Store, fit: _SavedFit | None, commits: int, searches: SearchCache | None = None) -> None:
        self._store = store
        self._fit = fit
        self._commits = commits
        self._searches = searches or SearchCache(store)

    @contextmanager
    def _reading(self) -> Iterator[Snapshot]:
        with self._store.reading():
            if self._store.commits() != self._commits:
                raise VicinalError(f"{self.path} has changed since this snapshot was taken. Take another: index.snapshot().")
            yield self

    @contextmanager
    def _reading_documents(self) -> Iterator[Snapshot]:
        with self._reading():
            yield self.without_model()

    @contextmanager
    def _searching(self) -> Iterator[SearchState]:
        with self._reading():
            yield self._searches.state()

    @property
    def fitted(self) -> bool:
        """Whether the index has a model."""
        return self._fit is not None

    @property
    def store(self) -> Store:
        """The open file."""
        return self._store

    @cached_property
    def documents(self) -> Documents:
        """The documents of the file."""
        return Documents(self._store)

    def labels(self) -> dict[int, Label]:
        """Return the labels in force.

        Returns
        -------
        dict from int to Label
            By number of the document.
        """
        return Labels(self._store).get()

    def cluster_names(self) -> dict[int, str]:
        """Return the names of the clusters.

        Returns
        -------
        dict from int to str
            By number: the name that a cluster was given, or else its first terms.
        """
        return names_of(self.cluster_table, self._store)

    def require_fitted(self, verb: str) -> None:
        """Refuse an index without a model.

        Parameters
        ----------
        verb : str
            What a model is needed for.

        Raises
        ------
        TooFewDocuments
            The index is not fitted.
        """
        if self._fit is None:
            raise TooFewDocuments(f"{self.path} is not fitted, and a model is needed to {verb}. Fit it first.")

    @property
    def _last_fit(self) -> _SavedFit:
        self.require_fitted("answer")
        return self._fit  # type: ignore[return-value]

    @property
    def generation(self) -> int:
        """The number of the fit, from 1; 0 before the first."""
        return 0 if self._fit is None else self._fit.generation

    @property
    def model(self) -> Model:
        """The fitted model."""
        return self._last_fit.model

    @cached_property
    def rows(self) -> Rows:
        """The embedded documents."""
        return Rows(self._store, self._last_fit.generation)

    @cached_property
    def cluster_table(self) -> ClusterTable:
        """Numbers, terms and exemplars of the clusters."""
        self.require_fitted("describe clusters")
        with consistent(self._store):
            table = load_cluster_table(self._store)
            if len(table.numbers) != _stored.n_clusters_of(self._store):
                raise DamagedIndex(f"{self.path}: the clusters are not those of the model. Fit the index again.")
        return table

    def load(self) -> Snapshot:
        """Load the model, the rows and the clusters, all of which are otherwise read when they are first asked for.

        Returns
        -------
        Snapshot
            Itself. What is written afterwards in the same transaction does not change it.
        """
        if self._fit is not None:
            rows = self.rows
            loaded = self.model, self.cluster_numbers, rows.counts, rows.embeddings, rows.uncertainty
            if rows.counts.shape[1] != len(loaded[0].vocabulary.forms):
                raise DamagedIndex(f"{self.path}: counts have other terms than the vocabulary. Fit the index again.")
        return self

    def without_model(self) -> Snapshot:
        """The same state as if it had never been fitted: what is left where the model is damaged.

        Returns
        -------
        Snapshot
            Its answers are those of documents and full text alone.
        """
        return Snapshot(self._store, None, self._commits)

    @cached_property
    def cluster_numbers(self) -> IntArray:
        """The number of the cluster of each row, -1 for none."""
        return np.array([*self.cluster_table.numbers, -1], dtype=np.int64)[self.rows.clusters]

    @cached_property
    def unit_terms(self) -> SparseMatrix:
        """The BM25 weights of the rows, each of unit length."""
        unit: SparseMatrix = sp.csr_array(unit_rows(sp.csr_array(_bm25(self.model, self.rows))))
        return unit

    @cached_property
    def cluster_tree(self) -> Tree:
        """The tree of the clusters; NoTree where the index has none."""
        return load_tree(self)

    @cached_property
    def parts(self) -> dict[tuple[ClusterPath, int | str], tuple[Part, ...]]:
        """The parts of the clusters that were opened so far, by path and number of parts."""
        return {}

    def row_of(self, id: str) -> int:
        """Find the row of a document.

        Parameters
        ----------
        id : str
            The id of the document.

        Returns
        -------
        int
            Its row, -1 where the model has not embedded it.
        """
        number = int(self.documents.numbers([id])[0])
        return self.rows.row(number) if self.fitted else -1


@final
class SnapshotCache:
    """The current snapshot of one file: the model is loaded again after a fit, the rows after any change.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fit: _SavedFit | None = None
        self._snapshot: Snapshot | None = None
        self.searches = SearchCache(store)

    def forget(self) -> None:
        """Drop what is loaded: after an error while writing it may be of a state that was never kept."""
        self._fit = self._snapshot = None
        self.searches.forget()

    def _current_fit(self) -> _SavedFit | None:
        """The fit that the transaction around this call sees. Other threads may see another: nothing is read from self twice."""
        kept, fit = Settings(self._store).get(_stored.MODEL), self._fit
        if kept is None:
            return None
        if fit is None or fit.kept != kept:
            fit = self._fit = _SavedFit(self._store, kept)
        return fit

    def model(self) -> Model | None:
        """The model of the last fit, or None before the first."""
        fit = self._current_fit()
        return None if fit is None else fit.model

    def snapshot(self) -> Snapshot:
        """The state of the file as the transaction around this call sees it."""
        fit, commits, found = self._current_fit(), self._store.commits(), self._snapshot
        if found is None or found._commits != commits or found._fit is not fit:
            found = self._snapshot = Snapshot(self._store, fit, commits, self.searches)
        return found

    def without_model(self) -> Snapshot:
        """The same, as if the index had never been fitted; nothing of the model is read, not even whether there is one."""
        return Snapshot(self._store, None, self._store.commits())


def _bm25(model: Model, rows: Rows) -> SparseMatrix:
    """The BM25 weights of search; empty where all documents were removed."""
    weights: SparseMatrix = sp.csc_array(rows.counts.shape, dtype=np.float32)
    if len(rows.numbers):
        weights = sp.csc_array(model.vocabulary.bm25.transform(rows.counts).astype(np.float32))
    return weights


def put_rows(store: Store, numbers: IntArray, embedded: Embedded, neighbors: SparseMatrix) -> None:
    """Keep the rows of the documents that a model was fitted to, in place of all others."""
    arrays = Arrays(store)
    for name, array in _row_arrays(numbers, embedded).items():
        arrays.put(name, array)
    rows = sp.csr_array(neighbors)
    rows.sort_indices()
    arrays.put(_stored.NEIGHBORS, rows)
    save_postings(store, embedded.counts, rows)


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
