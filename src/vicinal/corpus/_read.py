"""Read documents from files, folders, tables, mail and streams: whatever is in them, one after the other."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from vicinal.corpus._columns import Wishes
from vicinal.corpus._decode import SAMPLE, checked_encoding, clean, sniff
from vicinal.corpus._document import Document, Metadata
from vicinal.corpus._files import Found, Limits, existing, open_file, shown, state, walk
from vicinal.corpus._formats import BINARY, READERS, Desk, Draft, Reader, plain, stream_lines
from vicinal.corpus._report import Report, Skipped, Unreadable
from vicinal.corpus._weigh import Scales
from vicinal.errors import BadParameter

Source: TypeAlias = str | os.PathLike[str] | BinaryIO
STANDARD_INPUT = "-"
LONGEST_METADATA = 1 << 20  # characters of JSON: what an index can keep of one document


def read(
    *sources: Source,
    text: str | None = None,
    title: str | None = None,
    id: str | None = None,
    label: str | None = None,
    metadata: str | Iterable[str] | None = None,
    encoding: str | None = None,
    limits: Limits = Limits(),  # noqa: B008
) -> Reading:
    """Read documents from files, folders, tables, mail or a stream, one at a time, and never stop at a bad one.

    Parameters
    ----------
    *sources : path, ``"-"`` or binary stream
        Files and folders (with all folders in them, sorted by name; names that begin with a dot are left out and links are
        not followed). ``"-"`` is standard input; a stream has one document per line, as text or as a JSON object.
        A file of txt, md, html, eml, pdf (needs pypdf) or docx (needs python-docx) is one document; csv, tsv, json, jsonl, parquet
        (needs pyarrow) and mbox have one per row. Any other file that is text is read as it stands.
    text, title, id, label : str, optional
        Columns of tables. Text, title and id are guessed when they are not given, and ``notes`` says how.
    metadata : str or iterable of str, optional
        Columns to keep as metadata; all others with plain values when not given.
    encoding : str, optional
        Of all sources; found out when not given.
    limits : Limits, optional
        How much is too much.

    Returns
    -------
    Reading
        An iterator of `Document`, with ``skipped``, ``notes`` and ``summary()``. An id is the path from the named file or
        folder on, with ``#row`` for a row of a table, unless the table has a column for it. A file further down in a folder has
        the metadata ``folder``, its way from there.

    Raises
    ------
    NoSuchSource
        Nothing has that path.
    BadParameter
        A table that was named by itself has no such column; raised when its turn comes.
    """
    if not sources:
        raise BadParameter("sources: nothing to read was named. Give files, folders, '-' or a stream: read('articles/').")
    columns = (metadata,) if isinstance(metadata, str) else None if metadata is None else tuple(metadata)
    wishes = Wishes(text, title, id, label, columns)
    for parameter, column in wishes.named():
        if not isinstance(column, str):
            raise BadParameter(f"{parameter} must be the name of a column, got {column!r}. Use {parameter}='name'.")
    checked: list[Path | BinaryIO] = [_checked(source) for source in sources]
    return Reading(checked, wishes, checked_encoding(encoding), limits)


def _checked(source: Source) -> Path | BinaryIO:
    if isinstance(source, str | os.PathLike):
        return sys.stdin.buffer if source == STANDARD_INPUT else existing(source)
    if callable(getattr(source, "read", None)) and not hasattr(source, "encoding"):
        return source
    raise BadParameter(
        f"sources must be paths, '-' or streams opened as binary, got {type(source).__name__}. Use open(path, 'rb') or the path."
    )


class Reading:
    """Documents on their way in: an iterator that also says what it skipped and what it guessed.

    Files are opened when their turn comes and closed when they are done, and one document at a time is held. `skipped`, `notes` and
    `summary` tell what has happened so far. It can be used in a ``with`` statement, which closes it early.
    """

    def __init__(self, sources: list[Path | BinaryIO], wishes: Wishes, encoding: str | None, limits: Limits) -> None:
        self._report = Report(limits.lines)
        self._wishes, self._encoding, self._limits = wishes, encoding, limits
        self._names = _Names(self._report)
        self._n_documents = self._n_files = 0
        self._scales = Scales(sources)
        self._coming = self._stream(sources)

    @property
    def skipped(self) -> list[Skipped]:
        """Files and rows that became no documents, each with its reason."""
        return self._report.skipped

    @property
    def notes(self) -> list[str]:
        """What was guessed or mended, in sentences of one line."""
        return self._report.notes

    def summary(self) -> str:
        """Say in one line how many documents came from how many files, and how many files or rows were skipped."""
        skipped = f"{self._report.n_skipped:,} skipped" if self._report.n_skipped else "nothing skipped"
        return f"{_counted(self._n_documents, 'document')} from {_counted(self._n_files, 'file')}, {skipped}"

    def share(self) -> float | None:
        """What part of all bytes was read so far, from 0 to 1; None for streams. The first call looks at the sizes of all files."""
        return self._scales.share()

    def close(self) -> None:
        """Stop reading and close the file at hand."""
        self._coming.close()

    def __iter__(self) -> Iterator[Document]:
        return self

    def __next__(self) -> Document:
        return next(self._coming)

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Reading({self.summary()})"

    def _stream(self, sources: list[Path | BinaryIO]) -> Generator[Document, None, None]:
        for source in sources:
            if isinstance(source, Path):
                for found in walk(source, self._report.skip):
                    yield from self._file(found)
            else:
                name = "stdin" if source is sys.stdin.buffer else _stream_name(source)
                yield from self._documents(self._desk(source, name, name), None)

    def _file(self, found: Found) -> Iterator[Document]:
        source = shown(str(found.path))
        try:
            stream = open_file(found)
        except Unreadable as error:
            self._report.skip(source, str(error))
            return
        with closing(stream):
            before = state(stream)
            self._scales.begin(stream)
            yield from self._documents(self._desk(stream, source, found.name, found.by_itself), found.path.suffix.lower())
            if state(stream) != before:
                self._report.note(f"{source}: it changed while it was read")
            self._scales.end(stream)

    def _desk(self, stream: BinaryIO, source: str, name: str, by_itself: bool = True) -> Desk:
        return Desk(stream, source, self._report, name, Path(name).stem, by_itself, self._wishes, self._encoding, self._limits)

    def _documents(self, desk: Desk, suffix: str | None) -> Iterator[Document]:
        """All documents of one source; whatever goes wrong with it is written down, and the next source has its turn."""
        documents, skipped = self._n_documents, self._report.n_skipped
        try:
            for draft in self._reader(desk, suffix)(desk):
                document = self._finished(draft, desk)
                if document is not None:
                    self._n_documents += 1
                    yield document
        except BadParameter:
            raise
        except Unreadable as error:
            desk.skip(str(error))
        except Exception as error:  # whatever a hostile file does to a reader, the batch goes on
            desk.skip(f"cannot be read: {type(error).__name__}: {error}")
        if self._n_documents > documents:
            self._n_files += 1
        elif self._report.n_skipped == skipped:
            desk.skip("no documents in it")
        self._report.close(desk.source)

    def _reader(self, desk: Desk, suffix: str | None) -> Reader:
        if suffix is None:
            return stream_lines
        if suffix in BINARY:
            return READERS[suffix]
        head = desk.stream.read(SAMPLE)
        desk.stream.seek(0)
        if not head.strip():
            raise Unreadable("empty")
        if sniff(head) is None and "a".encode(self._encoding or "ascii") == b"a":
            raise Unreadable("binary, not text")
        return READERS.get(suffix, plain)

    def _finished(self, draft: Draft, desk: Desk) -> Document | None:
        """The document that a draft becomes: with a name of its own and clean text; None if there is nothing to read in it."""
        tally = desk.tally
        text, title = clean(draft.text, tally), " ".join(clean(draft.title, tally).split())
        if not text.strip() and title in {"", desk.stem}:
            desk.skip("empty")
            return None
        key = " ".join(clean(draft.key, tally).split()) or (desk.name if draft.row is None else f"{desk.name}#{draft.row}")
        values = _folder(desk) | {
            clean(name, tally): clean(value, tally) if isinstance(value, str) else value
            for name, value in (draft.metadata or {}).items()
        }
        if _written_length(values) > LONGEST_METADATA:
            where = "" if draft.row is None else f"row {draft.row}: "
            desk.skip(f"{where}its metadata are too long: more than {LONGEST_METADATA:,} characters")
            return None
        return Document(self._names.unique(key), text, title, clean(draft.label, tally), desk.source, Metadata(values))


def _folder(desk: Desk) -> dict[str, str]:
    """The folder inside the one that was named, as a column to filter by and to learn from: many sort their files that way."""
    inside = [] if desk.by_itself else desk.name.split("/")[1:-1]
    return {"folder": "/".join(inside)} if inside else {}


def _written_length(values: dict[str, Any]) -> int:
    """Characters of metadata as JSON; what is far from too long is not written to be measured."""
    rough = sum(len(name) + (len(value) if isinstance(value, str) else 30) + 6 for name, value in values.items())
    return rough if 6 * rough < LONGEST_METADATA else len(json.dumps(values, ensure_ascii=False, separators=(",", ":")))


def _stream_name(stream: BinaryIO) -> str:
    name = getattr(stream, "name", None)
    return Path(name).name if isinstance(name, str) and name else "stream"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class _Names:
    """The names given so far, eight bytes of each, so that none is given twice."""

    def __init__(self, report: Report) -> None:
        self._report, self._given = report, set[bytes]()
        self._again: dict[bytes, int] = {}

    def unique(self, name: str) -> str:
        """Return the name, or the name with a number if it was given before, and say so."""
        short, candidate = _short(name), name
        number = self._again.get(short, 1)
        while _short(candidate) in self._given:
            number += 1
            candidate = f"{name} ({number})"
        if number > 1:
            self._again[short] = number
            self._report.note(f"the id {name!r} was there before; this one is called {candidate!r}")
        self._given.add(_short(candidate))
        return candidate


def _short(name: str) -> bytes:
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
