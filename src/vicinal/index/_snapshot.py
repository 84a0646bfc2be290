"""`Snapshot`: one state of an index, which answers all that an index can be asked and is not changed by what others write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import final

from vicinal.errors import VicinalError
from vicinal.index._index_state import IndexState
from vicinal.index._reader import IndexReader
from vicinal.index._search.search_state import SearchCache, SearchState


@final
class Snapshot(IndexReader):
    """One state of an index, which can be read and not written.

    `Index.snapshot` makes it. All its answers are of the same state, whatever others write meanwhile. After the ``with`` block it
    answers as long as the index did not change, and raises an error then.

    Parameters
    ----------
    state : the state of the file
        As it was when the snapshot was taken.
    searches : cache of the state for search
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

    def __init__(self, state: IndexState, searches: SearchCache) -> None:
        self._store = state.store
        self._state = state
        self._searches = searches

    @contextmanager
    def _reading(self) -> Iterator[IndexState]:
        with self._store.reading():
            if self._store.commits() != self._state.commits:
                raise VicinalError(f"{self.path} has changed since this snapshot was taken. Take another: index.snapshot().")
            yield self._state

    @contextmanager
    def _reading_documents(self) -> Iterator[IndexState]:
        with self._reading() as state:
            yield state.without_model()

    @contextmanager
    def _searching(self) -> Iterator[SearchState]:
        with self._reading():
            yield self._searches.state()

    @property
    def fitted(self) -> bool:
        """Whether the index has a model."""
        return self._state.fitted


def state_of(snapshot: Snapshot) -> IndexState:
    """What answers of a snapshot are made from; for packages of ours that answer more than its methods do.

    Parameters
    ----------
    snapshot : Snapshot

    Returns
    -------
    IndexState
    """
    return snapshot._state
