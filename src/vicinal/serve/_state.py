"""One state of the index as answers need it: every document has a row, in the order in which documents were added."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, final

import numpy as np

from vicinal._typing import FloatArray, IntArray
from vicinal.index._snapshot import state_of
from vicinal.serve._problems import Problem

if TYPE_CHECKING:
    from vicinal.index import Cluster, Index, Label, Snapshot
    from vicinal.index._index_state import IndexState

Told = TypeVar("Told")
#: Of a document without a cluster.
NONE = -1


@final
class State:
    """What is asked of one state of an index more than once; each part is read when it is first asked for.

    Parameters
    ----------
    snapshot : Snapshot
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.index_state = state_of(snapshot)
        self._made: dict[Hashable, Any] = {}
        self._locks: defaultdict[Hashable, threading.Lock] = defaultdict(threading.Lock)

    def once(self, key: Hashable, make: Callable[[], Told]) -> Told:
        """What takes long is made once: who asks for it meanwhile, or again after a request was given up, waits for the same.

        Parameters
        ----------
        key : hashable
            What it is, with all that it depends on besides the state.
        make : callable
        """
        with self._locks[key]:
            if key not in self._made:
                self._made[key] = make()
            found: Told = self._made[key]
            return found

    @cached_property
    def key(self) -> str:
        """The number of the fit, and of the changes of the file: no two states have the same."""
        return key_of(self.index_state)

    @cached_property
    def numbers(self) -> IntArray:
        """The number of each document in the file, rising: the position of a number is the row of its document."""
        return self.index_state.documents.numbers()

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def embedded(self) -> IntArray:
        """The row of each document that is embedded, in the order of the snapshot's own rows."""
        if not self.snapshot.fitted:
            return np.zeros(0, dtype=np.int64)
        return np.searchsorted(self.numbers, self.index_state.rows.numbers)

    @cached_property
    def embedded_rows(self) -> IntArray:
        """The row that each document has in the snapshot, -1 for one that is not embedded."""
        found = np.full(len(self), NONE, dtype=np.int64)
        found[self.embedded] = np.arange(len(self.embedded))
        return found

    @cached_property
    def clusters(self) -> IntArray:
        """The number of the cluster of each document, -1 for none."""
        found = np.full(len(self), NONE, dtype=np.int64)
        if self.snapshot.fitted:
            found[self.embedded] = self.index_state.cluster_numbers
        return found

    @cached_property
    def uncertainty(self) -> FloatArray:
        """The uncertainty of the cluster of each document, NaN for none."""
        found = np.full(len(self), np.nan)
        if self.snapshot.fitted:
            found[self.embedded] = self.index_state.rows.uncertainty
        return found

    @cached_property
    def points(self) -> FloatArray:
        """The point of each document, NaN for none."""
        found = np.full((len(self), 2), np.nan)
        found[self.embedded] = self.snapshot.layout().points
        return found

    @cached_property
    def labels(self) -> dict[int, Label]:
        """The labels in force by row."""
        found = self.index_state.labels()
        rows = self.rows_of_numbers(np.fromiter(found, dtype=np.int64, count=len(found)))
        return dict(zip(rows.tolist(), found.values(), strict=True))

    def listed_clusters(self) -> list[Cluster]:
        """The clusters of the fit, as the index describes them."""
        return self.once("clusters", self.snapshot.clusters)

    @cached_property
    def columns(self) -> list[str]:
        """The names in the metadata of the documents."""
        return self.snapshot.columns()

    def rows_of_numbers(self, numbers: IntArray) -> IntArray:
        """The rows of documents by their numbers in the file."""
        return np.searchsorted(self.numbers, numbers)

    def rows_of_ids(self, ids: Sequence[str]) -> IntArray:
        """The rows of documents by their ids; BadParameter where one is not there."""
        return self.rows_of_numbers(self.index_state.documents.numbers(ids))

    def ids(self, rows: Iterable[int]) -> list[str]:
        """The ids of documents by their rows."""
        return self.index_state.documents.ids(self.numbers[list(rows)].tolist())

    def embedded_among(self, rows: IntArray) -> IntArray:
        """The rows in the snapshot of those of some documents that are embedded."""
        found = self.embedded_rows[rows]
        return np.asarray(found[found >= 0])


def key_of(state: IndexState) -> str:
    """The key of a state, without reading anything of it."""
    return f"{state.generation}-{state.commits}"


@final
class States:
    """The states of an index as they come: what was read of one is kept until there is another.

    Parameters
    ----------
    index : Index
    """

    def __init__(self, index: Index) -> None:
        self.index = index
        self._last: State | None = None

    @contextmanager
    def reading(self) -> Iterator[State]:
        """One state inside a ``with`` block, whatever others write meanwhile."""
        with self.index.snapshot() as snapshot:
            key, last = key_of(state_of(snapshot)), self._last
            if last is None or last.key != key or last.index_state is not state_of(snapshot):
                last = State(snapshot)
                if last.key == key:
                    self._last = last
            yield last

    def key(self) -> str:
        """The key of the present state."""
        with self.index.snapshot() as snapshot:
            return key_of(state_of(snapshot))


def check_state(state: State, wanted: str | None) -> None:
    """Refuse rows that were taken from another state."""
    if wanted is not None and wanted.strip('"') != state.key:
        raise Problem("changed", f"the index has changed: its state is {state.key}, got {wanted!r:.80}. Load the points again.")
