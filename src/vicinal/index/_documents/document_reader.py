"""What can be asked about the documents of an index: the methods on them that `Index` and `Snapshot` share."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from vicinal._store import Store, copy_index, id_lookup
from vicinal.corpus import Document
from vicinal.errors import BadParameter
from vicinal.index._partly_damaged import asked
from vicinal.index._recipe import info_of, needs_fit
from vicinal.index._results import Info, Shown
from vicinal.index._search.show import show

if TYPE_CHECKING:
    from vicinal.index._index_state import IndexState


class StoredDocumentReader(ABC):
    """The documents of an index, one by one and in numbers."""

    _store: Store

    @abstractmethod
    def _reading(self) -> AbstractContextManager[IndexState]:
        """The state that is read, for as long as the block lasts."""

    @abstractmethod
    def _reading_documents(self) -> AbstractContextManager[IndexState]:
        """The same state as if it had never been fitted."""

    @property
    def path(self) -> str:
        """The path of the file."""
        return str(self._store.path)

    def __len__(self) -> int:
        with self._reading_documents() as state:
            return state.documents.count()

    def __contains__(self, id: object) -> bool:
        """Whether one document has this id; also the end of an id, or the path of a file, as for ``index[id]``."""
        with self._reading_documents() as state:
            return isinstance(id, str) and id_lookup.is_one(state.store, id)

    def __iter__(self) -> Iterator[str]:
        """The ids of all documents, in the order in which they were added."""
        with self._reading_documents() as state:
            yield from state.documents.ids(state.documents.numbers())

    def __getitem__(self, id: str) -> Document:
        """Return a document by its id, by the end of an id that no other has, or by the path of a file that it was read from."""
        if not isinstance(id, str):
            raise BadParameter(f"documents are found by id, got {id!r:.80}. Use index['news/a.txt'].")
        with self._reading_documents() as state:
            return state.documents.get([id])[0]

    def show(self, id: str, query: str = "") -> Shown:
        """Return a document with its metadata, label and cluster, and its text with the words of a query marked.

        Parameters
        ----------
        id : str
            Its id, the end of an id that no other document has, or the path of a file that it was read from.
        query : str, default=""
            Words to mark, in brackets.

        Returns
        -------
        Shown
            The document, and what the index knows of it.

        Raises
        ------
        BadParameter
            There is no such document, or there are several; the message names some.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("show.vic", create=True)
        >>> added = index.add([vicinal.Document("news/a.txt", "wheat exports fell", metadata={"year": 1987})])
        >>> shown = index.show("a.txt", "export")
        >>> shown.id, shown.marked, shown.metadata["year"]
        ('news/a.txt', 'wheat [exports] fell', 1987)
        """
        return asked(self, lambda snapshot: show(snapshot, id, query), "The document is shown without its cluster.")

    def copy(self, path: str | os.PathLike[str]) -> int:
        """Copy the index to a new file, also while others read and write it.

        Parameters
        ----------
        path : str or path
            The copy; nothing may be there yet.

        Returns
        -------
        int
            The number of documents in the copy.

        Raises
        ------
        BadParameter
            Something is at the path already.
        DiskFull
            There is no room for the copy; nothing is left of it.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("original.vic", create=True)
        >>> added = index.add([vicinal.Document("a", "wheat exports fell")])
        >>> index.copy("backup.vic")
        1
        >>> vicinal.open("backup.vic")["a"].text
        'wheat exports fell'
        """
        with self._reading_documents():
            return copy_index(self._store, path)

    def info(self) -> Info:
        """Return the contents of the index in numbers; the model is not loaded for it.

        Returns
        -------
        Info
            Numbers of documents, terms, components and clusters, the mean uncertainty, and the drift since the last fit.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("info.vic", create=True)
        >>> index.info().documents
        0
        """
        with self._reading_documents() as state:
            return info_of(state.store)

    def needs_fit(self, parameters: Mapping[str, object] | None = None) -> bool:
        """Tell whether a fit would change anything; whether it would be worth it, the ``drift`` of `info` tells.

        Parameters
        ----------
        parameters : mapping, optional
            What the fit would be given, by the names of the fields of `Recipe`; absent or None is as in the last fit.

        Returns
        -------
        bool
            Whether documents were added, changed or removed since the last fit, a parameter is another, or no fit was made yet.

        Raises
        ------
        BadParameter
            A parameter is not valid, or `Recipe` has none of this name.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("needs_fit.vic", create=True)
        >>> texts = ["wheat and corn", "corn harvest", "wheat harvest", "a goal in the match", "the match was won", "goal won"]
        >>> added = index.add(vicinal.Document(f"d{i}", text) for i, text in enumerate(texts))
        >>> index.needs_fit()
        True
        >>> fitted = index.fit(n_clusters=2)
        >>> index.needs_fit(), index.needs_fit({"n_clusters": 2}), index.needs_fit({"n_clusters": 3})
        (False, False, True)
        """
        with self._reading_documents() as state:
            return needs_fit(state.store, parameters or {})
