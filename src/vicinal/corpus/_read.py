"""`read`: documents from files, folders, tables, mail and streams, one after the other."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeAlias

from vicinal._plural import counted
from vicinal._progress import Progress, silent
from vicinal.corpus._ahead import Ahead
from vicinal.corpus._cage import CagedReader, is_safe
from vicinal.corpus._database import Address, address_of, input_at
from vicinal.corpus._decode import checked_encoding
from vicinal.corpus._document import Document
from vicinal.corpus._file_reader import FileReader
from vicinal.corpus._files import HIDDEN, ByteProgress, Found, existing, position, shown, stream_names
from vicinal.corpus._formats import NeedsCage
from vicinal.corpus._formats.extraction import Extraction
from vicinal.corpus._options_by_file import OptionsByFile, Recorded
from vicinal.corpus._read_options import Limits, ReadOptions
from vicinal.corpus._read_report import Report, Skipped
from vicinal.corpus._remote import Remote, fetch, remote_of
from vicinal.corpus._split import checked_split
from vicinal.corpus._unique_ids import UniqueIds
from vicinal.errors import BadParameter

Source: TypeAlias = str | os.PathLike[str] | BinaryIO
AnySource: TypeAlias = Path | BinaryIO | Address | Remote
STANDARD_INPUT = "-"


def read(
    *sources: Source,
    text: str | None = None,
    title: str | None = None,
    id: str | None = None,
    label: str | None = None,
    metadata: str | Iterable[str] | None = None,
    encoding: str | None = None,
    split: str | None = None,
    query: str | None = None,
    limits: Limits = Limits(),  # noqa: B008
    progress: Progress = silent,
) -> Reading:
    """Read documents from files, folders, tables, mail or a stream, one at a time; what cannot be read is skipped and reported.

    Parameters
    ----------
    *sources : path, ``"-"`` or binary stream
        Files and folders (with all folders in them, sorted by name; names that begin with a dot are left out, and links are
        not followed). ``"-"`` is standard input; a stream has one document per line, as text or as a JSON object.
        A file of txt, md, html, xml, tex, rtf, ipynb, odt, epub, pptx, pdf (needs pypdfium2 or pypdf) or docx (needs python-docx)
        is a document, eml and msg (needs python-oxmsg) one and its attachments; csv, tsv, json, jsonl, xlsx, parquet (needs
        pyarrow), mbox and dumps of MediaWiki have one per row, message or page. Any other file that is text is read as plain text.
        Files compressed by gz, bz2, xz or zst (needs zstandard) are read as what they were, and zip and tar archives as folders;
        SQLite databases (db, sqlite) and those of DuckDB (duckdb; needs duckdb) have a document per row of each table. An index is
        skipped.
        Also the address of a file or folder in an object store, such as ``"s3://bucket/papers"``, as fsspec takes it (extra
        ``remote``): each file is fetched when it is its turn, and removed behind it.
        With ``query`` also the address of a database, such as ``"postgresql://host/name"`` (needs SQLAlchemy).
    text, title, id, label : str or None, default=None
        Columns of tables. Text, title and id are guessed when None, and ``notes`` of the reading has the guess.
    metadata : str, iterable of str or None, default=None
        Columns to keep as metadata; all others with plain values when None.
    encoding : str or None, default=None
        Encoding of all sources; detected for each when None.
    split : {"page", "heading", "words:N"} or None, default=None
        How long documents are split: by page (of a PDF), by heading (of Markdown), or N words at a time. A part has the id of the
        document and a number, and the metadata ``parent``, the id of the whole, and ``page`` where there are pages.
    query : str or None, default=None
        A statement in SQL whose rows are the documents, where the sources are databases: files of SQLite or DuckDB, or addresses.
    limits : Limits, default=Limits()
        Sizes beyond which a file or a part of it is skipped.
    progress : callable, default=silent
        Called as ``progress("read", bytes_done, bytes_total)`` while documents are read; the total is 0 where a stream is
        among the sources.

    Returns
    -------
    Reading
        An iterator of `Document`, with ``skipped``, ``notes`` and ``summary()``. An id is the path from the named file or
        folder on, with ``#row`` for a row of a table, unless the table has a column for it. A file further down in a folder has
        the metadata ``folder``, its path from there.

    Raises
    ------
    NoSuchSource
        Nothing has that path.
    BadParameter
        There is no source, or an argument has no possible value; or, when it is its turn, a table that was named itself has
        no such column.

    See Also
    --------
    vicinal.datasets.load_folder : The same for folders whose names are labels.

    Examples
    --------
    >>> import io
    >>> from vicinal import read
    >>> reading = read(io.BytesIO(b"Prune the roses in March.\\nBake the bread hot.\\n"))
    >>> [document.text for document in reading]
    ['Prune the roses in March.', 'Bake the bread hot.']
    >>> reading.summary()
    '2 documents from 1 file, nothing skipped'
    """
    if not sources:
        raise BadParameter("sources: nothing to read was named. Give files, folders, '-' or a stream: read('articles/').")
    columns = (metadata,) if isinstance(metadata, str) else None if metadata is None else tuple(metadata)
    options = ReadOptions(text, title, id, label, columns, checked_encoding(encoding), limits, checked_split(split), query)
    for parameter, column in options.columns():
        if not isinstance(column, str):
            raise BadParameter(f"{parameter} must be the name of a column, got {column!r}. Use {parameter}='name'.")
    found = [address_of(source, query) or remote_of(source) or _checked(source) for source in sources]
    given = {"text": text, "title": title, "id": id, "label": label, "metadata": metadata} | {"encoding": encoding, "split": split}
    said = frozenset(name for name, value in (given | {"query": query}).items() if value is not None)
    return Reading(found, options, progress, said)


def _checked(source: Source) -> Path | BinaryIO:
    if isinstance(source, str | os.PathLike):
        return sys.stdin.buffer if source == STANDARD_INPUT else existing(source)
    if callable(getattr(source, "read", None)) and not hasattr(source, "encoding"):
        return source
    raise BadParameter(
        f"sources must be paths, '-' or streams opened as binary, got {type(source).__name__}. Use open(path, 'rb') or the path."
    )


class Reading:
    """An iterator of documents that also reports what was skipped and what was guessed; made by `read`.

    A file is opened when it is its turn and closed when it is done, and one document at a time is held in memory. `skipped`,
    `notes` and `summary` report what has happened so far. In a ``with`` statement the reading is closed at its end.

    Parameters
    ----------
    sources : list of path or binary stream
        What to read.
    options : ReadOptions
        The arguments of `read`.
    progress : callable, default=silent
        As in `read`.
    said : frozenset of str, default=frozenset()
        Names of the arguments that were given.

    Examples
    --------
    >>> import io
    >>> from vicinal import read
    >>> with read(io.BytesIO(b'{"text": "red rose"}\\n{"year": 1987}\\n')) as reading:
    ...     documents = list(reading)
    >>> documents[0].id
    'stream#1'
    >>> print(reading.skipped[0])
    stream: line 2: no text
    """

    def __init__(
        self,
        sources: list[AnySource],
        options: ReadOptions,
        progress: Progress = silent,
        said: frozenset[str] = frozenset(),
    ) -> None:
        self._options, self._by_file = options, OptionsByFile(options, said)
        self._report = Report(options.limits.lines)
        self._ids = UniqueIds(self._report)
        self._reader, self._caged = FileReader(options, self._report), CagedReader(options, self._report)
        self._n_documents = self._here = 0
        self._bytes = ByteProgress(sources, progress)
        self._sources = tuple(source for source in sources if isinstance(source, Path))
        self._ahead: list[Document] = []
        self._documents = self._read_all(sources)

    @property
    def skipped(self) -> list[Skipped]:
        """Files and rows that became no documents, each with its reason.

        Returns
        -------
        list of Skipped
        """
        return self._report.skipped

    @property
    def notes(self) -> list[str]:
        """What was guessed or replaced, in sentences of one line.

        Returns
        -------
        list of str
        """
        return self._report.notes

    def summary(self) -> str:
        """Describe in one line how many documents came from how many files, and how many files or rows were skipped.

        Returns
        -------
        str
            Such as "3 documents from 2 files, 1 skipped".
        """
        skipped = f"{self._report.n_skipped:,} skipped" if self._report.n_skipped else "nothing skipped"
        n_files = self._reader.n_files + self._caged.n_files
        return f"{counted(self._n_documents, 'document')} from {counted(n_files, 'file')}, {skipped}"

    def close(self) -> None:
        """Stop reading and close the file at hand."""
        self._documents.close()

    def __iter__(self) -> Iterator[Document]:
        return self

    def __next__(self) -> Document:
        return self._ahead.pop() if self._ahead else next(self._documents)

    def _peek(self) -> Document | None:
        """The next document, which is read again afterwards; None where there is none."""
        if not self._ahead:
            self._ahead = list(islice(self._documents, 1))
        return self._ahead[0] if self._ahead else None

    def _as_recorded(self, recorded: Recorded) -> Reading:
        """Read what an index knows with the columns, the encoding and the parts of the last time, where no others were given."""
        self._by_file.learn(recorded)
        return self

    def _for_index(self) -> list[tuple[Path, dict[str, object]]]:
        """What is read, and with which columns, encoding and parts. From now on an id need not be unique but in its source.

        An index tells sources apart itself, and by better names than a number behind the id.
        """
        self._ids.by_source = True
        return [(source, self._by_file.said_of(source)) for source in self._sources]

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Reading({self.summary()})"

    def _read_all(self, sources: list[AnySource]) -> Generator[Document, None, None]:
        for source in sources:
            for document in self._read_source(source):
                self._n_documents += 1
                yield self._ids.unique(document)

    def _read_source(self, source: AnySource) -> Iterator[Document]:
        self._reader.options = self._options
        if isinstance(source, Path):
            yield from self._read_path(source)
        elif isinstance(source, Address):
            file, reader = input_at(source, self._reader.input(io.BytesIO(), "", "", True))
            yield from self._reader.read(file, None, reader)
        elif isinstance(source, Remote):
            for each in source.files():
                for found, address in fetch(source, each):
                    yield from self._read_file(found, None, address)
        else:
            path, name = ("stdin", "stdin") if source is sys.stdin.buffer else stream_names(source)
            yield from self._reader.read(self._reader.input(source, path, name, True), None)
            self._bytes.report()

    def _read_path(self, source: Path) -> Iterator[Document]:
        """The documents of a file or folder, whose next files are at work already."""
        ahead, hidden = Ahead(self._options.limits), list[str]()
        try:
            for each in ahead.files(source):
                if isinstance(each.file, Skipped) and each.file.reason == HIDDEN:
                    hidden.append(each.file.source)
                elif isinstance(each.file, Skipped):
                    self._report.skip(each.file.source, each.file.reason)
                else:
                    yield from self._read_file(each.file, each.extraction)
        finally:
            ahead.end()
        if hidden:
            self._report.note(f"names that begin with a dot, left out with what is in them: {len(hidden):,}, such as {hidden[0]}")

    def _read_file(self, found: Found, extraction: Extraction | None, address: str | None = None) -> Iterator[Document]:
        """The documents of a file, in this process where that is safe, and else in the cage."""
        source, self._here = shown(str(found.path)) if address is None else address, 0
        self._reader.options = self._caged.options = self._by_file.of(found.path)
        if is_safe(found):
            try:
                yield from self._reader.documents(found, source, self._at_stream, extraction)
            except NeedsCage:
                yield from self._caged.documents(found, source, self._at)
        else:
            yield from self._caged.documents(found, source, self._at)
        self._bytes.finish(self._here)
        self._bytes.report()

    def _at_stream(self, stream: BinaryIO, share: float | None) -> None:
        if not self._bytes.is_silent:
            self._at(position(stream, share))

    def _at(self, here: int) -> None:
        self._here = here
        self._bytes.report(here)
