"""Read documents from files into an index, and fit it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, TypedDict, TypeVar

from vicinal.cli._terminal.exit_codes import print_to_stderr, with_options
from vicinal.errors import BadParameter, EmptyCorpus

if TYPE_CHECKING:
    from vicinal.cli._terminal.progress_display import ProgressDisplay
    from vicinal.corpus import Limits, Reading
    from vicinal.corpus._options_by_file import Recorded
    from vicinal.index import Added, Fitted, Index, Synced

Outcome = TypeVar("Outcome")
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
    split: str | None
    query: str | None


def chosen_limits(max_size: int | None, max_memory: int | None, max_seconds: int | None) -> Limits:
    """The limits of a reading: the defaults, and what ``--max-size``, ``--max-memory`` and ``--max-seconds`` change."""
    from vicinal.corpus import Limits

    sizes = {"document_bytes": max_size and max_size * 1_000_000, "extract_bytes": max_memory and max_memory * 2**20}
    given = sizes | {"extract_seconds": max_seconds}
    return Limits(**{name: value for name, value in given.items() if value is not None})


class Ingest:
    """Read documents for an index, one at a time; the first is read at once, so that a wrong path or column makes no index.

    Parameters
    ----------
    paths : sequence of str
    columns : Columns
    display : ProgressDisplay
        Shows how much was read and added.
    recorded : mapping, default={}
        What an index read files and folders with, by path; it holds where ``columns`` has nothing.
    limits : Limits or None, default=None
    may_be_empty : bool, default=False
        Whether it is no error that no path has a document.

    Raises
    ------
    NoSuchSource
        A path does not exist.
    BadParameter
        A table has no such column.
    EmptyCorpus
        No path has a document.
    """

    def __init__(
        self,
        paths: Sequence[str],
        columns: Columns,
        display: ProgressDisplay,
        *,
        recorded: Recorded = MappingProxyType({}),
        limits: Limits | None = None,
        may_be_empty: bool = False,
    ) -> None:
        from vicinal.corpus import Limits, read

        if not all(paths):
            raise BadParameter("a path is empty, perhaps an unset shell variable. Give files or folders.")
        self._display = display
        reading: Reading = read(*paths, progress=display, limits=limits or Limits(), **columns)
        self._reading = reading._as_recorded(recorded)
        self._read_first(paths, may_be_empty)

    def _read_first(self, paths: Sequence[str], may_be_empty: bool) -> None:
        try:
            with self._display.beside("read"):
                first = self._reading._peek()
            if first is None and not may_be_empty:
                raise EmptyCorpus(f"there is no document in {', '.join(paths)}. Name files or folders that hold text.")
        except BaseException:
            self._print_summary()
            raise

    def into(self, index: Index, update: bool | None = None) -> Added:
        """Add the documents to an index; print on standard error what was skipped, guessed and called by another name."""
        return self._into(lambda: print_renamed(index.add(self._reading, update=update, progress=self._display)))

    def update(self, index: Index) -> Added:
        """Replace documents that an index has by those that are read; print the same, and which are not in the index."""
        return self._into(lambda: print_renamed(index.update(self._reading, progress=self._display)))

    def sync(self, index: Index, remove: bool) -> Synced:
        """Bring an index in step with what is read; print the same."""
        return self._into(lambda: index.sync(self._reading, remove=remove, progress=self._display))

    def _into(self, step: Callable[[], Outcome]) -> Outcome:
        try:
            self._display("add", 0, 0)
            with self._display.beside("read"):
                return step()
        finally:
            self._print_summary()
            self._reading.close()

    def facts(self) -> dict[str, object]:
        """What was read, as plain values."""
        return reading_facts(self._reading)

    def _print_summary(self) -> None:
        print_reading(self._reading)


def reading_facts(reading: Reading | None) -> dict[str, object]:
    """What was read, as plain values; None is no reading."""
    if reading is None:
        return {"read": "", "skipped": [], "notes": []}
    skipped = [{"source": each.source, "reason": each.reason} for each in reading.skipped]
    return {"read": reading.summary(), "skipped": skipped, "notes": list(reading.notes)}


def print_reading(reading: Reading) -> None:
    """Print on standard error what was skipped and why, what was guessed, and how much was read."""
    print_skipped(reading)
    print_some("note", reading.notes)
    print_to_stderr(f"read: {reading.summary()}")


def print_skipped(reading: Reading) -> None:
    """Print on standard error which files and rows were skipped, and why."""
    print_some("skipped", [with_options(str(each)) for each in reading.skipped])


def print_some(name: str, lines: Sequence[str]) -> None:
    """Print lines on standard error, each behind a name; of many the first, and how many more there are."""
    for line in lines[:MOST_LINES]:
        print_to_stderr(f"{name}: {line}")
    if len(lines) > MOST_LINES:
        print_to_stderr(f"{name}: and {len(lines) - MOST_LINES:,} more; --json lists all")


def print_renamed(added: Added) -> Added:
    """Print on standard error which ids and names belong to another source, and what became of them."""
    lines = [f"{came} is from another source here, so this one is called {called}" for came, called in added.renamed.items()]
    print_some("note", lines)
    if lines:
        print_to_stderr("note: nothing was overwritten; --update replaces documents of other sources instead")
    print_some("replaced", [f"{id}, which came from another source" for id in added.replaced])
    print_some("not in the index", added.absent)
    return added


def print_notes(fitted: Fitted) -> Fitted:
    """Print the notes of a fit on standard error."""
    for note in fitted.notes:
        print_to_stderr(f"note: {with_options(note)}")
    return fitted
