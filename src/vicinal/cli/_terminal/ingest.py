"""Read documents from files into an index, and fit it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NotRequired, TypedDict

from vicinal.cli._terminal.exit_codes import print_to_stderr, with_options
from vicinal.errors import BadParameter, EmptyCorpus

if TYPE_CHECKING:
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.corpus import Document, Reading
    from vicinal.index import Added, Fitted, Index

#: Skipped files that are listed, and as many notes; the others are counted.
MOST_LINES = 20


class Columns(TypedDict):
    """Which columns of a table hold what, and the encoding of all files: options of `vicinal.read`."""

    text: str | None
    title: str | None
    id: str | None
    label: str | None
    metadata: list[str] | None
    encoding: str | None
    split: NotRequired[str | None]


class Ingest:
    """Read documents for an index, one at a time; the first is read at once, so that a wrong path or column makes no index.

    Parameters
    ----------
    paths : sequence of str
    columns : Columns
    display : ProgressDisplay
        Shows how much was read and added.

    Raises
    ------
    NoSuchSource
        A path does not exist.
    BadParameter
        A table has no such column.
    EmptyCorpus
        No path has a document.
    """

    def __init__(self, paths: Sequence[str], columns: Columns, display: ProgressDisplay) -> None:
        from vicinal.corpus import read

        if not all(paths):
            raise BadParameter("a path is empty, perhaps an unset shell variable. Give files or folders.")
        self._display = display
        self._reading: Reading = read(*paths, progress=display, **columns)
        self._documents = self._with_first(paths)

    def _with_first(self, paths: Sequence[str]) -> Iterator[Document]:
        try:
            with self._display.beside("read"):
                first = next(self._reading, None)
            if first is None:
                raise EmptyCorpus(f"there is no document in {', '.join(paths)}. Name files or folders that hold text.")
        except BaseException:
            self._print_summary()
            raise
        return chain([first], self._reading)

    def into(self, index: Index) -> Added:
        """Add the documents to an index; print on standard error what was skipped and guessed."""
        try:
            self._display("add", 0, 0)
            with self._display.beside("read"):
                return index.add(self._documents, progress=self._display)
        finally:
            self._print_summary()
            self._reading.close()

    def facts(self) -> dict[str, object]:
        """What was read, as plain values."""
        return {
            "read": self._reading.summary(),
            "skipped": [{"source": each.source, "reason": each.reason} for each in self._reading.skipped],
            "notes": list(self._reading.notes),
        }

    def _print_summary(self) -> None:
        print_skipped(self._reading)
        _print_some("note", self._reading.notes)
        print_to_stderr(f"read: {self._reading.summary()}")


def print_skipped(reading: Reading) -> None:
    """Print on standard error which files and rows were skipped, and why."""
    _print_some("skipped", [str(each) for each in reading.skipped])


def _print_some(name: str, lines: Sequence[str]) -> None:
    for line in lines[:MOST_LINES]:
        print_to_stderr(f"{name}: {line}")
    if len(lines) > MOST_LINES:
        print_to_stderr(f"{name}: and {len(lines) - MOST_LINES:,} more")


def print_notes(fitted: Fitted) -> Fitted:
    """Print the notes of a fit on standard error."""
    for note in fitted.notes:
        print_to_stderr(f"note: {with_options(note)}")
    return fitted
