"""Which files to read, and how to open them: nothing outside the folder, nothing that could block or never end."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from vicinal.corpus._report import Unreadable
from vicinal.errors import BadParameter, NoSuchSource

_KINDS = (
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISDIR, "a folder"),
)
Skip = Callable[[str, str], None]


@dataclass(frozen=True)
class Limits:
    """How much is too much: what goes beyond is skipped and said, so that no file can take all time or memory.

    Parameters
    ----------
    document_bytes : int, default 50,000,000
        The size of one document: a file that is read whole, or a line, record or message of one that is read in parts.
        A table, JSONL file or mailbox may be larger than this by any factor.
    columns : int, default 1,000
        Columns of a table.
    lines : int, default 100
        Skipped rows and notes that are told of one file; more are counted.
    extract_seconds, extract_bytes : int, default 10 and 512 MiB
        Processor time and memory for taking the text out of one pdf or docx, which happens in a process of its own.
    """

    document_bytes: int = 50_000_000
    columns: int = 1_000
    lines: int = 100
    extract_seconds: int = 10
    extract_bytes: int = 512 * 2**20

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise BadParameter(f"limits: {name} must be a whole number of at least 1, got {value!r}. Use the default.")


@dataclass(frozen=True)
class Found:
    """A file to read: where it is, what its documents are called after, and whether it was asked for by itself."""

    path: Path
    name: str
    by_itself: bool


def existing(source: str | os.PathLike[str]) -> Path:
    """Return the path of a source, or say that nothing is there."""
    path = Path(source)
    try:
        os.lstat(path)
        there = str(source) != ""  # which a Path takes for the folder one is in: more than an unset variable should name
    except PermissionError:  # it may be there; when its turn comes, that it may not be read is said
        there = True
    except (OSError, ValueError):  # or a NUL in the path
        there = False
    if not there:
        raise NoSuchSource(
            f"nothing to read at {str(source)!r}: no file or folder has that path. Check the spelling and the folder you are in."
        )
    return path


def walk(source: Path, skip: Skip) -> Iterator[Found]:
    """Give the files of a folder and of all folders in it, sorted; or the file itself.

    Names that begin with a dot are left out. Links inside a folder are not followed.
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
    """What is to be looked at in a folder, in order; None for a file."""
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
    names = sorted(entry for entry in os.listdir(path) if not entry.startswith("."))
    return [(path / entry, f"{name}/{shown(entry)}", (*above, here)) for entry in names]


def _link_reason(path: Path, root: str) -> str:
    target = os.path.realpath(path)
    if not os.path.exists(target):
        return "a link that leads nowhere or in a circle"
    inside = target == root or target.startswith(root.rstrip(os.sep) + os.sep)
    return "a link to something else in the folder, not followed" if inside else "a link out of the folder, not followed"


def open_file(found: Found) -> BinaryIO:
    """Open a regular file for reading; anything else is refused without waiting for it."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    if not found.by_itself:
        flags |= getattr(os, "O_NOFOLLOW", 0)  # a link that took the file's place since the folder was listed
    try:
        _refuse_special(os.stat(found.path, follow_symlinks=found.by_itself))  # not even opened: that wakes some devices
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
    data = stream.read(limit + 1)
    if len(data) > limit:
        raise Unreadable(too_large(len(data), limit))
    if state(stream) != before or (before and len(data) != before[0]):
        raise Unreadable("it changed while it was read")
    return data


def too_large(size: int, limit: int) -> str:
    """Say that something has too many bytes."""
    return f"too large: {size:,} bytes where {limit:,} are allowed"


def state(stream: BinaryIO) -> tuple[int, int] | None:
    """Size and time of the last change of an open file; None for a stream that is none."""
    try:
        status = os.fstat(stream.fileno())
    except (OSError, AttributeError):
        return None
    return status.st_size, status.st_mtime_ns


def shown(name: str) -> str:
    """Return a file's name as text that can be stored anywhere: bytes that are not UTF-8 are written out."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _reason(error: Exception) -> str:
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot be read: {text[:1].lower()}{text[1:]}"
