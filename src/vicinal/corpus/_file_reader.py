"""The documents of one file, whatever it is: unpacked, read by its format, split and checked; what cannot be read is reported."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import PurePath
from typing import BinaryIO, TypeAlias

from vicinal.corpus._database import inputs_of, is_database
from vicinal.corpus._decode import SAMPLE, sniff
from vicinal.corpus._document import Document, Scalar
from vicinal.corpus._files import Found, open_file, shown, state, too_large
from vicinal.corpus._formats import FORMATS, OTHER, Input, NeedsCage, Reader, look_ahead, stream_lines
from vicinal.corpus._formats.extraction import Extraction, more_memory
from vicinal.corpus._read_options import ReadOptions
from vicinal.corpus._read_report import Report, Unreadable
from vicinal.corpus._split import parts_of
from vicinal.corpus._unpack import ARCHIVES, Archive, Budget, Member, Unpacked, decompressed, held, without_compression
from vicinal.errors import BadParameter

LONGEST_METADATA = 1 << 20  # characters of JSON: what an index can store of one document
#: Called with the stream at hand, and the share of it that was read where its reader knows that.
At: TypeAlias = Callable[[BinaryIO, float | None], None]


class FileReader:
    """Reads one file after the other, and reports what is skipped and noted.

    Parameters
    ----------
    options : ReadOptions
    report : Report
    caged : bool, default=False
        Whether this process has limits of its own, so that what could take all time or memory may be read here.

    Attributes
    ----------
    options : ReadOptions
        Of the next file.
    """

    def __init__(self, options: ReadOptions, report: Report, caged: bool = False) -> None:
        self.options, self._report, self._caged = options, report, caged
        self.n_documents = self.n_files = 0

    def input(self, stream: BinaryIO, source: str, name: str, by_itself: bool, extraction: Extraction | None = None) -> Input:
        """A file or stream to read."""
        return Input(stream, source, name, by_itself, self.options, self._report, extraction, caged=self._caged)

    def documents(self, found: Found, source: str, at: At, extraction: Extraction | None = None) -> Iterator[Document]:
        """All documents of a file; ``at`` is told how far it is.

        Raises
        ------
        NeedsCage
            It is to be read in a process with limits; nothing of it was reported.
        """
        if is_database(found.path):
            yield from self._database(found, source)
            return
        try:
            if self.options.query is not None:
                raise Unreadable("no database, so that no query can be asked of it")
            stream = open_file(found)
        except Unreadable as error:
            self._report.skip(source, str(error))
            return
        with closing(stream):
            before = state(stream)
            file = self.input(stream, source, found.name, found.by_itself, extraction)
            for document in self._packed(file, Budget(before[0] if before else 0, self.options.limits)):
                at(stream, file.share)
                yield document
            if state(stream) != before:
                self._report.note(f"{source}: it changed while it was read")
            at(stream, 1.0)

    def _database(self, found: Found, source: str) -> Iterator[Document]:
        """The rows of each table of a database, or of the query."""
        file = self.input(io.BytesIO(), source, found.name, found.by_itself)
        try:
            inside = inputs_of(found.path, file)
        except Unreadable as error:
            file.skip(str(error))
            return
        for each, reader in inside:
            yield from self.read(each, None, reader)

    def _packed(self, file: Input, budget: Budget, depth: int = 0) -> Iterator[Document]:
        """All documents of a file, which is unpacked where it is compressed or an archive."""
        inner = without_compression(file.name)
        suffix = PurePath(inner).suffix.lower()
        try:
            if inner != file.name:
                stream = decompressed(file.stream, file.name, budget)
                whole = suffix == ".zip" or not FORMATS.get(suffix, OTHER).is_text
                file = replace(file, stream=held(stream, file.limits.document_bytes) if whole and suffix != ".tar" else stream)
            if suffix in ARCHIVES:
                yield from self._archive(file, suffix, budget, depth)
                return
        except Unreadable as error:
            file.skip(str(error))
            return
        yield from self.read(file, suffix)

    def _archive(self, file: Input, suffix: str, budget: Budget, depth: int) -> Iterator[Document]:
        if depth >= file.limits.nested:
            raise Unreadable(f"archives inside archives more than {file.limits.nested} deep")
        archive = Archive(file.stream, file.limits, lambda path, why: self._report.skip(f"{file.source}/{shown(path)}", why))
        skipped, documents = self._report.n_skipped, self.n_documents
        for member in archive.members(suffix):
            name = shown(member.path)
            inside = replace(file, source=f"{file.source}/{name}", name=f"{file.name}/{name}", by_itself=False)
            self._report.begin(inside.source, member.size)
            try:
                inside.stream = _opened(member, inside, budget)
            except Unreadable as error:
                inside.skip(str(error))
                budget.take(0)  # which ends the archive where nothing more may be unpacked
                continue
            yield from self._packed(inside, budget, depth + 1)
        if (self._report.n_skipped, self.n_documents) == (skipped, documents):
            file.skip("no documents in it")

    def read(self, file: Input, suffix: str | None, reader: Reader | None = None) -> Iterator[Document]:
        """All documents of one source; an error in it is reported, and reading goes on with the next source."""
        documents, skipped = self.n_documents, self._report.n_skipped
        try:
            for document in (reader or self._reader(file, suffix))(file):
                for part in self._parts(document, file):
                    self.n_documents += 1
                    yield part
        except (BadParameter, NeedsCage):
            raise
        except Unreadable as error:
            file.skip(str(error))
        except MemoryError:
            file.skip(f"it exceeded its memory: {more_memory(file.limits)}")
        except Exception as error:  # whatever a broken file does to a reader, the other files are read
            file.skip(f"cannot be read: {type(error).__name__}: {error}")
        if self.n_documents > documents:
            self.n_files += 1
        elif self._report.n_skipped == skipped:
            file.skip("no documents in it")
        self._report.close(file.source)

    def _parts(self, document: Document, file: Input) -> Iterable[Document]:
        """The document, or its parts where it is to be split; none where it cannot be kept."""
        if not _is_kept(document, file):
            return ()
        return (document,) if self.options.split is None else parts_of(document, self.options.split)

    def _reader(self, file: Input, suffix: str | None) -> Reader:
        if suffix is None:
            return stream_lines
        format = FORMATS.get(suffix, OTHER)
        if format.is_text:
            head = look_ahead(file)
            if not head.strip():
                raise Unreadable("empty")
            if sniff(head) is None and "a".encode(self.options.encoding or "ascii") == b"a":
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
