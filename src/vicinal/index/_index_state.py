"""One state of an index: its documents, model, embedded rows, clusters and labels; what every answer of `_reader` is made from."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np
import scipy.sparse as sp

from vicinal._matrix import unit_rows
from vicinal._store import Documents, Label, Labels, Settings, Store
from vicinal._typing import IntArray, SparseMatrix
from vicinal.errors import DamagedIndex, TooFewDocuments
from vicinal.index import _stored
from vicinal.index._clusters.cluster_table import ClusterTable, load_cluster_table, names_of
from vicinal.index._clusters.cluster_tree import load_tree
from vicinal.index._model import Model, load_model
from vicinal.index._rows import Rows
from vicinal.index._search.search_state import SearchCache
from vicinal.index._stored import consistent

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
class IndexState:
    """One state of an index: what the file holds after one commit, read when it is first asked for.

    Parameters
    ----------
    store : Store
        The open file.
    fit : the fit on file, or None
        None before the first one.
    commits : int
        The number of changes that the file had seen.
    """

    def __init__(self, store: Store, fit: _SavedFit | None, commits: int) -> None:
        self.store = store
        self.commits = commits
        self._fit = fit

    @property
    def path(self) -> str:
        """The path of the file."""
        return str(self.store.path)

    @property
    def writable(self) -> bool:
        """Whether the file can be written."""
        return self.store.writable

    @property
    def fitted(self) -> bool:
        """Whether the index has a model."""
        return self._fit is not None

    @cached_property
    def documents(self) -> Documents:
        """The documents of the file."""
        return Documents(self.store)

    def labels(self) -> dict[int, Label]:
        """The labels in force, by number of the document."""
        return Labels(self.store).get()

    def label_of(self, number: int) -> Label | None:
        """The label in force of one document."""
        return Labels(self.store).of(number)

    def cluster_names(self) -> dict[int, str]:
        """By number: the name that a cluster was given, or else its first terms."""
        return names_of(self.cluster_table, self.store)

    def require_fitted(self, verb: str) -> None:
        """Refuse an index without a model; the verb says what it is needed for."""
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
        return Rows(self.store, self._last_fit.generation)

    @cached_property
    def cluster_table(self) -> ClusterTable:
        """Numbers, terms and exemplars of the clusters."""
        self.require_fitted("describe clusters")
        with consistent(self.store):
            table = load_cluster_table(self.store)
            if len(table.numbers) != _stored.n_clusters_of(self.store):
                raise DamagedIndex(f"{self.path}: the clusters are not those of the model. Fit the index again.")
        return table

    def load(self) -> IndexState:
        """Load the model, the rows and the clusters, all of which are otherwise read when they are first asked for.

        What is written afterwards in the same transaction does not change it.
        """
        if self._fit is not None:
            rows = self.rows
            loaded = self.model, self.cluster_numbers, rows.counts, rows.embeddings, rows.uncertainty
            if rows.counts.shape[1] != len(loaded[0].vocabulary.forms):
                raise DamagedIndex(f"{self.path}: counts have other terms than the vocabulary. Fit the index again.")
        return self

    def without_model(self) -> IndexState:
        """The same state as if it had never been fitted: what is left where the model is damaged."""
        return IndexState(self.store, None, self.commits)

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
        """The row of a document by its id, -1 where the model has not embedded it."""
        number = int(self.documents.numbers([id])[0])
        return self.rows.row(number) if self.fitted else -1


@final
class StateCache:
    """The current state of one file: the model is loaded again after a fit, the rows after any change.

    Parameters
    ----------
    store : Store
        The file.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._fit: _SavedFit | None = None
        self._state: IndexState | None = None
        self.searches = SearchCache(store)

    def forget(self) -> None:
        """Drop what is loaded: after an error while writing it may be of a state that was never kept."""
        self._fit = self._state = None
        self.searches.forget()

    def _current_fit(self) -> _SavedFit | None:
        """The fit that the transaction around this call sees. Other threads may see another: nothing is read from self twice."""
        kept, fit = Settings(self.store).get(_stored.MODEL), self._fit
        if kept is None:
            return None
        if fit is None or fit.kept != kept:
            fit = self._fit = _SavedFit(self.store, kept)
        return fit

    def model(self) -> Model | None:
        """The model of the last fit, or None before the first."""
        fit = self._current_fit()
        return None if fit is None else fit.model

    def state(self) -> IndexState:
        """The state of the file as the transaction around this call sees it."""
        if self.store.is_writing:  # what is not committed may never be, and has the number of the state before
            return IndexState(self.store, self._current_fit(), self.store.commits())
        fit, commits, found = self._current_fit(), self.store.commits(), self._state
        if found is None or found.commits != commits or found._fit is not fit:
            found = self._state = IndexState(self.store, fit, commits)
        return found

    def without_model(self) -> IndexState:
        """The same, as if the index had never been fitted; nothing of the model is read, not even whether there is one."""
        return IndexState(self.store, None, self.store.commits())


def _bm25(model: Model, rows: Rows) -> SparseMatrix:
    """The BM25 weights of search; empty where all documents were removed."""
    weights: SparseMatrix = sp.csc_array(rows.counts.shape, dtype=np.float32)
    if len(rows.numbers):
        weights = sp.csc_array(model.vocabulary.bm25.transform(rows.counts).astype(np.float32))
    return weights
