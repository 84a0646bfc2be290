"""What a reading reports besides its documents: what was skipped and why, and what was guessed."""

from __future__ import annotations

from dataclasses import dataclass, field

from vicinal.corpus._decode import Tally, one_line


@dataclass(frozen=True)
class Skipped:
    """A file, or a row of one, that became no document.

    Parameters
    ----------
    source : str
        The path of the file, or the name of the stream.
    reason : str
        One line that says why, with the row or line where there is one.

    Attributes
    ----------
    source, reason : str
        As given.

    Examples
    --------
    >>> from vicinal.corpus import Skipped
    >>> print(Skipped("articles/picture.png", "binary, not text"))
    articles/picture.png: binary, not text
    """

    source: str
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"


class Unreadable(Exception):
    """A file that cannot be read, or not further; never leaves a reading, which turns it into a `Skipped`."""


@dataclass
class Report:
    """Skips and notes of one reading: at most ``most`` of each per source are listed, the others counted."""

    most: int = 100
    skipped: list[Skipped] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    n_skipped: int = 0
    tally: Tally = field(default_factory=Tally)
    _here: int = 0
    _notes_here: int = 0

    def begin(self, source: str, size: int) -> None:
        """A member of an archive begins; nothing is recorded of it."""

    def skip(self, source: str, reason: str) -> None:
        """Record what is left out, and why."""
        self.n_skipped += 1
        where = _shown(source)
        self._here = self._here + 1 if self.skipped and self.skipped[-1].source == where else 1
        if self._here <= self.most:
            self.skipped.append(Skipped(where, _shown(reason)))
        elif self._here == self.most + 1:
            self.skipped.append(Skipped(where, "and 1 more"))
        else:
            self.skipped[-1] = Skipped(where, f"and {self._here - self.most:,} more")

    def skip_more(self, source: str, count: int) -> None:
        """Record that so many more are left out, of a source of which enough were listed."""
        self.n_skipped += count - 1
        self._here += count - 1
        self.skip(source, "")

    def note(self, text: str) -> None:
        """Record a guess."""
        self._notes_here += 1
        if self._notes_here <= self.most:
            self.notes.append(_shown(text))

    def close(self, source: str) -> None:
        """End a source: note how often its text was changed, and how many notes were not listed."""
        self.notes.extend(_shown(f"{source}: {sentence}") for sentence in self.tally.sentences())
        if self._notes_here > self.most:
            self.notes.append(_shown(f"{source}: and {self._notes_here - self.most:,} more notes"))
        self._here = self._notes_here = 0
        self.tally = Tally()


def _shown(text: str) -> str:
    return one_line(text, 1_000)
