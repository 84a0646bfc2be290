"""What a call of `read` asks for: columns of tables, an encoding, and limits on sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from vicinal.corpus._split import SplitRule
from vicinal.errors import BadParameter

#: What the operating system can be given as a limit, and as a time to wait.
_MOST, _MOST_SECONDS = 2**50, 1_000_000


@dataclass(frozen=True)
class Limits:
    """Sizes beyond which `read` skips a file or a part of it, so that no file can take all time or memory.

    Parameters
    ----------
    document_bytes : int, default=50,000,000
        The size of one document: a file that is read whole, or a line, record or message of one that is read in parts.
        A table, JSONL file or mailbox may be larger than this by any factor.
    columns : int, default=1,000
        Columns of a table.
    lines : int, default=100
        Skipped rows and notes that are listed for one file; more are counted.
    extract_seconds : int, default=10
        Processor time to read one file until its first or next document, and half of what it may take in all. A file beyond 50 MB
        may take 0.4 s for each megabyte, and, for each megabyte beyond, as much again where it has very many documents. PDF and
        Word files, and all others that are large or could take long, are read by processes that have these limits.
    extract_bytes : int, default=512 MiB
        Memory of such a process.
    extract_processes : int, default=4
        How many processes extract the text of PDF and Word files at once; never more than there are processors.
    unpacked_ratio : int, default=200
        How many times its size a compressed file or an archive may have when it is unpacked, with everything packed inside it; any
        may have 100 MB.
    members : int, default=100,000
        Files in one archive.
    nested : int, default=3
        Archives inside archives.

    Attributes
    ----------
    document_bytes, columns, lines, extract_seconds, extract_bytes, extract_processes, unpacked_ratio, members, nested : int
        As given.

    Raises
    ------
    BadParameter
        A limit is not a whole number of at least 1, or more than any machine has: 2⁵⁰, and of seconds 1,000,000.

    Examples
    --------
    >>> from vicinal.corpus import Limits
    >>> Limits(document_bytes=200_000_000).columns
    1000
    """

    document_bytes: int = 50_000_000
    columns: int = 1_000
    lines: int = 100
    extract_seconds: int = 10
    extract_bytes: int = 512 * 2**20
    extract_processes: int = 4
    unpacked_ratio: int = 200
    members: int = 100_000
    nested: int = 3

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            most = _MOST_SECONDS if name == "extract_seconds" else _MOST
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
                raise BadParameter(f"limits: {name} must be a whole number from 1 to {most}, got {value!r}. Use the default.")


@dataclass(frozen=True)
class ReadOptions:
    """Columns that were asked for by name (None leaves the choice open), the encoding (None to detect it), and limits."""

    text: str | None = None
    title: str | None = None
    id: str | None = None
    label: str | None = None
    metadata: tuple[str, ...] | None = None
    encoding: str | None = None
    limits: Limits = field(default_factory=Limits)
    split: SplitRule | None = None
    query: str | None = None

    def columns(self) -> Iterator[tuple[str, str]]:
        """Each column that was asked for, after the parameter that asks for it."""
        for parameter in ("text", "title", "id", "label"):
            column = getattr(self, parameter)
            if column is not None:
                yield parameter, column
        yield from (("metadata", column) for column in self.metadata or ())
