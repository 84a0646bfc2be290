"""Documents on their way from files into an index, and what is told of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from vicinal.cli._terminal.exit_codes import line
from vicinal.cli._terminal.progress_display import Rate
from vicinal.errors import BadParameter, EmptyCorpus

if TYPE_CHECKING:
    from vicinal.cli._terminal.progress_display import Stages
    from vicinal.corpus import Document, Reading
    from vicinal.index import Added, Fitted, Index

#: Lines that are said of skipped files, and as many notes; the others are counted.
MOST_LINES = 20


class Intake:
    """Read documents for an index, one at a time; the first is read at once, so that a wrong path or column makes no index.

    Parameters
    ----------
    paths : sequence of str
    **choices
        Columns and encoding, as `vicinal.read` takes them.

    Raises
    ------
    NoSuchSource
        Nothing has that path.
    BadParameter
        A table has no such column.
    EmptyCorpus
        There is no document in all of it.
    """

    def __init__(self, paths: Sequence[str], **choices: Any) -> None:
        from vicinal.corpus import read

        if not all(paths):
            raise BadParameter("a path is empty, which may be a shell variable that is not set. Give files or folders.")
        self._share: float | None = None
        self._reading: Reading = read(*paths, progress=self._note_share, **choices)
        self._documents = self._begun(paths)

    def _begun(self, paths: Sequence[str]) -> Iterator[Document]:
        try:
            first = next(self._reading, None)
            if first is None:
                raise EmptyCorpus(f"there is no document in {', '.join(paths)}. Name files or folders that hold text.")
        except BaseException:
            self._tell()
            raise
        return chain([first], self._reading)

    def into(self, index: Index, stages: Stages) -> Added:
        """Add the documents to an index, and say on standard error what was skipped and what was guessed."""
        try:
            with stages.measure("add") as stage:
                rate = Rate(stage, "add", lambda: self._share)
                added = index.add(rate.through(self._documents), progress=rate.told)
                stage.outcome = rate.sentence()
        finally:
            self._tell()
            self._reading.close()
        return added

    def _note_share(self, step: str, done: int, total: int) -> None:
        self._share = done / total if total else None

    def facts(self) -> dict[str, Any]:
        """What was read, as plain values."""
        return {
            "read": self._reading.summary(),
            "skipped": [{"source": each.source, "reason": each.reason} for each in self._reading.skipped],
            "notes": list(self._reading.notes),
        }

    def _tell(self) -> None:
        say_skipped(self._reading)
        _say("note", list(self._reading.notes))
        line(f"read: {self._reading.summary()}")


def say_skipped(reading: Reading) -> None:
    """Say on standard error which files and rows became no documents, and why."""
    _say("skipped", [str(each) for each in reading.skipped])


def _say(name: str, sentences: Sequence[str]) -> None:
    for sentence in sentences[:MOST_LINES]:
        line(f"{name}: {sentence}")
    if len(sentences) > MOST_LINES:
        line(f"{name}: and {len(sentences) - MOST_LINES:,} more")


def learn(index: Index, stages: Stages, recipe: dict[str, Any]) -> Fitted:
    """Learn with the choices that were made; others are as in the last fit. What it warns of goes to standard error."""
    with stages.steps() as progress:
        fitted = index.fit(progress=progress, **recipe)
    for note in fitted.notes:
        line(f"note: {note}")
    return fitted
