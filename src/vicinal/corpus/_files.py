"""The files of a folder, opened safely: no links out of it, no pipes or devices, no file beyond the limits.

Progress is counted in bytes here, since their number is known before the documents are.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from vicinal._progress import Progress, silent
from vicinal._sqlite_files import belongs_to_sqlite
from vicinal.corpus._read_report import Unreadable
from vicinal.errors import NoSuchSource

_PIECE = 1 << 20  # bytes
_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISDIR, "a folder"),
)
Skip = Callable[[str, str], None]


#: Why a name that begins with a dot is left out: there are many, and a reading counts them in one note.
HIDDEN = "its name begins with a dot"


@dataclass(frozen=True)
class Found:
    """A file to read: its path, the name that ids of its documents begin with, and whether it was named itself."""

    path: Path
    name: str
    by_itself: bool


def existing(source: str | os.PathLike[str]) -> Path:
    """Return a path, or raise NoSuchSource where nothing has it."""
    path = Path(source)
    try:
        os.lstat(path)
        there = str(source) != ""  # a Path takes it for the current folder, which an unset variable should not name
    except PermissionError:  # it may exist; reading it reports why it cannot be read
        there = True
    except (OSError, ValueError):  # or a NUL in the path
        there = False
    if not there:
        raise NoSuchSource(
            f"nothing to read at {str(source)!r}: no file or folder has that path. Check the spelling and the folder you are in."
        )
    return path


def walk(source: Path, skip: Skip) -> Iterator[Found]:
    """Yield the files of a folder and of all folders in it, sorted; or the file itself.

    Names that begin with a dot are left out, for the reason `HIDDEN`. Links inside a folder are not followed.
    """
    name = shown(Path(os.path.abspath(source)).name or "root")
    if not os.path.isdir(source):
        yield Found(source, name, by_itself=True)
        return
    root = os.path.realpath(source)
    waiting: list[tuple[Path, str, tuple[tuple[int, int], ...]]] = [(source, name, ())]
    while waiting:
        path, name, above = waiting.pop()
        try:
            inside = _inside(path, name, above, root, skip)
        except OSError as error:
            skip(str(path), _reason(error))
            continue
        if inside is None:
            yield Found(path, name, by_itself=False)
        else:
            waiting.extend(reversed(inside))


def _inside(
    path: Path, name: str, above: tuple[tuple[int, int], ...], root: str, skip: Skip
) -> list[tuple[Path, str, tuple[tuple[int, int], ...]]] | None:
    """The entries of a folder, in order; None for a file."""
    if above and path.is_symlink():
        skip(str(path), _link_reason(path, root))
        return []
    status = path.stat()
    if not stat.S_ISDIR(status.st_mode):
        return None
    here = (status.st_dev, status.st_ino)
    if here in above:
        skip(str(path), "a folder that contains itself")
        return []
    names = sorted(os.listdir(path))
    for entry in names:
        if entry.startswith("."):
            skip(str(path / entry), HIDDEN)
    return [(path / entry, f"{name}/{shown(entry)}", (*above, here)) for entry in names if not entry.startswith(".")]


def _link_reason(path: Path, root: str) -> str:
    target = os.path.realpath(path)
    if not os.path.exists(target):
        return "a link that leads nowhere or in a circle"
    inside = target == root or target.startswith(root.rstrip(os.sep) + os.sep)
    return "a link to something else in the folder, not followed" if inside else "a link out of the folder, not followed"


def open_file(found: Found) -> BinaryIO:
    """Open a regular file for reading; anything else, and an SQLite file, is refused without opening it."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    if not found.by_itself:
        flags |= getattr(os, "O_NOFOLLOW", 0)  # a link that took the file's place since the folder was listed
    try:
        status = os.stat(found.path, follow_symlinks=found.by_itself)
        _refuse_special(status)  # not even opened: that wakes some devices
        if belongs_to_sqlite(found.path):  # not even opened: closing it would end the locks of this process on it
            raise Unreadable("an SQLite file, such as an index, or part of one")
        if not status.st_size:
            raise Unreadable("empty")
        descriptor = os.open(found.path, flags)
    except (OSError, ValueError) as error:
        raise Unreadable(_reason(error)) from error
    try:
        _refuse_special(os.fstat(descriptor))
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _refuse_special(status: os.stat_result) -> None:
    if stat.S_ISREG(status.st_mode):
        return
    kind = next((name for is_kind, name in _KINDS if is_kind(status.st_mode)), "something else")
    raise Unreadable(f"{kind}, not a file")


