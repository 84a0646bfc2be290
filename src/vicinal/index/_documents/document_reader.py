"""What can be asked about the documents of an index: the methods on them that `Index` and `Snapshot` share."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from vicinal._store import Store, columns, copy_index, id_lookup
from vicinal._store.filters import Filters
from vicinal._validate import check_texts
from vicinal.corpus import Document
from vicinal.errors import BadParameter
from vicinal.index._damage.partly_damaged import asked
from vicinal.index._documents.matching import Matched, match_names
from vicinal.index._documents.read_sources import read_sources, reading_options
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
            return isinstance(id, str | os.PathLike) and id_lookup.is_one(state.store, os.fspath(id))

    def __iter__(self) -> Iterator[str]:
        """The ids of all documents, in the order in which they were added."""
        with self._reading_documents() as state:
            yield from state.documents.ids(state.documents.numbers())

    def __getitem__(self, id: str | os.PathLike[str]) -> Document:
        """Return a document by its id, by the end of an id that no other has, or by the path of a file that it was read from."""
        if not isinstance(id, str | os.PathLike):
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
        return asked(self, lambda state: show(state, id, query), "The document is shown without its cluster.")

    def matching(self, names: Iterable[str] = (), *, where: Filters = ()) -> Matched:
        """Find the documents that names mean, as people type them in place of ids.

        Parameters
        ----------
        names : iterable of str, default=()
            Ids; ends of ids that one document alone has; paths of files that documents were read from; or patterns, in which
            ``*`` stands for anything, ``?`` for one character and ``[ab]`` for one of these. A pattern means the ids that have it
            from their beginning or, where there is none, behind a slash: ``"sport/*"`` then means ``news/sport/a.txt``, too. An
            id that is there exactly as written is that document.
        where : str, mapping, or sequence of (column, op, value), default=()
            Of these only documents whose metadata pass, as for `search`; of all documents where there are no names. Without
            names and conditions nothing is found.

        Returns
        -------
        Matched
            The ids, what stands for which, and the names that no document has.

        Raises
        ------
        BadParameter
            An end of an id may be any of several documents, ``names`` is a single text, or a condition is malformed.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("matching.vic", create=True)
        >>> texts = {"news/sport/a": "a goal", "news/sport/b": "a match", "news/farm/c": "wheat"}
        >>> added = index.add(vicinal.Document(id, text) for id, text in texts.items())
        >>> index.matching(["sport/*"]).ids, index.matching(["c", "d"]).unknown
        (('news/sport/a', 'news/sport/b'), ('d',))
        """
        asked_for = check_texts("names", names)
        with self._reading_documents() as state:
            return match_names(state.store, asked_for, where)

    def columns(self) -> list[str]:
        """Return the names that occur in the metadata of documents, which conditions and tables can name.

        Returns
        -------
        list of str
            In alphabetical order.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("columns.vic", create=True)
        >>> added = index.add([vicinal.Document("a", "wheat exports fell", metadata={"year": 1987, "section": "farm"})])
        >>> index.columns()
        ['section', 'year']
        """
        with self._reading_documents() as state:
            return columns(state.store)

    def sources(self) -> list[str]:
        """Return the files and folders that documents were read from, which `Index.sync` can be given.

        Returns
        -------
        list of str
            Absolute paths, in the order in which they were first read.

        Examples
        --------
        >>> import vicinal
        >>> from pathlib import Path
        >>> Path("sources").mkdir()
        >>> size = Path("sources/wheat.txt").write_text("wheat exports fell")
        >>> index = vicinal.open("sources.vic", create=True)
        >>> added = index.add("sources")
        >>> [Path(source).name for source in index.sources()]
        ['sources']
        """
        with self._reading_documents() as state:
            return read_sources(state.store)

    def reading_options(self, source: str | os.PathLike[str]) -> dict[str, object] | None:
        """Return the columns, the encoding and the parts that a file or folder was read with last.

        Parameters
        ----------
        source : path
            The file or folder, or one inside a folder that was read.

        Returns
        -------
        dict or None
            Options of `vicinal.read` by name, those that were given; None where nothing was read from there.

        Examples
        --------
        >>> import vicinal
        >>> from pathlib import Path
        >>> size = Path("farm.csv").write_text("body,year\\nwheat exports fell,1987\\n")
        >>> index = vicinal.open("options.vic", create=True)
        >>> added = index.add(vicinal.read("farm.csv", text="body"))
        >>> index.reading_options("farm.csv"), index.reading_options("corn.csv")
        ({'text': 'body'}, None)
        """
        with self._reading_documents() as state:
            return reading_options(state.store, source)

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
