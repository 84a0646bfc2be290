"""`read`: documents from files, folders, tables, mail and streams, one after the other."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path, PurePath
from typing import BinaryIO, TypeAlias

from vicinal._progress import Progress, silent
from vicinal.corpus._ahead import Ahead
from vicinal.corpus._database import Address, address_of, input_at, inputs_of, is_database
from vicinal.corpus._decode import SAMPLE, checked_encoding, sniff
from vicinal.corpus._document import Document, Scalar
from vicinal.corpus._files import ByteProgress, Found, existing, open_file, shown, state, stream_names, too_large
from vicinal.corpus._formats import FORMATS, OTHER, Input, Reader, look_ahead, stream_lines
from vicinal.corpus._formats.extraction import Extraction
from vicinal.corpus._read_options import Limits, ReadOptions
from vicinal.corpus._read_report import Report, Skipped, Unreadable
from vicinal.corpus._split import checked_split, parts_of
from vicinal.corpus._unique_ids import UniqueIds
from vicinal.corpus._unpack import ARCHIVES, Archive, Budget, Member, Unpacked, decompressed, held, without_compression
from vicinal.errors import BadParameter

Source: TypeAlias = str | os.PathLike[str] | BinaryIO
STANDARD_INPUT = "-"
LONGEST_METADATA = 1 << 20  # characters of JSON: what an index can store of one document


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
    return Reading([address_of(source, query) or _checked(source) for source in sources], options, progress)


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

    def __init__(self, sources: list[Path | BinaryIO | Address], options: ReadOptions, progress: Progress = silent) -> None:
        self._options = options
        self._report = Report(options.limits.lines)
        self._ids = UniqueIds(self._report)
        self._n_documents = self._n_files = 0
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
        return f"{_counted(self._n_documents, 'document')} from {_counted(self._n_files, 'file')}, {skipped}"

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

    def _for_index(self) -> tuple[tuple[Path, ...], dict[str, object]]:
        """What is read, and with which columns, encoding and parts. From now on an id need not be unique but in its source.

        An index tells sources apart itself, and by better names than a number behind the id.
        """
        self._ids.by_source = True
        options = self._options
        said = {name: getattr(options, name) for name in ("text", "title", "id", "label", "encoding") if getattr(options, name)}
        said |= {name: str(value) for name in ("split", "query") if (value := getattr(options, name)) is not None}
        return self._sources, said | ({} if options.metadata is None else {"metadata": list(options.metadata)})

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Reading({self.summary()})"

    def _read_all(self, sources: list[Path | BinaryIO | Address]) -> Generator[Document, None, None]:
        for source in sources:
            if isinstance(source, Path):
                yield from self._read_path(source)
            elif isinstance(source, Address):
                file, reader = input_at(source, Input(io.BytesIO(), "", "", True, self._options, self._report))
                yield from self._read_input(file, None, reader)
            else:
                path, name = ("stdin", "stdin") if source is sys.stdin.buffer else stream_names(source)
                yield from self._read_input(Input(source, path, name, True, self._options, self._report), None)
                self._bytes.report()

    def _read_path(self, source: Path) -> Iterator[Document]:
        """The documents of a file or folder, whose next files are at work already."""
        ahead = Ahead(self._options.limits)
        try:
            for each in ahead.files(source):
                if isinstance(each.file, Skipped):
                    self._report.skip(each.file.source, each.file.reason)
                else:
                    yield from self._read_file(each.file, each.extraction)
        finally:
            ahead.end()

    def _read_file(self, found: Found, extraction: Extraction | None = None) -> Iterator[Document]:
        source = shown(str(found.path))
        if is_database(found.path):
            yield from self._read_database(found, source)
            return
        try:
            if self._options.query is not None:
                raise Unreadable("no database, so that no query can be asked of it")
            stream = open_file(found)
        except Unreadable as error:
            self._report.skip(source, str(error))
            return
        with closing(stream):
            before = state(stream)
            file = Input(stream, source, found.name, found.by_itself, self._options, self._report, extraction)
            budget = Budget(before[0] if before else 0, self._options.limits)
            for document in self._read_packed(file, budget):
                self._bytes.report(stream, file.share)
                yield document
            if state(stream) != before:
                self._report.note(f"{source}: it changed while it was read")
            self._bytes.finish(stream)
        self._bytes.report()

    def _read_database(self, found: Found, source: str) -> Iterator[Document]:
        """The rows of each table of a database, or of the query."""
        file = Input(io.BytesIO(), source, found.name, found.by_itself, self._options, self._report)
        try:
            inside = inputs_of(found.path, file)
        except Unreadable as error:
            file.skip(str(error))
            return
        for each, reader in inside:
            yield from self._read_input(each, None, reader)

    def _read_packed(self, file: Input, budget: Budget, depth: int = 0) -> Iterator[Document]:
        """All documents of a file, which is unpacked where it is compressed or an archive."""
        inner = without_compression(file.name)
        suffix = PurePath(inner).suffix.lower()
        try:
            if inner != file.name:
                stream = decompressed(file.stream, file.name, budget)
                whole = suffix == ".zip" or not FORMATS.get(suffix, OTHER).is_text
                file = replace(file, stream=held(stream, file.limits.document_bytes) if whole and suffix != ".tar" else stream)
            if suffix in ARCHIVES:
                yield from self._read_archive(file, suffix, budget, depth)
                return
        except Unreadable as error:
            file.skip(str(error))
            return
        yield from self._read_input(file, suffix)

    def _read_archive(self, file: Input, suffix: str, budget: Budget, depth: int) -> Iterator[Document]:
        if depth >= file.limits.nested:
            raise Unreadable(f"archives inside archives more than {file.limits.nested} deep")
        archive = Archive(file.stream, file.limits, lambda path, why: self._report.skip(f"{file.source}/{shown(path)}", why))
        skipped, documents = self._report.n_skipped, self._n_documents
        for member in archive.members(suffix):
            name = shown(member.path)
            inside = replace(file, source=f"{file.source}/{name}", name=f"{file.name}/{name}", by_itself=False)
            try:
                inside.stream = _opened(member, inside, budget)
            except Unreadable as error:
                inside.skip(str(error))
                budget.take(0)  # which ends the archive where nothing more may be unpacked
                continue
            yield from self._read_packed(inside, budget, depth + 1)
        if (self._report.n_skipped, self._n_documents) == (skipped, documents):
            file.skip("no documents in it")

    def _read_input(self, file: Input, suffix: str | None, reader: Reader | None = None) -> Iterator[Document]:
        """All documents of one source; an error in it is reported, and reading goes on with the next source."""
        documents, skipped = self._n_documents, self._report.n_skipped
        try:
            for document in (reader or self._reader(file, suffix))(file):
                for part in self._parts(document, file):
                    self._n_documents += 1
                    yield self._ids.unique(part)
        except BadParameter:
            raise
        except Unreadable as error:
            file.skip(str(error))
        except Exception as error:  # whatever a broken file does to a reader, the other files are read
            file.skip(f"cannot be read: {type(error).__name__}: {error}")
        if self._n_documents > documents:
            self._n_files += 1
        elif self._report.n_skipped == skipped:
            file.skip("no documents in it")
        self._report.close(file.source)

    def _parts(self, document: Document, file: Input) -> Iterable[Document]:
        """The document, or its parts where it is to be split; none where it cannot be kept."""
        if not _is_kept(document, file):
            return ()
        return (document,) if self._options.split is None else parts_of(document, self._options.split)

    def _reader(self, file: Input, suffix: str | None) -> Reader:
        if suffix is None:
            return stream_lines
        format = FORMATS.get(suffix, OTHER)
        if format.is_text:
            head = look_ahead(file)
            if not head.strip():
                raise Unreadable("empty")
            if sniff(head) is None and "a".encode(self._options.encoding or "ascii") == b"a":
                raise Unreadable("binary, not text")
        return format.read


def _opened(member: Member, file: Input, budget: Budget) -> BinaryIO:
    """A member of an archive as a stream: held in memory, unless it is larger than one document and can be read in parts."""
    stream = io.BufferedReader(Unpacked(member.open(), budget), SAMPLE)
    if member.size <= file.limits.document_bytes:
        return held(stream, file.limits.document_bytes)
    inner = PurePath(without_compression(member.path)).suffix.lower()
    if inner not in ARCHIVES and FORMATS.get(inner, OTHER).in_parts:
        return stream
    raise Unreadable(too_large(member.size, file.limits.document_bytes))


def _is_kept(document: Document, file: Input) -> bool:
    """Whether a document has content, and metadata that can be stored; what has not is skipped with a reason."""
    if not document.text.strip() and document.title in {"", file.stem}:
        file.skip("empty")
        return False
    if _written_length(document.metadata) > LONGEST_METADATA:
        file.skip(f"the metadata of {document.id!r:.80} are too long: more than {LONGEST_METADATA:,} characters")
        return False
    return True


def _written_length(values: Mapping[str, Scalar]) -> int:
    """Characters of metadata as JSON; an estimate where they are far from too long."""
    rough = sum(len(name) + (len(value) if isinstance(value, str) else 30) + 6 for name, value in values.items())
    return rough if 6 * rough < LONGEST_METADATA else len(json.dumps(dict(values), ensure_ascii=False, separators=(",", ":")))


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
