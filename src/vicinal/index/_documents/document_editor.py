"""The methods of an index that add, replace and remove documents, and keep them in step with files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from vicinal._progress import Progress, silent
from vicinal._store import Documents, Store, compact_index
from vicinal._store.filters import Filters
from vicinal._validate import check_texts
from vicinal.corpus import Document, Reading
from vicinal.corpus._frames import TableColumns, arriving
from vicinal.corpus._options_by_file import Recorded
from vicinal.index._documents import arrivals
from vicinal.index._documents import sync as synchronisation
from vicinal.index._documents.arrival_results import Added, Synced
from vicinal.index._documents.embed_new import Followed
from vicinal.index._documents.matching import passing_ids
from vicinal.index._documents.read_sources import recorded_options
from vicinal.index._documents.relocated import relocate
from vicinal.index._index_state import StateCache


class DocumentEditor:
    """Changes of the documents of an index."""

    _store: Store
    _cache: StateCache

    def add(
        self,
        documents: object,
        *,
        update: bool | None = None,
        progress: Progress = silent,
        text: str | None = None,
        title: str | None = None,
        id: str | None = None,
        label: str | None = None,
        metadata: str | Iterable[str] | None = None,
    ) -> Added:
        """Add documents, a batch at a time; after an interrupt the same call goes on where it stopped.

        Once the index is fitted, new documents are embedded at once. A document is the one that is there if it came from the
        same file (and the same row of it), whatever path led to it; without a source, if it has the same id. A document from
        another source never takes the place of one that is there: it gets an id of its own, such as ``feb/export.csv#1`` where
        ``export.csv#1`` came from elsewhere, and the outcome says so.

        Parameters
        ----------
        documents : iterable of Document, path or table
            As `vicinal.read` gives them; a file or folder, which is read; or a data frame of pandas or polars, a table of pyarrow,
            a dataset of Hugging Face, dicts, pairs of id and text, or a mapping of ids to texts. A document that is there with
            the same content is left alone. What was read before is read with the same columns, encoding and parts again.
        update : bool or None, default=None
            Whether a document that is there with another content is replaced. None: if it came from the same source. True: also by
            one from another source with its id. False: never.
        progress : callable, optional
            Called with "add" and the number of documents that are safely in the file, then with "embed" and how many of them are
            embedded.
        text, title, id, label : str, optional
            Columns of a table; text, title and id are guessed where they are not given.
        metadata : str or iterable of str, optional
            Columns of a table to keep as metadata; all others with plain values where it is not given.

        Returns
        -------
        Added
            How many documents are new, changed, unchanged and embedded, and which ids belong to another source.

        Raises
        ------
        IndexLocked
            Another process is writing.
        BadData
            A document cannot be kept, such as one with an empty id, or a row of a table has no text.
        BadParameter
            A table has no such column.
        NoSuchSource
            ``documents`` is a path that does not exist.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("add.vic", create=True)
        >>> index.add([vicinal.Document("a", "wheat exports fell")]).added
        1
        >>> index.add([{"key": "b", "body": "corn rose", "year": 1987}], text="body", id="key").added
        1
        """
        given = arriving(documents, TableColumns(text, title, id, label, metadata), self._recorded)
        return arrivals.add(self._cache, given, update, progress)

    def update(self, documents: Iterable[Document] | str | os.PathLike[str], *, progress: Progress = silent) -> Added:
        """Replace the content of documents that are there, and add none.

        Parameters
        ----------
        documents : iterable of Document, or path
            Documents from the sources, or with the ids, of those to be replaced; or a file or folder, which is read.
        progress : callable, optional
            As for `add`.

        Returns
        -------
        Added
            How many documents changed; and what a path, or a reading of `vicinal.read`, has besides, as ``absent``.

        Raises
        ------
        BadParameter
            One of the documents that were given is not there; then none is changed.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("update.vic", create=True)
        >>> added = index.add([vicinal.Document("a", "wheat exports fell")])
        >>> index.update([vicinal.Document("a", "wheat exports rose")]).changed
        1
        """
        return arrivals.update(self._cache, arriving(documents, TableColumns(), self._recorded), progress)

    def _recorded(self) -> Recorded:
        """The options that files and folders were read with last, by absolute path."""
        return recorded_options(self._store)

    def sync(self, source: str | os.PathLike[str] | Reading, *, remove: bool = False, progress: Progress = silent) -> Synced:
        """Bring the index in step with a file or folder: add, replace and move documents, and list or remove those that are gone.

        Files are compared by content. A document whose file has another path now keeps its labels, its cluster and its embedding,
        and so do all documents of a folder that was moved as a whole.
        Documents whose files are there and cannot be read stay.

        Parameters
        ----------
        source : path or Reading
            A file or folder; it is read with the columns, the encoding and the parts with which it was added. Or what
            `vicinal.read` returns.
        remove : bool, default=False
            Whether to remove documents that are gone; they are listed either way.
        progress : callable, optional
            As for `add`.

        Returns
        -------
        Synced
            What was done, and the ids of the documents that are gone.

        Raises
        ------
        NoSuchSource
            Nothing has that path.
        EmptyCorpus
            The folder is empty, and the index has documents from there: perhaps it is not mounted.

        Examples
        --------
        >>> import vicinal
        >>> from pathlib import Path
        >>> Path("farm").mkdir()
        >>> for name, text in (("wheat", "wheat exports fell"), ("corn", "corn harvest")):
        ...     size = Path(f"farm/{name}.txt").write_text(text)
        >>> index = vicinal.open("sync.vic", create=True)
        >>> index.sync("farm").added
        2
        >>> Path("farm/corn.txt").unlink()
        >>> index.sync("farm", remove=True).gone
        ('farm/corn.txt',)
        """
        what = source if isinstance(source, Reading) else Path(source)
        return synchronisation.sync(self._cache, what, remove, progress)

    def relocate(self, *sources: str | os.PathLike[str]) -> dict[str, str]:
        """Recognise files and folders that were moved, so that their documents keep ids, labels and embeddings.

        `sync` does it, too. Contents are compared: a file of the same name with other documents is another source.

        Parameters
        ----------
        *sources : path
            Files and folders as they are now.

        Returns
        -------
        dict from str to str
            Old path and new one of each that was moved.

        Raises
        ------
        IndexLocked
            Another process is writing.

        Examples
        --------
        >>> import vicinal
        >>> from pathlib import Path
        >>> Path("inbox").mkdir()
        >>> size = Path("inbox/wheat.txt").write_text("wheat exports fell")
        >>> index = vicinal.open("relocate.vic", create=True)
        >>> added = index.add("inbox")
        >>> moved = Path("inbox").rename("archive")
        >>> [Path(now).name for now in index.relocate("archive").values()]
        ['archive']
        """
        return relocate(self._store, sources)

    def compact(self) -> tuple[int, int]:
        """Make the file as small as its contents: the room of removed documents and earlier fits is given back.

        The index is written anew in one change; meanwhile the disk needs room for a second copy, and nobody else can write.

        Returns
        -------
        (int, int)
            Bytes of the file before and after.

        Raises
        ------
        IndexLocked
            Another process writes, or reads for long.
        DiskFull
            There is no room for a second copy; nothing was changed.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("news.vic", create=True)
        >>> added = index.add([vicinal.Document(str(number), "wheat exports fell " * 50) for number in range(500)])
        >>> index.remove(str(number) for number in range(1, 500))
        499
        >>> before, after = index.compact()
        >>> before > 2 * after
        True
        """
        return compact_index(self._store)

    def remove(self, ids: Iterable[str] = (), *, pattern: str | None = None, where: Filters = ()) -> int:
        """Remove documents, in one transaction.

        Parameters
        ----------
        ids : iterable of str, default=()
            Their ids; one that is not there is ignored. What people type in place of ids, `matching` turns into ids.
        pattern : str, optional
            Also documents whose id has this pattern: ``*`` stands for anything, ``?`` for one character, ``[ab]`` for one of these.
            Where no whole id has it, the part of an id behind a slash may: ``"sport/*"`` then means ``news/sport/a.txt``, too.
        where : mapping, or sequence of (column, op, value), default=()
            Of these only documents whose metadata pass, as for `search`; of all documents where nothing else is given.

        Returns
        -------
        int
            How many were removed.

        Raises
        ------
        BadParameter
            ``ids`` is a single text, whose characters would be taken for ids; or a condition is malformed.

        Examples
        --------
        >>> import vicinal
        >>> index = vicinal.open("remove.vic", create=True)
        >>> texts = {"news/a": "wheat", "news/b": "corn", "mail/c": "a goal"}
        >>> added = index.add(vicinal.Document(id, text) for id, text in texts.items())
        >>> index.remove(["mail/c", "mail/d"]), index.remove(pattern="news/*")
        (1, 2)
        """
        given = check_texts("ids", ids)
        with self._store.writing():
            followed = Followed(self._store)
            documents = Documents(self._store)
            meant = [*documents.find(given), *(documents.ids_like(pattern) if pattern else ())]
            chosen = passing_ids(self._store, meant if given or pattern else None, where)
            n_removed = documents.remove(chosen, followed.changes)
            followed.keep()
        return n_removed