def read_whole(stream: BinaryIO, limit: int) -> bytes:
    """Read a file at once, if it is not too large, not empty and does not change meanwhile."""
    before = state(stream)
    if before and before[0] > limit:
        raise Unreadable(too_large(before[0], limit))
    data = stream.read(before[0] + 1) if before else up_to(stream, limit + 1).getvalue()  # memory is taken for as much at once
    if len(data) > limit:
        raise Unreadable(too_large(len(data), limit))
    if state(stream) != before or (before and len(data) != before[0]):
        raise Unreadable("it changed while it was read")
    return data


def up_to(stream: BinaryIO, most: int) -> io.BytesIO:
    """So many bytes of a stream, in the memory of those that there are."""
    found = io.BytesIO()
    while piece := stream.read(min(_PIECE, most - found.tell())):
        found.write(piece)
    found.seek(0)
    return found


def too_large(size: int, limit: int) -> str:
    """Say that something has too many bytes."""
    return f"too large: {size:,} bytes where {limit:,} are allowed; Limits(document_bytes={size}) allows it"


def state(stream: BinaryIO) -> tuple[int, int] | None:
    """Size and time of the last change of an open file; None for a stream that is none."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, AttributeError):
        return None
    return status.st_size, status.st_mtime_ns


def shown(name: str) -> str:
    """Return a file's name as text that can be stored anywhere: bytes that are not UTF-8 are escaped."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def stream_names(stream: BinaryIO) -> tuple[str, str]:
    """The path of the file that a stream reads and its name, or twice "stream" where it reads none."""
    name = getattr(stream, "name", None)
    if not isinstance(name, str) or not name:
        return "stream", "stream"
    short = shown(Path(name).name)
    return shown(name) if os.path.lexists(name) else short, short


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot be read: {text[:1].lower()}{text[1:]}"


class ByteProgress:
    """Reports how many bytes of all sources were read; the total is 0 where a stream is among them.

    Parameters
    ----------
    sources : sequence of path or stream
    progress : callable
        Called as ``progress("read", bytes_done, bytes_total)``.
    """

    def __init__(self, sources: Sequence[object], progress: Progress) -> None:
        self._sources, self._progress = sources, progress
        self._total: int | None = None
        self._done = 0

    @property
    def is_silent(self) -> bool:
        """Whether nobody is told."""
        return self._progress is silent

    def report(self, here: int = 0) -> None:
        """Report the bytes of the files that were read, and those of the one at hand so far."""
        if self.is_silent:
            return
        if self._total is None:
            self._total = _total_bytes(self._sources)
        self._progress("read", min(self._done + here, self._total), self._total)

    def finish(self, size: int) -> None:
        """Count a file that was read."""
        self._done += size


def position(stream: BinaryIO, share: float | None) -> int:
    """How many bytes of a file were read: up to where its stream is, or a share that its reader knows."""
    if share is not None:
        return int(share * os.fstat(stream.fileno()).st_size)
    return 0 if stream.closed else stream.tell()


def _total_bytes(sources: Sequence[object]) -> int:
    paths = [source for source in sources if isinstance(source, Path)]
    if len(paths) < len(sources):
        return 0
    return sum(_size(found.path) for path in paths for found in walk(path, lambda *_: None))


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
